// What the files of a scenario of llm-compressor's benchmark of GPTQ say.
#include "core/report/profiles/export_profile.h"

#include "tests/analysis/analysis_data.h"
#include "tests/report/profile_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::contentOf;
using tests::fileOf;
using tests::gptqRun;
using tests::valueOf;

TEST(GptqFiles, MemoryIsThatOfTheFirstSampleAndOfTheLast)
{
    RunData data = gptqRun();
    const auto improved = [&] {
        const ProfileContent content = contentOf("gptq-benchmark", data);
        return content.tables[1].records[0];
    };
    for (const char* field : {"peak_memory_runs", "peak_memory", "cold_peak_memory"}) {
        EXPECT_TRUE(valueOf(improved(), field).value.is_null()) << "the weights alone are no peak";
        EXPECT_FALSE(valueOf(improved(), field).reason.empty()) << "of a processor";
    }
    // As where the self-test did not pass, which takes the peaks away.
    const std::string processor = valueOf(improved(), "peak_memory").reason;
    for (PlannedCell& cell : data.plan.cells)
        cell.config.device = "cuda:0";
    EXPECT_TRUE(valueOf(improved(), "peak_memory").value.is_null());
    EXPECT_NE(valueOf(improved(), "peak_memory").reason, processor);
    for (Measurement& row : data.measurements) {
        MemoryFigures& memory = row.result.memory;
        memory.allocatedPeak = 3'000'000'000;
        memory.reservedPeak = 5'000'000'000;
        memory.reserved = 4'000'000'000;
        memory.firstSample = {.allocatedPeak = 2'000'000'000,
                              .reservedPeak = 7'000'000'000,
                              .reserved = 6'000'000'000};
    }
    const ProfileRecord record = improved();
    const Json cold = valueOf(record, "cold_peak_memory").value;
    EXPECT_DOUBLE_EQ(cold["max_allocated_gb"], 2.0);
    EXPECT_DOUBLE_EQ(cold["max_reserved_gb"], 7.0);
    EXPECT_DOUBLE_EQ(cold["reserved_gb"], 6.0);
    const Json last = valueOf(record, "peak_memory_runs").value.back();
    EXPECT_DOUBLE_EQ(last["max_allocated_gb"], 3.0);
    EXPECT_DOUBLE_EQ(last["max_reserved_gb"], 5.0);
    EXPECT_DOUBLE_EQ(last["reserved_gb"], 4.0);
    const Json largest = {{"max_allocated_gb", 3.0}, {"max_reserved_gb", 7.0}};
    EXPECT_EQ(valueOf(record, "peak_memory").value, largest) << "of all, the cold one too";
    // Of rows that were measured before it was read.
    for (Measurement& row : data.measurements)
        row.result.memory.firstSample.reset();
    EXPECT_TRUE(valueOf(improved(), "cold_peak_memory").value.is_null());
}

// As the benchmark labels them, beside "times" and "warm_times".
TEST(GptqFiles, EachTimeHasItsMemoryOrNull)
{
    RunData data = gptqRun();
    for (Measurement& row : data.measurements) {
        MemoryFigures& memory = row.result.memory;
        memory.weightsResident = 1'000'000'000;
        memory.allocatedPeak = 3'000'000'000;
        memory.firstSample = {.allocatedPeak = 2'000'000'000};
        row.result.hostSeconds = {4.0, 5.0, 6.0};
        row.result.firstSampleSeconds = 7.0;
        row.result.warmupPasses = 1;
    }
    const Measurement second =
        *std::find_if(data.measurements.begin(), data.measurements.end(),
                      [](const auto& row) { return row.cellId == "improved"; });
    data.measurements.push_back(second);
    data.measurements.back().round = 1;
    data.measurements.back().result.hostSeconds = {4.0};

    const ProfileContent content = contentOf("gptq-benchmark", data);
    const auto peaksOf = [&](const char* file) {
        std::vector<std::pair<std::string, double>> peaks;
        for (const Json& run : valueOf(fileOf(content, file), "peak_memory_runs").value) {
            EXPECT_EQ(run["max_allocated_gb"].is_null(), run["allocated_gb"].is_null());
            peaks.emplace_back(run.value("run", ""), run["max_allocated_gb"].is_null()
                                                         ? 0.0
                                                         : run["max_allocated_gb"].get<double>());
        }
        return peaks;
    };
    using Peaks = std::vector<std::pair<std::string, double>>;
    EXPECT_EQ(peaksOf("baseline.json"), (Peaks{{"", 0.0}, {"", 0.0}, {"", 3.0}}));
    EXPECT_EQ(peaksOf("compiled.json"), (Peaks{{"cold", 2.0},
                                               {"warm_1", 0.0},
                                               {"warm_2", 0.0},
                                               {"warm_3", 3.0},
                                               {"cold_2", 2.0},
                                               {"warm_4", 3.0}}));
    EXPECT_EQ(valueOf(fileOf(content, "compiled.json"), "warm_times").value.size(), 4U);

    // A first sample that is not discarded is a time as any other.
    for (Measurement& row : data.measurements)
        row.result.firstSampleSeconds.reset();
    const ProfileContent plain = contentOf("gptq-benchmark", data);
    const Json runs = valueOf(fileOf(plain, "baseline.json"), "peak_memory_runs").value;
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(runs[0]["max_allocated_gb"], 2.0);
    EXPECT_TRUE(valueOf(fileOf(plain, "compiled.json"), "cold_peak_memory").value.is_null());
}

// What the document and its files publish, to the digits that they print.
TEST(GptqFiles, StorageIsThatOfThePublishedModels)
{
    struct Published {
        std::size_t layers;
        std::int64_t bytes;  // as an H200 held them
        double mebibytes;
    };
    for (const Published& each :
         {Published{154, 761'909'248, 726.62}, Published{252, 2'053'431'296, 1958.31}}) {
        RunData data = gptqRun();
        CellResult& straight = data.measurements.front().result;
        straight.storage.logicalBytes = straight.storage.storageBytes = each.bytes;
        straight.calibration[0].layers.resize(each.layers, straight.calibration[0].layers[0]);
        const ProfileContent content = contentOf("gptq-benchmark", data);
        const Json proof =
            valueOf(content.tables[2].records[0], "storage_size_proof").value["baseline"];
        for (const char* total : {"total_logical_mb", "total_storage_mb"})
            EXPECT_EQ(std::round(proof[total].get<double>() * 100.0) / 100.0, each.mebibytes);
    }
}

TEST(GptqFiles, SentinelAndStorageAreThoseOfTheDocument)
{
    const ProfileContent content = contentOf("gptq-benchmark", gptqRun());
    const Json proof = valueOf(content.tables[2].records[0], "storage_size_proof").value;
    EXPECT_EQ(proof["baseline"]["total_storage_mb"], 3.0);
    EXPECT_EQ(proof["baseline"]["total_logical_mb"], 3.0);
    ASSERT_EQ(proof["baseline"]["tensors"].size(), 1U);
    EXPECT_EQ(proof["baseline"]["tensors"][0]["logical_mb"], 2.0);
    EXPECT_EQ(proof["baseline"]["tensors"][0]["is_view"], false);
    EXPECT_TRUE(proof["compiled"].is_null());
    const ProfileRecord& sentinel = content.tables[3].records[0];
    const auto rounded = [&](const char* field) {
        return std::round(valueOf(sentinel, field).value.get<double>() * 100.0) / 100.0;
    };
    EXPECT_EQ(rounded("expected_mb"), 953.67);
    EXPECT_EQ(rounded("measured_mb"), 954.0);
    EXPECT_EQ(rounded("delta_mb"), 0.33);
    EXPECT_EQ(valueOf(sentinel, "tolerance_mb").value, 50.0);
    EXPECT_EQ(valueOf(sentinel, "within_tolerance").value, true);
    EXPECT_EQ(valueOf(sentinel, "freed_correctly").value, true);
}

TEST(GptqFiles, SentinelOfTheDocumentIsLooserThanOurs)
{
    constexpr std::int64_t kMiB = 1 << 20;
    RunData data = gptqRun();
    for (Measurement& row : data.measurements) {
        SelfTest& test = row.result.memory.selfTest;
        test.result = SelfTestResult::Failed;
        test.rise = test.bytes + 49 * kMiB;
        test.leftOver = 2 * kMiB;
    }
    const ProfileContent content = contentOf("gptq-benchmark", data);
    const ProfileRecord& sentinel = content.tables[3].records[0];
    EXPECT_EQ(valueOf(sentinel, "status").value, "failed");
    EXPECT_EQ(valueOf(sentinel, "within_tolerance").value, true);
    EXPECT_EQ(valueOf(sentinel, "freed_correctly").value, false);
}

// As the row of Qwen2.5-3B on an H200 has it: the program by itself, and the call that made it.
TEST(GptqFiles, ColdCompileIsThatOfTheWholeCall)
{
    RunData data = gptqRun();
    data.plan.preset.price = {.perDeviceHour = 36.0, .currency = "EUR"};
    for (PlannedCell& cell : data.plan.cells) {
        if (cell.id == "improved")
            cell.config.precision = {"gptq-int4-128:by=compiled"};
    }
    StageCompile compile{.stage = "gptq",
                         .part = "columns",
                         .coldSeconds = 15.925532455,
                         .warmSeconds = 9.088787289};
    compile.together = CompiledTogether{
        .id = "call", .programs = 1, .coldSeconds = 17.540017963, .warmSeconds = 10.215244775};
    for (Measurement& row : data.measurements) {
        if (row.cellId == "improved")
            row.result.compiles = {compile};
    }
    EXPECT_EQ(analyse(data, "bf16-eager").find("improved")->compileCost->coldSeconds, 17.540017963);
    const ProfileContent content = contentOf("gptq-benchmark", data);
    const ProfileRecord& record = fileOf(content, "compiled.json");
    const Json stats = valueOf(record, "compile_stats").value;
    EXPECT_EQ(stats["inductor"]["cold_seconds"], 17.540017963);
    EXPECT_EQ(stats["inductor"]["warm_seconds"], 10.215244775);
    EXPECT_DOUBLE_EQ(valueOf(record, "cold_time").value, 512.532402752 + 17.540017963);
    EXPECT_DOUBLE_EQ(valueOf(record, "compile_overhead").value, 34.938045267500456 + 17.540017963);
    EXPECT_THAT(content.texts.at(0).text, HasSubstr("5.301 EUR")) << "530.07 s of the first run";
}

TEST(GptqFiles, OverheadOfAFailedCellIsMissingForItsFailure)
{
    RunData data = gptqRun();
    std::erase_if(data.measurements, [](const auto& row) { return row.cellId == "improved"; });
    tests::addFailure(data, "improved", 0, FailureKind::OutOfMemory);
    const ProfileContent content = contentOf("gptq-benchmark", data);
    const ProfileRecord& record = fileOf(content, "compiled.json");
    EXPECT_EQ(valueOf(record, "compile_overhead").reason, valueOf(record, "cold_time").reason);
    EXPECT_EQ(valueOf(record, "compile_overhead").reason, valueOf(record, "warm_mean").reason);
}

// A run that goes on: what is not measured yet stands first in the plan.
TEST(GptqFiles, CellsThatDidNotRunYetGoWithThoseThatDid)
{
    RunData data = gptqRun();
    Environment environment;
    environment.torch = "2.11.0";
    data.environments = {environment};
    for (Measurement& row : data.measurements)
        row.environmentId = environment.id();
    std::erase_if(data.measurements, [](const auto& row) { return row.cellId == "straight"; });
    const ProfileContent content = contentOf("gptq-benchmark", data);
    ASSERT_EQ(content.tables.size(), 5U) << "one scenario";
    const ProfileRecord& baseline = fileOf(content, "baseline.json");
    EXPECT_EQ(valueOf(baseline, "status").value, "not_run");
    EXPECT_EQ(valueOf(fileOf(content, "compiled.json"), "status").value, "success");
    const std::string why = valueOf(baseline, "mean_time").reason;
    EXPECT_EQ(valueOf(fileOf(content, "numerical_check.json"), "logit_max_diff").reason, why);
    EXPECT_EQ(valueOf(fileOf(content, "env_info.json"), "torch_version").value, "2.11.0");
    const ProfileRecord& sentinel = fileOf(content, "memory_sentinel.json");
    EXPECT_EQ(valueOf(sentinel, "status").value, "success") << "of the cell that was measured";

    data.measurements.clear();
    const ProfileContent nothing = contentOf("gptq-benchmark", data);
    ASSERT_EQ(nothing.tables.size(), 5U);
    const ProfileRecord& machine = fileOf(nothing, "env_info.json");
    for (const char* field : {"torch_cuda_version", "git_sha", "gpu_count", "gpu_name"}) {
        EXPECT_TRUE(valueOf(machine, field).value.is_null()) << field;
        EXPECT_EQ(valueOf(machine, field).reason, why) << field;
    }
    EXPECT_EQ(valueOf(fileOf(nothing, "memory_sentinel.json"), "status").value, "not_run");

    tests::addFailure(data, "straight", 0, FailureKind::OutOfMemory);
    EXPECT_EQ(valueOf(fileOf(contentOf("gptq-benchmark", data), "baseline.json"), "status").value,
              "failed");
}

// As numpy.std(ddof=1) and numpy.percentile have it, and the maximum of few runs.
TEST(GptqFiles, PercentilesOfFewRunsAreTheirMaximum)
{
    struct Expected {
        std::size_t runs;
        double p50, p90, p99, stddev;
    };
    const Expected all[] = {{1, 1.0, 1.0, 1.0, 0.0},
                            {4, 2.5, 4.0, 4.0, 1.2909944487358056},
                            {5, 3.0, 4.6, 5.0, 1.5811388300841898},
                            {10, 5.5, 9.1, 9.91, 3.0276503540974917}};
    std::set<std::string> remarks;
    for (const Expected& expected : all) {
        std::vector<double> times(expected.runs);
        std::iota(times.begin(), times.end(), 1.0);
        RunData data = gptqRun();
        for (Measurement& row : data.measurements)
            row.result.hostSeconds = times;
        const ProfileContent content = contentOf("gptq-benchmark", data);
        const ProfileValue& stats = valueOf(fileOf(content, "baseline.json"), "variance_stats");
        EXPECT_DOUBLE_EQ(stats.value["p50"], expected.p50) << expected.runs;
        EXPECT_DOUBLE_EQ(stats.value["p90"], expected.p90) << expected.runs;
        EXPECT_DOUBLE_EQ(stats.value["p99"], expected.p99) << expected.runs;
        EXPECT_DOUBLE_EQ(stats.value["stddev"], expected.stddev) << expected.runs;
        EXPECT_FALSE(stats.reason.empty());
        remarks.insert(stats.reason);
    }
    EXPECT_EQ(remarks.size(), std::size(all)) << "what is computed depends on their number";
}

}  // namespace
}  // namespace qs::core
