#include "core/report/profiles/vitok_profile.h"

#include "core/report/markdown_text.h"
#include "core/report/profiles/profile_cells.h"
#include "core/report/profiles/vitok_evaluation.h"
#include "core/report/profiles/vitok_figures.h"
#include "core/report/profiles/vitok_run.h"
#include "core/sweep/baseline_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace qs::core {

namespace {

// Of test_float8_inference.py, which sees more images than the benchmark beside it.
constexpr double kPassingSsim = 0.99;
constexpr int kFloat8Outputs = 10;

constexpr const char* kWallClock =
    "wall clock of all samples of all rounds, as the script times; this program's own figures are "
    "medians, by the clock of the device where there is one";
constexpr const char* kLegacyDeviation = "legacy: divided by n, over samples of all rounds";
constexpr const char* kStoredOutputs = "decoded patches lie in the run, as .npy below cells/";

// Of the cell that another stands against.
std::string whyNoBaseline(const CellSummary* baseline)
{
    return baseline == nullptr ? "the run has no bf16 cell for it" : whyNoFigures(*baseline);
}

// The script puts five into its file, for a comparison that is made here already.
std::string whereOutputsLie(const VitokRun& run, const CellSummary& cell)
{
    const PictureFigures& pictures = run.againstReference.at(cell.cellId);
    if (storedOutputs(run.analysis, cell) == 0)
        return pictures.reason;
    if (pictures.ssim)
        return kStoredOutputs;  // they have been read
    const auto first = storedOutput(run.data, run.analysis, cell, 0);
    return first.ok() ? kStoredOutputs : first.error().message;
}

ProfileRecord benchmarkRecord(const VitokRun& run, const CellSummary& cell)
{
    ProfileRecord record(run.configName(cell));
    record.set("config", record.name());
    addNumber(record, "mean_latency_ms", inMilliseconds(run.seconds(cell)), cell, "no samples",
              kWallClock);
    const auto times = run.times.find(cell.cellId);
    addNumber(record, "std_latency_ms",
              times == run.times.end() ? std::nullopt
                                       : inMilliseconds(populationDeviation(times->second)),
              cell, "no samples", kLegacyDeviation);
    addNumber(record, "throughput_img_per_sec", run.imagesPerSecond(cell), cell, "no samples");
    addNumber(record, "peak_memory_gb", gibibytes(cell.memory.allocatedPeak), cell,
              whyNoMemory(cell), "GiB, from compiling to the last sample");
    const PictureFigures& pictures = run.againstReference.at(cell.cellId);
    record.missing("outputs", whereOutputsLie(run, cell));
    addNumber(record, "ssim_vs_baseline", pictures.ssim, cell, pictures.reason,
              fmt::format("torchmetrics' SSIM of {} outputs in [-1, 1]{}", pictures.pictures,
                          cell.cell->trained ? ""
                                             : "; generated weights: a numeric deviation, no "
                                               "quality of images"));
    return record;
}

ProfileTable benchmarkTable(const VitokRun& run)
{
    ProfileTable table{.file = "benchmark_results.json",
                       .fields = {"config", "mean_latency_ms", "std_latency_ms",
                                  "throughput_img_per_sec", "peak_memory_gb", "outputs",
                                  "ssim_vs_baseline"}};
    for (const CellSummary* cell : profiledCells(run.analysis))
        table.records.push_back(benchmarkRecord(run, *cell));
    return table;
}

// The fastest of the cells that do the same work.
struct BestConfig {
    std::string frame;
    const CellSummary* cell = nullptr;
    double seconds = 0.0;
};

void consider(std::vector<BestConfig>& best, const CellSummary& cell, double seconds)
{
    const std::string frame = baselineFrame("best-bf16", cell.cell->config);
    const auto found = std::find_if(best.begin(), best.end(),
                                    [&](const BestConfig& each) { return each.frame == frame; });
    if (found == best.end())
        best.push_back({frame, &cell, seconds});
    else if (seconds < found->seconds)
        *found = {frame, &cell, seconds};
}

// The script has one batch and one shape: of several there is a line for each.
std::string bestText(const VitokRun& run, const std::vector<BestConfig>& best)
{
    if (best.empty())
        return "Best config: none was measured\n\n";
    std::string text;
    for (const BestConfig& each : best) {
        const std::string sample = run.analysis.labels.sample(*each.cell->cell);
        const std::string where =
            best.size() == 1 ? std::string()
                             : fmt::format(" at batch {}{}{}", each.cell->cell->config.batch,
                                           sample.empty() ? "" : ", ", sample);
        text +=
            fmt::format("Best config{}: {} ({:.2f} ms)\n\n", where,
                        markdownText(run.configName(*each.cell)), *inMilliseconds(each.seconds));
    }
    return text;
}

// The table that the script prints.
ProfileText printedTable(const VitokRun& run)
{
    const auto text = [](const std::optional<double>& value, const char* form) {
        return value ? fmt::format(fmt::runtime(form), *value) : std::string("–");
    };
    MarkdownTable table({"Config", "Latency (ms)", "Std", "Throughput", "Memory (GB)", "Speedup"});
    std::vector<BestConfig> best;
    for (const CellSummary* cell : profiledCells(run.analysis)) {
        const auto seconds = run.seconds(*cell);
        const std::string config = run.configName(*cell);
        const auto times = run.times.find(cell->cellId);
        table.add(
            {config, text(inMilliseconds(seconds), "{:.2f}"),
             text(times == run.times.end() ? std::nullopt
                                           : inMilliseconds(populationDeviation(times->second)),
                  "{:.2f}"),
             text(run.imagesPerSecond(*cell), "{:.2f}"),
             text(gibibytes(cell->memory.allocatedPeak), "{:.2f}"),
             text(run.speedup(*cell), "{:.2f}x")});
        if (seconds)
            consider(best, *cell, *seconds);
    }
    return {"benchmark_results.md",
            table.text() + "\n" + bestText(run, best) +
                "Means, wall clock, as the script prints them. summary.md and report.html have "
                "medians, by the clock of the device where there is one.\n"};
}

// A cell that failed for another cause says nothing of its values.
Json hasNan(const CellSummary& cell)
{
    if (cell.status == CellStatus::NonFinite)
        return true;
    return cell.measured ? Json(false) : Json();
}

void addFloat8Memory(ProfileRecord& record, const CellSummary& cell, const CellSummary* bf16)
{
    const auto own = gibibytes(cell.memory.allocatedPeak);
    const auto base = bf16 == nullptr ? std::nullopt : gibibytes(bf16->memory.allocatedPeak);
    const auto reduction = own && base ? std::optional(100.0 * (1.0 - *own / *base)) : std::nullopt;
    const std::string whyNoBase = bf16 == nullptr ? whyNoBaseline(bf16) : whyNoMemory(*bf16);
    addNumber(record, "bf16_peak_memory_gb", base, whyNoBase);
    addNumber(record, "float8_peak_memory_gb", own, whyNoMemory(cell));
    addNumber(record, "memory_reduction_pct", reduction, own ? whyNoBase : whyNoMemory(cell));
}

ProfileRecord float8Record(const VitokRun& run, const CellSummary& cell)
{
    const CellSummary* bf16 = run.baselineOf(cell);
    const PictureFigures pictures =
        picturesAgainstReference(run.data, run.analysis, cell, kFloat8Outputs);
    const std::string outputs =
        fmt::format("of {} outputs; the script has {}", pictures.pictures, kFloat8Outputs);
    const auto bf16Seconds = bf16 == nullptr ? std::nullopt : run.seconds(*bf16);
    const Json nan = hasNan(cell);
    ProfileRecord record(run.configName(cell));
    record.set(kRecordName, record.name());
    addNumber(record, "ssim_between_modes", pictures.ssim, cell, pictures.reason, outputs);
    addNumber(record, "max_abs_diff", pictures.maximumDifference, cell, pictures.reason, outputs);
    const Json bf16Nan = bf16 == nullptr ? Json() : hasNan(*bf16);
    record.set("bf16_has_nan", bf16Nan, bf16Nan.is_null() ? whyNoBaseline(bf16) : "");
    record.set("float8_has_nan", nan, nan.is_null() ? whyNoFigures(cell) : "");
    addNumber(record, "bf16_latency_ms", inMilliseconds(bf16Seconds), whyNoBaseline(bf16),
              kWallClock);
    addNumber(record, "float8_latency_ms", inMilliseconds(run.seconds(cell)), cell, "no samples",
              kWallClock);
    addNumber(record, "speedup", run.speedup(cell), cell,
              bf16Seconds ? "the bf16 cell was measured in another environment"
                          : whyNoBaseline(bf16),
              "legacy: ratio of means, without an interval");
    addFloat8Memory(record, cell, bf16);
    addFlops(record, cell, "total_gflops");
    if (pictures.ssim && !nan.is_null())
        record.set("passed", *pictures.ssim >= kPassingSsim && nan == false,
                   "SSIM of at least 0.99 and no NaN, " + outputs);
    else
        record.missing("passed", cell.measured ? pictures.reason : whyNoFigures(cell));
    return record;
}

ProfileTable float8Table(const VitokRun& run)
{
    ProfileTable table{.file = "float8_inference.json",
                       .fields = {kRecordName, "ssim_between_modes", "max_abs_diff", "bf16_has_nan",
                                  "float8_has_nan", "bf16_latency_ms", "float8_latency_ms",
                                  "speedup", "bf16_peak_memory_gb", "float8_peak_memory_gb",
                                  "memory_reduction_pct", "encoder_gflops", "decoder_gflops",
                                  "total_gflops", "passed"}};
    for (const CellSummary* cell : profiledCells(run.analysis)) {
        if (isFloat8(cell->cell->config))
            table.records.push_back(float8Record(run, *cell));
    }
    return table;
}

Result<ProfileContent> vitokContent(const RunData& data, const Analysis& analysis)
{
    QS_TRY(const VitokRun run, vitokRun(data, analysis));
    return ProfileContent{{benchmarkTable(run), float8Table(run), vitokEvaluation(run)},
                          {printedTable(run)}};
}

}  // namespace

ExportProfile vitokProfile()
{
    return {"vitok-benchmark", "ViTok benchmark",
            "The files of ViTok's compile and INT8 benchmark, its float8 test and its evaluation "
            "of autoencoders",
            vitokContent};
}

}  // namespace qs::core
