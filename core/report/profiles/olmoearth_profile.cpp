#include "core/report/profiles/olmoearth_profile.h"

#include "core/model/olmoearth/variant.h"
#include "core/report/profiles/profile_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace qs::core {

namespace {

constexpr double kMetresPerPixel = 10.0;
constexpr double kMetresPerKilometre = 1000.0;
constexpr std::string_view kFamily = "olmoearth:";
constexpr const char* kOtherModel =
    "the model is no named OlmoEarth encoder (olmoearth:SIZE/MODALITIES)";
constexpr const char* kMean =
    "legacy: a mean of all samples; this program's own figures are medians";

// What the run parameters of a cell would be.
struct RunParameters {
    std::optional<olmoearth::Variant> variant;
    std::string modelSize;  // "base"; empty without one
    std::int64_t tile = 0;
    std::int64_t patch = 0;
    std::int64_t steps = 0;

    [[nodiscard]] bool sees(std::string_view shortName) const
    {
        const auto& all = olmoearth::modalities();
        return variant && std::any_of(variant->seen.begin(), variant->seen.end(),
                                      [&](std::size_t i) { return all[i].shortName == shortName; });
    }
    // Of one sample; nothing for another model.
    [[nodiscard]] std::optional<std::int64_t> tokens() const
    {
        if (!variant || patch < 1)
            return std::nullopt;
        const std::int64_t side = tile / patch;
        return side * side * steps * variant->bandsets();
    }
};

RunParameters parametersOf(const CellConfig& config)
{
    RunParameters parameters{.variant = {},
                             .modelSize = {},
                             .tile = config.sizes.find("tile_size").value_or(0),
                             .patch = config.sizes.find("patch_size").value_or(0),
                             .steps = config.sizes.find("time_steps").value_or(0)};
    if (!config.model.starts_with(kFamily))
        return parameters;
    const std::string text = config.model.substr(kFamily.size());
    if (const auto variant = olmoearth::parseVariant(text); variant.ok()) {
        parameters.variant = variant.value();
        parameters.modelSize = text.substr(0, text.find('/'));
    }
    return parameters;
}

bool isBf16(const CellConfig& config)
{
    const std::string precision = precisionText(config);
    return precision != "fp32" && precision != "tf32" && precision != "fp16";
}

std::string gpuType(const CellConfig& config)
{
    return config.device.substr(0, config.device.find(':'));
}

// "w8a8", "w8", or the scheme where the script has no name for it; empty for what is not quantized.
std::string int8Mode(const std::string& precision)
{
    if (precision == "int8dq" || precision.starts_with("int8sq"))
        return "w8a8";
    if (precision == "int8wo")
        return "w8";
    const bool plain = precision == "bf16" || precision == "bf16-autocast" || precision == "fp32" ||
                       precision == "tf32" || precision == "fp16";
    return plain ? std::string() : precision;
}

// "base_cuda_bf16_int8_w8a8_max-autotune_s2_is64_ps4_ts12_bs128"
std::string runName(const CellConfig& config, const RunParameters& parameters)
{
    constexpr std::string_view kInductor = "inductor-";
    const std::string precision = precisionText(config);
    const std::string mode = int8Mode(precision);
    std::string name = parameters.modelSize.empty() ? config.model : parameters.modelSize;
    name += "_" + gpuType(config);
    if (isBf16(config))
        name += "_bf16";
    if (!mode.empty())
        name += "_int8_" + mode;
    if (precision.starts_with("int8sq"))
        name += "_smoothq";
    if (!mode.empty())
        name +=
            "_" + (config.compile.starts_with(kInductor) ? config.compile.substr(kInductor.size())
                                                         : config.compile);
    for (const auto& [shortName, part] :
         {std::pair{"s1", "_s1"}, std::pair{"s2", "_s2"}, std::pair{"landsat", "_ls"}})
        name += parameters.sees(shortName) ? part : "";
    return name + fmt::format("_is{}_ps{}_ts{}_bs{}", parameters.tile, parameters.patch,
                              parameters.steps, config.batch);
}

const DeviceDescription* deviceOf(const RunData& data, const CellSummary& cell)
{
    const Environment* environment = data.environment(cell.environmentId);
    if (environment == nullptr)
        return nullptr;
    const auto found = std::find_if(
        environment->devices.begin(), environment->devices.end(),
        [&](const DeviceDescription& each) { return each.id == cell.cell->config.device; });
    return found == environment->devices.end() ? nullptr : &*found;
}

void addWhat(ProfileRecord& record, const RunData& data, const CellSummary& cell,
             const RunParameters& parameters)
{
    const CellConfig& config = cell.cell->config;
    const DeviceDescription* device = deviceOf(data, cell);
    record.set("GPU_TYPE", gpuType(config));
    record.set("gpu_name", device == nullptr ? Json() : Json(device->name),
               device == nullptr ? "not measured anywhere yet" : "");
    const bool known = parameters.variant.has_value();
    record.set("MODEL_SIZE", known ? Json(parameters.modelSize) : Json(), known ? "" : kOtherModel);
    record.set("BF16", isBf16(config));
    const auto size = [&](const char* field, std::int64_t value) {
        record.set(field, value > 0 ? Json(value) : Json(),
                   value > 0 ? "" : "the model has no such size");
    };
    size("IMAGE_SIZE", parameters.tile);
    size("PATCH_SIZE", parameters.patch);
    size("NUM_TIMESTEPS", parameters.steps);
    record.set("BATCH_SIZE", config.batch);
}

void addRates(ProfileRecord& record, const CellSummary& cell, const RunParameters& parameters)
{
    const auto batch = static_cast<double>(cell.cell->config.batch);
    const auto tokens = parameters.tokens();
    const auto seconds = cell.distribution ? std::optional(cell.distribution->mean) : std::nullopt;
    const std::string none = seconds ? "" : whyNoFigures(cell);
    // 0 of a batch: not known, for the reason.
    const auto rate = [&](const char* field, double ofBatch, const std::string& why,
                          std::string_view remark = {}) {
        if (seconds && ofBatch > 0.0)
            record.number(field, ofBatch / *seconds, remark);
        else
            record.missing(field, seconds ? why : none);
    };
    record.set("tokens_per_instance", tokens ? Json(*tokens) : Json(), tokens ? "" : kOtherModel);
    record.set("num_tokens_per_batch", tokens ? Json(*tokens * cell.cell->config.batch) : Json(),
               tokens ? "" : kOtherModel);
    if (seconds)
        record.number("mean_batch_time", seconds, kMean);
    else
        record.missing("mean_batch_time", none);
    rate("mean_batch_token_rate", static_cast<double>(tokens.value_or(0)) * batch, kOtherModel);
    const double side =
        static_cast<double>(parameters.tile) * kMetresPerPixel / kMetresPerKilometre;
    rate("square_km_per_second", batch * side * side, "the model has no such size");
    rate("pixels_per_second", batch, "", "legacy: samples per second, whatever its name");
}

ProfileRecord recordOf(const RunData& data, const CellSummary& cell)
{
    const CellConfig& config = cell.cell->config;
    const RunParameters parameters = parametersOf(config);
    ProfileRecord record(runName(config, parameters));
    addWhat(record, data, cell, parameters);
    addRates(record, cell, parameters);
    record.set("oom_occurred", cell.status == CellStatus::Oom ? 1 : 0);
    record.set("USE_S1", parameters.sees("s1"));
    record.set("USE_S2", parameters.sees("s2"));
    record.set("USE_LANDSAT", parameters.sees("landsat"));
    record.missing("run_url", "no run was logged to a server");
    return record;
}

Result<ProfileContent> olmoearthContent(const RunData& data, const Analysis& analysis)
{
    ProfileTable table{.file = "throughput.csv",
                       .format = ProfileFormat::Csv,
                       .fields = {"GPU_TYPE", "gpu_name", "MODEL_SIZE", "BF16", "IMAGE_SIZE",
                                  "PATCH_SIZE", "NUM_TIMESTEPS", "BATCH_SIZE",
                                  "tokens_per_instance", "num_tokens_per_batch", "mean_batch_time",
                                  "mean_batch_token_rate", "square_km_per_second",
                                  "pixels_per_second", "oom_occurred", "USE_S1", "USE_S2",
                                  "USE_LANDSAT", "run_url"}};
    std::string names;
    for (const CellSummary* cell : profiledCells(analysis)) {
        table.records.push_back(recordOf(data, *cell));
        names += table.records.back().name() + "\n";
    }
    return ProfileContent{{std::move(table)}, {{"run_names.txt", std::move(names)}}};
}

}  // namespace

ExportProfile olmoearthProfile()
{
    return {"olmoearth-throughput", "OlmoEarth throughput",
            "The table of OlmoEarth's throughput benchmark, and the names of its runs line by line",
            olmoearthContent};
}

}  // namespace qs::core
