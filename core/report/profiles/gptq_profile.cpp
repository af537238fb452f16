#include "core/report/profiles/gptq_profile.h"

#include "core/report/markdown_text.h"
#include "core/report/profiles/gptq_runs.h"
#include "core/report/words/failure_text.h"
#include "core/stats/quantiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

constexpr double kGiga = 1e9;
constexpr double kMebibytes = 1024.0 * 1024.0;
constexpr double kHundred = 100.0;
// Fewer runs than that, and the benchmark gives the maximum for a percentile.
constexpr std::size_t kRunsForP90 = 5;
constexpr std::size_t kRunsForP99 = 10;
constexpr const char* kNoText = "–";
constexpr const char* kWholeRun =
    "seconds of loading, calibrating and quantizing all of it, all rounds; legacy: few runs";
constexpr const char* kNoDynamo =
    "nothing of this program is compiled by Dynamo: the inner loop runs operation by operation";
constexpr const char* kNoCold =
    "the settings discard no first sample (warmup_samples), so that it counts as any other";
constexpr const char* kNoCounter = "a CPU has no allocator that counts";
constexpr const char* kComparedElsewhere =
    "two quantized models are not compared with each other: their distance from bf16 is in "
    "cells.csv, and both ways give the same codes";

std::string scenarioOf(const GptqCell& cell)
{
    const CellConfig& config = cell.summary->cell->config;
    return config.model + " " + precisionText(config);
}

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

Json gigabytes(const std::optional<std::int64_t>& bytes)
{
    return bytes ? Json(static_cast<double>(*bytes) / kGiga) : Json();
}

Json memoryJson(const MemoryFigures& memory)
{
    return {{"allocated_gb", static_cast<double>(memory.weightsResident) / kGiga},
            {"max_allocated_gb", gigabytes(memory.allocatedPeak)},
            {"max_reserved_gb", gigabytes(memory.reservedPeak)}};
}

void addConfig(ProfileRecord& record, const GptqCell& cell)
{
    const CellConfig& config = cell.summary->cell->config;
    record.set("scenario", scenarioOf(cell));
    record.set("config", {{"model", config.model},
                          {"precision", precisionText(config)},
                          {"max_seq_length", config.sizes.find("prompt_tokens").value_or(0)}});
}

void addMemories(ProfileRecord& record, const GptqCell& cell)
{
    Json runs = Json::array();
    for (const MemoryFigures& memory : cell.memory)
        runs.push_back(memoryJson(memory));
    const bool counted = !cell.memory.empty() && cell.memory.front().allocatedPeak;
    const char* remark = counted ? "1e9 bytes, of the last sample of each round" : kNoCounter;
    record.set("peak_memory", cell.memory.empty() ? Json() : memoryJson(cell.memory.back()),
               cell.memory.empty() ? whyNoFigures(*cell.summary) : remark);
    record.set("peak_memory_runs", std::move(runs), remark);
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
    record.set("variance_stats", varianceStats(cell.seconds),
               "legacy: percentiles of few runs are their maximum");
}

ProfileRecord baselineRecord(const GptqCell& cell)
{
    ProfileRecord record(scenarioOf(cell));
    addConfig(record, cell);
    record.set("mode", "baseline");
    addTiming(record, "times", cell.seconds, whyNoFigures(*cell.summary));
    addMemories(record, cell);
    addStats(record, "mean_time", cell);
    record.set("status", cell.seconds.empty() ? "failed" : "success");
    return record;
}

ProfileRecord compiledRecord(const GptqCell& cell)
{
    ProfileRecord record(scenarioOf(cell));
    addConfig(record, cell);
    record.set("mode", "compiled", "the improved inner loop; it is not compiled");
    if (cell.coldSeconds.empty())
        record.missing("cold_time", cell.seconds.empty() ? whyNoFigures(*cell.summary) : kNoCold);
    else
        record.number("cold_time", momentsOf(cell.coldSeconds).mean(), "mean of the first samples");
    addTiming(record, "warm_times", cell.seconds, whyNoFigures(*cell.summary));
    record.missing("compile_stats", kNoDynamo);
    record.missing("cold_peak_memory", "peaks are those of the last sample");
    addMemories(record, cell);
    addStats(record, "warm_mean", cell);
    if (cell.coldSeconds.empty() || cell.seconds.empty())
        record.missing("compile_overhead", kNoCold);
    else
        record.number("compile_overhead",
                      momentsOf(cell.coldSeconds).mean() - momentsOf(cell.seconds).mean(),
                      "what a first sample takes more; nothing is compiled");
    record.set("status", cell.seconds.empty() ? "failed" : "success");
    return record;
}

