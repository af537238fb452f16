#include "core/report/profiles/vitok_profile.h"

#include "core/model/image_inputs.h"
#include "core/report/markdown_text.h"
#include "core/report/profiles/profile_cells.h"
#include "core/report/profiles/vitok_run.h"

#include <fmt/format.h>

#include <limits>

namespace qs::core {

namespace {

constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;
constexpr double kGiga = 1e9;
constexpr double kMilli = 1e3;
constexpr double kPassingSsim = 0.99;  // of test_float8_inference.py

constexpr const char* kWallClock =
    "wall clock of all samples of all rounds, as the script times; this program's own figures are "
    "medians, by the clock of the device where there is one";
constexpr const char* kLegacyDeviation = "legacy: divided by n, over samples of all rounds";
constexpr const char* kNoStages = "the plan knows no encoder and decoder of the cell";
constexpr const char* kNoAllocator = "a CPU has no allocator that counts";
constexpr const char* kForeignNetwork = "needs a network of its own";

std::optional<double> scaled(const std::optional<double>& value, double factor)
{
    return value ? std::optional(*value * factor) : std::nullopt;
}

std::optional<double> gibibytes(const std::optional<std::int64_t>& bytes)
{
    return bytes ? std::optional(static_cast<double>(*bytes) / kGibibyte) : std::nullopt;
}

std::string_view whyNoMemory(const CellSummary& cell)
{
    return cell.cell->config.device == "cpu" ? kNoAllocator : "the memory self-test did not pass";
}

double imagesPerPass(const CellSummary& cell)
{
    return static_cast<double>(cell.cell->config.batch);
}

// Of the FLOPs of a pass.
std::optional<double> gigaflopsPerImage(const CellSummary& cell, double flops)
{
    if (flops <= 0.0)
        return std::nullopt;
    return flops / imagesPerPass(cell) / kGiga;
}

// The value, or why there is none: `why` of a cell that was measured.
void addNumber(ProfileRecord& record, const char* field, const std::optional<double>& value,
               const CellSummary& cell, std::string_view why, std::string_view remark = {})
{
    if (value)
        record.number(field, value, remark);
    else
        record.missing(field, cell.measured ? std::string(why) : whyNoFigures(cell));
}

ProfileRecord benchmarkRecord(const VitokRun& run, const CellSummary& cell)
{
    ProfileRecord record(run.configName(cell));
    record.set("config", record.name());
    addNumber(record, "mean_latency_ms", scaled(run.seconds(cell), kMilli), cell, "no samples",
              kWallClock);
    const auto times = run.times.find(cell.cellId);
    addNumber(record, "std_latency_ms",
              times == run.times.end() ? std::nullopt
                                       : scaled(populationDeviation(times->second), kMilli),
              cell, "no samples", kLegacyDeviation);
    addNumber(record, "throughput_img_per_sec", run.imagesPerSecond(cell), cell, "no samples");
    addNumber(record, "peak_memory_gb", gibibytes(cell.memory.allocatedPeak), cell,
              whyNoMemory(cell), "GiB, from compiling to the last sample");
    record.missing("outputs", "decoded patches lie in the run, as .npy below cells/");
    const PictureFigures& pictures = run.againstReference.at(cell.cellId);
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

// The table that the script prints.
ProfileText printedTable(const VitokRun& run)
{
    const auto text = [](const std::optional<double>& value, const char* form) {
        return value ? fmt::format(fmt::runtime(form), *value) : std::string("–");
    };
    MarkdownTable table({"Config", "Latency (ms)", "Std", "Throughput", "Memory (GB)", "Speedup"});
    double best = std::numeric_limits<double>::infinity();
    std::string bestConfig;
    for (const CellSummary* cell : profiledCells(run.analysis)) {
        const auto seconds = run.seconds(*cell);
        const std::string config = run.configName(*cell);
        const auto times = run.times.find(cell->cellId);
        table.add(
            {config, text(scaled(seconds, kMilli), "{:.2f}"),
             text(times == run.times.end() ? std::nullopt
                                           : scaled(populationDeviation(times->second), kMilli),
                  "{:.2f}"),
             text(run.imagesPerSecond(*cell), "{:.2f}"),
             text(gibibytes(cell->memory.allocatedPeak), "{:.2f}"),
             text(run.speedup(*cell), "{:.2f}x")});
        if (seconds && *seconds < best) {
            best = *seconds;
            bestConfig = config;
        }
    }
    return {"benchmark_results.md",
            table.text() + "\nBest config: " +
                (bestConfig.empty()
                     ? std::string("none was measured")
                     : fmt::format("{} ({:.2f} ms)", markdownText(bestConfig), best * kMilli)) +
                "\n"};
}

bool isFloat8(const CellConfig& config)
{
    return precisionText(config).find("float8") != std::string::npos;
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
    addNumber(record, "bf16_peak_memory_gb", base, cell, whyNoMemory(cell));
    addNumber(record, "float8_peak_memory_gb", own, cell, whyNoMemory(cell));
    addNumber(record, "memory_reduction_pct", reduction, cell, whyNoMemory(cell));
}

void addFlops(ProfileRecord& record, const CellSummary& cell, const char* total)
{
    const std::vector<double>& stages = cell.cell->stageFlops;
    const auto add = [&](const char* field, double flops, const char* why) {
        const auto value = gigaflopsPerImage(cell, flops);
        record.number(field, value,
                      value ? "of the graph, a multiplication and an addition as two" : why);
    };
    const bool both = stages.size() == 2;
    add("encoder_gflops", both ? stages[0] : 0.0, kNoStages);
    add("decoder_gflops", both ? stages[1] : 0.0, kNoStages);
    add(total, cell.cell->flops, "not known");
}

ProfileRecord float8Record(const VitokRun& run, const CellSummary& cell)
{
    const CellSummary* bf16 = run.baselineOf(cell);
    const PictureFigures& pictures = run.againstReference.at(cell.cellId);
    const auto bf16Seconds = bf16 == nullptr ? std::nullopt : run.seconds(*bf16);
    const Json nan = hasNan(cell);
    ProfileRecord record(run.configName(cell));
    addNumber(record, "ssim_between_modes", pictures.ssim, cell, pictures.reason);
    addNumber(record, "max_abs_diff", pictures.maximumDifference, cell, pictures.reason);
    const Json bf16Nan = bf16 == nullptr ? Json() : hasNan(*bf16);
    record.set("bf16_has_nan", bf16Nan, bf16Nan.is_null() ? "no bf16 cell was measured" : "");
    record.set("float8_has_nan", nan, nan.is_null() ? whyNoFigures(cell) : "");
    addNumber(record, "bf16_latency_ms", scaled(bf16Seconds, kMilli), cell,
              "no bf16 cell was measured", kWallClock);
    addNumber(record, "float8_latency_ms", scaled(run.seconds(cell), kMilli), cell, "no samples",
              kWallClock);
    addNumber(record, "speedup", run.speedup(cell), cell, "no bf16 cell was measured",
              "legacy: ratio of means, without an interval");
    addFloat8Memory(record, cell, bf16);
    addFlops(record, cell, "total_gflops");
    if (pictures.ssim && !nan.is_null())
        record.set("passed", *pictures.ssim >= kPassingSsim && nan == false,
                   "SSIM of at least 0.99 and no NaN");
    else
        record.missing("passed", cell.measured ? pictures.reason : whyNoFigures(cell));
    return record;
}

ProfileTable float8Table(const VitokRun& run)
{
    ProfileTable table{.file = "float8_inference.json",
                       .fields = {"ssim_between_modes", "max_abs_diff", "bf16_has_nan",
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

// "all" and "mlp" are scopes of the script; it has no others.
Json float8Scope(const std::string& layers)
{
    if (layers == "all")
        return "all";
    return layers == "mlp" ? Json("mlp_only") : Json();
}

void addEvaluated(ProfileRecord& record, const VitokRun& run, const CellSummary& cell)
{
    const PictureFigures& pictures = run.againstInput.at(cell.cellId);
    record.missing("fid", kForeignNetwork);
    record.missing("fdd", kForeignNetwork);
    addNumber(record, "ssim", pictures.ssim, cell, pictures.reason);
    addNumber(record, "psnr", pictures.psnr, cell, pictures.reason);
    record.set("model", cell.cell->config.model);
    record.set("samples", pictures.pictures,
               pictures.pictures == 0 ? std::string_view(pictures.reason) : std::string_view());
    record.set("max_size", cell.cell->config.imageSize());
    const PictureSettings& settings = run.data.plan.preset.pictures;
    if (settings.crop == PictureCrop::Center)
        record.set("crop_style", "adm_center");
    else
        record.missing("crop_style", "padded to a square, which the script does not do");
    record.set("data", settings.source);
}

void addEvaluatedTimes(ProfileRecord& record, const VitokRun& run, const CellSummary& cell)
{
    const auto milliseconds = scaled(run.seconds(cell), kMilli);
    const auto times = run.times.find(cell.cellId);
    const auto total =
        times == run.times.end()
            ? std::nullopt
            : std::optional(times->second.mean() * static_cast<double>(times->second.count()));
    addNumber(record, "total_time_sec", total, cell, "no samples", "of the timed passes");
    addNumber(record, "throughput_img_per_sec", run.imagesPerSecond(cell), cell, "no samples");
    const std::string& model = cell.cell->config.model;
    const std::size_t colon = model.find(':');
    if (colon == std::string::npos)
        record.missing("variant", "the model is no named variant");
    else
        record.set("variant", model.substr(colon + 1));
    const std::int64_t window = cell.cell->config.sizes.find(kAttentionWindow).value_or(0);
    if (window > 0)
        record.set("swa_window", window, "by a mask over the tokens, in every block");
    else
        record.missing("swa_window", "attention has no sliding window");
    addNumber(record, "avg_batch_latency_ms", milliseconds, cell, "no samples",
              "legacy: a mean; warm-up passes are not in it");
    addNumber(record, "avg_img_latency_ms", scaled(milliseconds, 1.0 / imagesPerPass(cell)), cell,
              "no samples", "legacy: a mean over the nominal batch");
}

ProfileRecord evaluatedRecord(const VitokRun& run, const CellSummary& cell)
{
    const CellConfig& config = cell.cell->config;
    ProfileRecord record(run.configName(cell));
    addEvaluated(record, run, cell);
    addEvaluatedTimes(record, run, cell);
    record.set("batch_size", config.batch);
    record.set("compiled", config.compile.find("inductor") != std::string::npos);
    const bool float8 = isFloat8(config);
    record.set("float8_mode", float8 ? Json(precisionText(config)) : Json(),
               float8 ? "" : "not a float8 cell");
    const Json scope = float8 ? float8Scope(config.layers) : Json();
    record.set("float8_scope", scope,
               !scope.is_null() ? ""
               : float8         ? "the script has no such filter"
                                : "not a float8 cell");
    addNumber(record, "memory_allocated_gb",
              cell.memory.allocatedPeak && cell.memory.weightsResident > 0
                  ? gibibytes(cell.memory.weightsResident)
                  : std::nullopt,
              cell, whyNoMemory(cell), "GiB, the weights");
    addNumber(record, "memory_reserved_gb", gibibytes(cell.memory.reservedPeak), cell,
              whyNoMemory(cell), "GiB, the peak");
    addNumber(record, "memory_max_gb", gibibytes(cell.memory.allocatedPeak), cell,
              whyNoMemory(cell), "GiB");
    addFlops(record, cell, "total_gflops_per_img");
    return record;
}

ProfileTable evaluatedTable(const VitokRun& run)
{
    ProfileTable table{.file = "eval_vae.json",
                       .fields = {"fid",
                                  "fdd",
                                  "ssim",
                                  "psnr",
                                  "model",
                                  "samples",
                                  "max_size",
                                  "crop_style",
                                  "data",
                                  "total_time_sec",
                                  "throughput_img_per_sec",
                                  "variant",
                                  "swa_window",
                                  "avg_batch_latency_ms",
                                  "avg_img_latency_ms",
                                  "batch_size",
                                  "compiled",
                                  "float8_mode",
                                  "float8_scope",
                                  "memory_allocated_gb",
                                  "memory_reserved_gb",
                                  "memory_max_gb",
                                  "encoder_gflops",
                                  "decoder_gflops",
                                  "total_gflops_per_img"}};
    for (const CellSummary* cell : profiledCells(run.analysis))
        table.records.push_back(evaluatedRecord(run, *cell));
    return table;
}

Result<ProfileContent> vitokContent(const RunData& data, const Analysis& analysis)
{
    QS_TRY(const VitokRun run, vitokRun(data, analysis));
    return ProfileContent{{benchmarkTable(run), float8Table(run), evaluatedTable(run)},
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
