#include "core/report/profiles/vitok_evaluation.h"

#include "core/model/image_inputs.h"
#include "core/report/profiles/profile_cells.h"
#include "core/report/profiles/vitok_figures.h"

namespace qs::core {

namespace {

constexpr std::string_view kVitokFamily = "vitok:";
constexpr const char* kForeignNetwork = "needs a network of its own";

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
    const auto milliseconds = inMilliseconds(run.seconds(cell));
    const auto perImage =
        milliseconds ? std::optional(*milliseconds / imagesPerPass(cell)) : std::nullopt;
    const auto times = run.times.find(cell.cellId);
    const auto total =
        times == run.times.end()
            ? std::nullopt
            : std::optional(times->second.mean() * static_cast<double>(times->second.count()));
    addNumber(record, "total_time_sec", total, cell, "no samples", "of the timed passes");
    addNumber(record, "throughput_img_per_sec", run.imagesPerSecond(cell), cell, "no samples");
    const std::string& model = cell.cell->modelName();
    if (model.starts_with(kVitokFamily))
        record.set("variant", model.substr(kVitokFamily.size()));
    else
        record.missing("variant", "the model is no ViTok autoencoder");
    const std::int64_t window = cell.cell->config.sizes.find(kAttentionWindow).value_or(0);
    if (window > 0)
        record.set("swa_window", window, "by a mask over the tokens, in every block");
    else
        record.missing("swa_window", "attention has no sliding window");
    addNumber(record, "avg_batch_latency_ms", milliseconds, cell, "no samples",
              "legacy: a mean; warm-up passes are not in it");
    addNumber(record, "avg_img_latency_ms", perImage, cell, "no samples",
              "legacy: a mean over the nominal batch");
}

ProfileRecord evaluatedRecord(const VitokRun& run, const CellSummary& cell)
{
    const CellConfig& config = cell.cell->config;
    ProfileRecord record(run.configName(cell));
    record.set(kRecordName, record.name());
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

}  // namespace

ProfileTable vitokEvaluation(const VitokRun& run)
{
    ProfileTable table{.file = "eval_vae.json",
                       .fields = {kRecordName,
                                  "fid",
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

}  // namespace qs::core