Json storageJson(const StorageReport& storage)
{
    const auto is = [&](StorageFault fault) {
        return std::any_of(storage.offenders.begin(), storage.offenders.end(),
                           [&](const StorageOffender& each) { return each.fault == fault; });
    };
    return {{"total_logical_mb", static_cast<double>(storage.logicalBytes) / kMebibytes},
            {"total_storage_mb", static_cast<double>(storage.storageBytes) / kMebibytes},
            {"has_views", is(StorageFault::View)},
            {"has_inflated_storage", storage.storageBytes * 10 > storage.logicalBytes * 11}};
}

ProfileRecord numericRecord(const GptqCell& cell)
{
    ProfileRecord record(scenarioOf(cell));
    record.set("scenario", scenarioOf(cell));
    for (const char* field :
         {"logit_max_diff", "logit_mean_diff", "token_match_rate", "all_outputs_identical"})
        record.missing(field, kComparedElsewhere);
    if (cell.summary->storage.empty())
        record.missing("storage_size_proof", whyNoFigures(*cell.summary));
    else
        record.set("storage_size_proof", storageJson(cell.summary->storage),
                   "of the weights in memory, as this program packs them; only tensors with a "
                   "fault are kept one by one");
    return record;
}

ProfileRecord sentinelRecord(const GptqCell& cell)
{
    const SelfTest& test = cell.summary->memory.selfTest;
    ProfileRecord record(scenarioOf(cell));
    record.set("status", kSelfTestResults.of(test.result));
    if (test.bytes > 0)
        record.number("expected_mb", static_cast<double>(test.bytes) / kMebibytes);
    else
        record.missing("expected_mb", "no block was taken");
    const char* exact = "the test asks for an exact rise of the allocator and 4 MiB of the process";
    for (const char* field : {"measured_mb", "delta_mb"})
        record.missing(field, test.passed() ? exact : "the test did not pass");
    record.set("within_tolerance", test.passed());
    record.number("tolerance_mb", static_cast<double>(kProcessTolerance) / kMebibytes,
                  "the benchmark allows 50");
    record.set("freed_correctly", test.passed());
    return record;
}

std::string minutes(double seconds)
{
    return fmt::format("{:.0f}m {:.1f}s", std::floor(seconds / 60.0), std::fmod(seconds, 60.0));
}

double peakOf(const GptqCell* cell)
{
    return cell == nullptr ? 0.0
                           : static_cast<double>(cell->summary->memory.allocatedPeak.value_or(0));
}

// In % of what the straight way takes at most.
std::string overheadText(const GptqCell& cell, const GptqCell* straight)
{
    if (peakOf(straight) <= 0.0 || peakOf(&cell) <= 0.0)
        return kNoText;
    return fmt::format("{:+.2f} %", (peakOf(&cell) / peakOf(straight) - 1.0) * kHundred);
}

std::vector<std::string> modeLine(const GptqCell& cell, const GptqCell* straight)
{
    const Moments moments = momentsOf(cell.seconds);
    const bool timed = moments.count() > 0;
    const bool spread = moments.count() > 1;
    const bool compared = timed && straight != nullptr && !straight->seconds.empty();
    return {scenarioOf(cell),
            cell.straight ? "baseline" : "improved",
            cell.coldSeconds.empty() ? kNoText : minutes(momentsOf(cell.coldSeconds).mean()),
            timed ? minutes(moments.mean()) : whyNoFigures(*cell.summary),
            spread ? fmt::format("{:.3g} s", moments.standardDeviation()) : kNoText,
            spread ? fmt::format("{:.2f} %", moments.coefficientOfVariation() * kHundred) : kNoText,
            compared ? fmt::format("{:.3g}x", momentsOf(straight->seconds).mean() / moments.mean())
                     : kNoText,
            peakOf(&cell) > 0.0 ? fmt::format("{:.2f} GB", peakOf(&cell) / kGiga) : kNoText,
            overheadText(cell, straight)};
}

