#include "core/report/profiles/gptq_files.h"

#include "core/report/profiles/gptq_environment.h"
#include "core/report/profiles/gptq_memory.h"
#include "core/report/profiles/gptq_numerics.h"
#include "core/report/words/failure_text.h"
#include "core/stats/quantiles.h"
#include "core/sweep/cell_workload.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace qs::core {

namespace {

constexpr double kHundred = 100.0;
// Fewer runs than that, and the benchmark gives the maximum for a percentile; else it lies between
// the two runs beside it. Of one run it gives 0 for deviation and variation.
constexpr std::size_t kRunsForP90 = 5;
constexpr std::size_t kRunsForP99 = 10;
// What the benchmark's sentinel asks for and what it allows, in bytes.
constexpr double kSentinelBytes = 1e9;
constexpr double kSentinelTolerance = 50.0 * kMebibyte;
constexpr double kSentinelRest = 1.0 * kMebibyte;
constexpr const char* kWholeRun =
    "seconds of loading, calibrating and quantizing all of it, all rounds; legacy: few runs";
constexpr const char* kNoDynamo =
    "nothing of this program is compiled by Dynamo: the inner loop runs operation by operation";
constexpr const char* kNotCompiled =
    "nothing is compiled: the inner loop runs operation by operation";
constexpr const char* kExported =
    "the program is exported, not traced by Dynamo, so that graphs, frames and breaks are not "
    "counted (null); seconds of the whole call of Inductor with nothing of earlier compiles, and "
    "with its kernels";
constexpr const char* kOfPeer =
    "Dynamo's counters are those of another program that compiled the same, whose results lie with "
    "the run; seconds of the whole call of this program's Inductor";

Json varianceStats(const std::vector<double>& times)
{
    const Moments moments = momentsOf(times);
    const std::vector<double> ascending = sorted(times);
    const bool spread = times.size() > 1;
    const auto percent = [&](std::size_t needed, double probability) {
        return times.size() < needed ? ascending.back() : quantile(ascending, probability);
    };
    return {{"mean", moments.mean()},
            {"stddev", spread ? Json(moments.standardDeviation()) : Json(0.0)},
            {"cv", spread ? Json(moments.coefficientOfVariation() * kHundred) : Json(0.0)},
            {"min", moments.minimum()},
            {"max", moments.maximum()},
            {"p50", quantile(ascending, 0.5)},
            {"p90", percent(kRunsForP90, 0.9)},
            {"p99", percent(kRunsForP99, 0.99)}};
}

const char* varianceRemark(std::size_t runs)
{
    if (runs < 2)
        return "legacy: of one run the script gives 0 for stddev and cv, which says nothing of a "
               "spread, and its time for each percentile";
    if (runs < kRunsForP90)
        return "legacy: of fewer than 5 runs the script gives the maximum for p90 and p99";
    if (runs < kRunsForP99)
        return "legacy: of fewer than 10 runs the script gives the maximum for p99; p50 and p90 "
               "lie between the runs beside them";
    return "percentiles lie between the runs beside them";
}

void addConfig(ProfileRecord& record, const GptqScenario& scenario, const GptqCell& cell,
               const std::string& description)
{
    const CellConfig& config = cell.summary->cell->config;
    const auto scheme = parseScheme(config.precision.front());
    record.set("scenario", scenario.name);
    record.set("config",
               {{"model", config.model},
                {"num_calibration_samples", scheme.ok() ? scheme.value().whole("samples") : 0},
                {"max_seq_length", config.sizes.find("prompt_tokens").value_or(0)},
                {"description", description}});
}

void addTiming(ProfileRecord& record, const std::string& field, const std::vector<double>& times,
               const std::string& why)
{
    if (times.empty())
        record.missing(field, why);
    else
        record.set(field, times, kWholeRun);
}

void addStats(ProfileRecord& record, const std::string& mean, const GptqCell& cell)
{
    if (cell.seconds.empty()) {
        record.missing(mean, whyNoFigures(*cell.summary));
        record.missing("variance_stats", whyNoFigures(*cell.summary));
        return;
    }
    record.number(mean, momentsOf(cell.seconds).mean(), kWholeRun);
    record.set("variance_stats", varianceStats(cell.seconds), varianceRemark(cell.seconds.size()));
}

// "failed" is what the benchmark says of a mode that it ran.
void addStatus(ProfileRecord& record, const GptqCell& cell)
{
    const CellSummary& summary = *cell.summary;
    if (!cell.seconds.empty())
        record.set("status", "success");
    else
        record.set("status", summary.environmentId.empty() ? "not_run" : "failed",
                   whyNoFigures(summary));
}

ProfileRecord baselineRecord(const GptqScenario& scenario, const GptqCell& cell,
                             const std::string& description)
{
    ProfileRecord record(scenario.name);
    addConfig(record, scenario, cell, description);
    record.set("mode", "baseline");
    addTiming(record, "times", cell.seconds, whyNoFigures(*cell.summary));
    addBaselineMemory(cell, record);
    addStats(record, "mean_time", cell);
    addStatus(record, cell);
    return record;
}

// One program was exported and compiled: what Dynamo would count of it is another program's.
void addCompileStats(ProfileRecord& record, const GptqCell& cell)
{
    if (!cell.compile()) {
        record.missing("compile_stats",
                       cell.seconds.empty() ? whyNoFigures(*cell.summary) : kNoDynamo);
        return;
    }
    Json stats{{"dynamo", nullptr},
               {"num_graphs", nullptr},
               {"frames_compiled", nullptr},
               {"graph_breaks", nullptr},
               {"inductor",
                {{"cold_seconds", cell.compile()->coldSeconds},
                 {"warm_seconds", cell.compile()->warmSeconds}}}};
    if (const auto& counted = cell.dynamo) {
        stats["dynamo"] = {{"frames_ok", counted->framesCompiled},
                           {"frames_total", counted->frames},
                           {"graph_breaks", counted->breaks()},
                           {"unique_graphs", counted->uniqueGraphs},
                           {"calls_captured", counted->callsCaptured}};
        stats["num_graphs"] = counted->uniqueGraphs;
        stats["frames_compiled"] = counted->framesCompiled;
        stats["graph_breaks"] = counted->breaks();
    }
    record.set("compile_stats", std::move(stats), cell.dynamo ? kOfPeer : kExported);
}

void addColdRun(ProfileRecord& record, const GptqCell& cell)
{
    const char* remark = cell.compile() ? "the first sample and compiling before it, cold"
                                        : "mean of the first samples";
    if (const auto cold = cell.coldRun())
        record.number("cold_time", *cold, remark);
    else
        record.missing("cold_time",
                       cell.seconds.empty() ? whyNoFigures(*cell.summary) : kNoColdRun);
}

void addOverhead(ProfileRecord& record, const GptqCell& cell)
{
    constexpr const char* kOverhead = "compile_overhead";
    const auto cold = cell.coldRun();
    if (cell.seconds.empty())
        record.missing(kOverhead, whyNoFigures(*cell.summary));
    else if (!cell.compiles())
        record.missing(kOverhead, kNotCompiled);
    else if (!cold)
        record.missing(kOverhead, kNoColdRun);
    else
        record.number(kOverhead, *cold - momentsOf(cell.seconds).mean(),
                      "what a first run takes more, compiling included");
}

ProfileRecord compiledRecord(const GptqScenario& scenario, const GptqCell& cell,
                             const std::string& description)
{
    ProfileRecord record(scenario.name);
    addConfig(record, scenario, cell, description);
    record.set("mode", "compiled",
               cell.way == GptqWay::Compiled
                   ? "columns by a program that Inductor compiled once for all layers"
                   : "the improved inner loop; it is not compiled");
    addColdRun(record, cell);
    addTiming(record, "warm_times", cell.seconds, whyNoFigures(*cell.summary));
    addCompiledMemory(cell, record);
    addCompileStats(record, cell);
    addColdMemory(cell, record);
    addStats(record, "warm_mean", cell);
    addOverhead(record, cell);
    addStatus(record, cell);
    return record;
}

ProfileRecord sentinelRecord(const GptqScenario& scenario)
{
    const CellSummary& witness = scenario.witness();
    const SelfTest& test = witness.memory.selfTest;
    ProfileRecord record(scenario.name);
    record.set("status", test.passed() ? "success" : std::string(kSelfTestResults.of(test.result)),
               "of this program's own test: to the byte by the allocator, 4 MiB by the process");
    const std::string none = witness.measured ? "no block was taken" : whyNoFigures(witness);
    if (test.bytes == 0 || !test.rise || !test.leftOver) {
        for (const char* field : {"expected_mb", "measured_mb", "delta_mb", "within_tolerance"})
            record.missing(field, none);
        record.number("tolerance_mb", kSentinelTolerance / kMebibyte);
        record.missing("freed_correctly", none);
        return record;
    }
    // The script expects what it asks for, and measures the blocks that the allocator makes of it.
    const bool whole = test.bytes == kSelfTestBytes;
    const double expected = whole ? kSentinelBytes : static_cast<double>(test.bytes);
    const double delta = std::abs(static_cast<double>(*test.rise) - expected);
    record.number("expected_mb", expected / kMebibyte,
                  whole ? "1e9 bytes; the block that was taken is that in whole blocks of 2 MiB"
                        : "less than 1e9 bytes were taken");
    record.number("measured_mb", static_cast<double>(*test.rise) / kMebibyte,
                  test.allocatorCounters ? "by the allocator" : "resident set of the process");
    record.number("delta_mb", delta / kMebibyte);
    record.set("within_tolerance", delta < kSentinelTolerance);
    record.number("tolerance_mb", kSentinelTolerance / kMebibyte);
    record.set("freed_correctly", std::abs(static_cast<double>(*test.leftOver)) < kSentinelRest);
    return record;
}

}  // namespace

