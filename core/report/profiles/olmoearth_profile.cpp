#include "core/report/profiles/olmoearth_profile.h"

#include "core/model/olmoearth/variant.h"
#include "core/report/profiles/profile_cells.h"
#include "core/sweep/olmoearth/run_name.h"
#include "core/sweep/olmoearth/run_params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace qs::core {

namespace {

constexpr double kMetresPerPixel = 10.0;
constexpr double kMetresPerKilometre = 1000.0;
constexpr std::string_view kFamily = "olmoearth:";
constexpr const char* kOtherModel = "the model is no OlmoEarth encoder (olmoearth:SIZE/MODALITIES)";
constexpr const char* kMean =
    "legacy: a mean of all samples, by the clock of the device where there is one: the benchmark "
    "divides wall clock, which holds its launches, too; this program's own figures are medians";

// What the run parameters of a cell would be, and what they do not tell.
struct CellParameters {
    olmoearth::RunParams run;
    std::optional<olmoearth::Variant> variant;  // nothing for another model

    // Of one sample; nothing for another model.
    [[nodiscard]] std::optional<std::int64_t> tokens() const
    {
        if (!variant || run.patchSize < 1)
            return std::nullopt;
        const std::int64_t side = run.imageSize / run.patchSize;
        return side * side * run.timesteps * variant->bandsets();
    }
};

CellParameters parametersOf(const PlannedCell& cell)
{
    CellConfig config = cell.config;
    config.model = cell.modelName();
    CellParameters parameters{olmoearth::runParamsOf(config), std::nullopt};
    if (config.model.starts_with(kFamily)) {
        const auto variant = olmoearth::parseVariant(config.model.substr(kFamily.size()));
        if (variant.ok())
            parameters.variant = variant.value();
    }
    return parameters;
}

void addWhat(ProfileRecord& record, const RunData& data, const CellSummary& cell,
             const CellParameters& parameters)
{
    const CellConfig& config = cell.cell->config;
    const DeviceDescription* device = measuredDevice(data, cell);
    record.set("GPU_TYPE", parameters.run.gpuType);
    record.set("gpu_name", device == nullptr ? Json() : Json(device->name),
               device == nullptr ? "not measured anywhere yet" : "");
    const bool known = parameters.variant.has_value();
    record.set("MODEL_SIZE", known ? Json(parameters.run.modelSize) : Json(),
               known ? "" : kOtherModel);
    record.set("BF16", parameters.run.bf16);
    const auto size = [&](const char* field, std::int64_t value) {
        record.set(field, value > 0 ? Json(value) : Json(),
                   value > 0 ? "" : "the model has no such size");
    };
    size("IMAGE_SIZE", parameters.run.imageSize);
    size("PATCH_SIZE", parameters.run.patchSize);
    size("NUM_TIMESTEPS", parameters.run.timesteps);
    record.set("BATCH_SIZE", config.batch);
}

void addRates(ProfileRecord& record, const CellSummary& cell, const CellParameters& parameters)
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
        static_cast<double>(parameters.run.imageSize) * kMetresPerPixel / kMetresPerKilometre;
    rate("square_km_per_second", batch * side * side, "the model has no such size");
    rate("pixels_per_second", batch, "", "legacy: samples per second, whatever its name");
}

// `name`: cells may share that of the benchmark, which knows no layers and no rest of a scheme.
ProfileRecord recordOf(const RunData& data, const CellSummary& cell, const std::string& name)
{
    const CellParameters parameters = parametersOf(*cell.cell);
    ProfileRecord record(name);
    addWhat(record, data, cell, parameters);
    addRates(record, cell, parameters);
    record.set("oom_occurred", cell.status == CellStatus::Oom ? 1 : 0);
    record.set("USE_S1", parameters.run.useS1);
    record.set("USE_S2", parameters.run.useS2);
    record.set("USE_LANDSAT", parameters.run.useLandsat);
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
    std::map<std::string, int> cellsOfName;
    const auto nameOf = [](const CellSummary& cell) {
        return olmoearth::runName(parametersOf(*cell.cell).run);
    };
    for (const CellSummary* cell : profiledCells(analysis))
        ++cellsOfName[nameOf(*cell)];
    for (const CellSummary* cell : profiledCells(analysis)) {
        const std::string name = nameOf(*cell);
        const std::string label =
            cellsOfName[name] > 1 ? " (" + analysis.labels.withBatch(*cell->cell) + ")" : "";
        table.records.push_back(recordOf(data, *cell, name + label));
        names += name + label + "\n";
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