std::string modesTable(const std::vector<GptqCell>& cells)
{
    MarkdownTable table({"Scenario", "Mode", "First run", "Warm avg", "Stddev", "CV", "Speedup",
                         "Peak mem", "Memory overhead"});
    for (const GptqCell& cell : cells)
        table.add(modeLine(cell, straightOf(cells, cell)));
    return table.text();
}

// Mean seconds of that type of layer; 0 where there are none.
double secondsOfType(const GptqCell* cell, const std::string& type)
{
    if (cell == nullptr)
        return 0.0;
    const auto found = cell->layers.find(type);
    return found == cell->layers.end() ? 0.0 : found->second.seconds.mean();
}

std::string layersTable(const std::vector<GptqCell>& cells)
{
    MarkdownTable table(
        {"Scenario", "Mode", "Layer type", "Solved", "Mean time", "Mean loss", "Speedup"});
    for (const GptqCell& cell : cells) {
        const GptqCell* straight = straightOf(cells, cell);
        for (const auto& [type, figure] : cell.layers) {
            const double before = secondsOfType(straight, type);
            table.add(
                {scenarioOf(cell), cell.straight ? "baseline" : "improved", type,
                 std::to_string(figure.seconds.count()),
                 fmt::format("{:.4g} s", figure.seconds.mean()),
                 fmt::format("{:.4g}", figure.loss.mean()),
                 before > 0.0 ? fmt::format("{:.3g}x", before / figure.seconds.mean()) : kNoText});
        }
    }
    return table.text();
}

Result<ProfileContent> gptqContent(const RunData& data, const Analysis& analysis)
{
    QS_TRY(const std::vector<GptqCell> cells, gptqCells(data, analysis));
    ProfileTable baseline{.file = "baseline.json",
                          .fields = {"scenario", "config", "mode", "times", "peak_memory",
                                     "peak_memory_runs", "mean_time", "variance_stats", "status"}};
    ProfileTable compiled{.file = "compiled.json",
                          .fields = {"scenario", "config", "mode", "cold_time", "warm_times",
                                     "compile_stats", "cold_peak_memory", "peak_memory",
                                     "peak_memory_runs", "warm_mean", "variance_stats",
                                     "compile_overhead", "status"}};
    ProfileTable numeric{.file = "numerical_check.json",
                         .fields = {"scenario", "logit_max_diff", "logit_mean_diff",
                                    "token_match_rate", "all_outputs_identical",
                                    "storage_size_proof"}};
    ProfileTable sentinel{.file = "memory_sentinel.json",
                          .fields = {"status", "expected_mb", "measured_mb", "delta_mb",
                                     "within_tolerance", "tolerance_mb", "freed_correctly"}};
    for (const GptqCell& cell : cells) {
        if (cell.straight)
            baseline.records.push_back(baselineRecord(cell));
        else
            compiled.records.push_back(compiledRecord(cell));
        numeric.records.push_back(numericRecord(cell));
        sentinel.records.push_back(sentinelRecord(cell));
    }
    std::string text = "# GPTQ\n\n" + modesTable(cells) +
                       "\nBaseline goes through the columns as llm-compressor writes it; improved "
                       "does the same by updates in place. Neither is compiled.\n\n"
                       "## By layer type\n\n" +
                       layersTable(cells);
    return ProfileContent{
        {std::move(baseline), std::move(compiled), std::move(numeric), std::move(sentinel)},
        {{"summary.md", std::move(text)}}};
}

}  // namespace

ExportProfile gptqProfile()
{
    return {"gptq-benchmark", "GPTQ benchmark",
            "The files of llm-compressor's benchmark of GPTQ: times, memory and storage of "
            "quantizing straight and improved, and a summary with times and losses by layer type",
            gptqContent};
}

}  // namespace qs::core