std::vector<ProfileTable> gptqFiles(const GptqScenario& scenario, const RunData& data,
                                    const Analysis& analysis)
{
    const std::string& description = data.plan.preset.description;
    std::vector<ProfileTable> files;
    const auto add = [&](const char* file, std::vector<std::string> fields, ProfileRecord record) {
        files.push_back({.file = "artifacts/" + scenario.name + "/" + file,
                         .format = ProfileFormat::JsonObject,
                         .fields = std::move(fields),
                         .records = {std::move(record)}});
    };
    if (const GptqCell* cell = scenario.baseline(); cell != nullptr && !scenario.answers)
        add("baseline.json",
            {"scenario", "config", "mode", "times", "peak_memory_runs", "peak_memory", "mean_time",
             "variance_stats", "status"},
            baselineRecord(scenario, *cell, description));
    if (const GptqCell* cell = scenario.compiled(); cell != nullptr && !scenario.answers)
        add("compiled.json",
            {"scenario", "config", "mode", "cold_time", "warm_times", "peak_memory_runs",
             "peak_memory", "compile_stats", "cold_peak_memory", "warm_mean", "variance_stats",
             "compile_overhead", "status"},
            compiledRecord(scenario, *cell, description));
    add("numerical_check.json",
        {"scenario", "logit_max_diff", "logit_mean_diff", "token_match_rate",
         "all_outputs_identical", "storage_size_proof"},
        numericRecord(scenario, data, analysis));
    add("memory_sentinel.json",
        {"status", "expected_mb", "measured_mb", "delta_mb", "within_tolerance", "tolerance_mb",
         "freed_correctly"},
        sentinelRecord(scenario));
    add("env_info.json",
        {"python_version", "torch_version", "torch_cuda_version", "cuda_available", "git_sha",
         "git_branch", "nvidia_driver", "gpu_count", "gpu_name", "gpu_vram_gb",
         "gpu_compute_capability", "compile_settings", "dynamo_config"},
        gptqEnvironment(scenario, data));
    return files;
}

}  // namespace qs::core
