#include "core/sweep/calibration_plan.h"

#include "core/base/sha256.h"
#include "core/image/picture_file.h"
#include "core/quant/calibration.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

namespace qs::core {

namespace fs = std::filesystem;

namespace {

// The stages that have a layer with a statistic.
std::set<std::size_t> calibratedStages(const std::vector<LayerRow>& rows)
{
    std::set<std::size_t> stages;
    for (const LayerRow& row : rows) {
        if (row.quantized() && row.scheme->statistic)
            stages.insert(row.stage);
    }
    return stages;
}

// Second moments in float64 cost three times what the layers themselves do.
double passesOf(const Scheme& scheme)
{
    if (!scheme->solver.empty())
        return 4.0;
    const bool counts = scheme->statistic == Statistic::Range &&
                        rangeRuleOf(scheme).method != RangeMethod::Extremes;
    return counts ? 2.0 : 1.0;
}

// Column after column of the weight, some operations each; then what is left of it after each block
// of columns, and the factor of the second moments.
double solvingSeconds(const LayerRow& row, const DeviceDescription& device)
{
    constexpr double kOperationsPerColumn = 10.0;
    const auto in = static_cast<double>(row.inFeatures);
    const auto out = static_cast<double>(row.outFeatures);
    const double flops = 2.0 * in * in * (in + out);
    return in * kOperationsPerColumn * kLaunchSeconds +
           flops / flopsPerSecond(device, DType::Float32, false);
}

}  // namespace

bool calibratesOnInputs(const ModelFamily& family, const Recipe& recipe)
{
    const std::set<std::size_t> stages = calibratedStages(layerTable(family, recipe));
    return std::any_of(stages.begin(), stages.end(), [&](std::size_t stage) {
        return calibrationOf(recipe[stage].scheme).set == CalibrationSet::Inputs;
    });
}

std::string inputContent(const PictureSettings& pictures)
{
    Sha256 hash;
    hash.update(std::to_string(pictures.count) +
                (pictures.crop == PictureCrop::Pad ? " pad" : " center"));
    if (pictures.shipped()) {
        hash.update(" " + pictures.source);
        return hash.hex();
    }
    std::vector<fs::path> files{pictures.source};
    std::error_code error;
    if (fs::is_directory(pictures.source, error)) {
        const auto list = listClassedPictures(pictures.source);
        files = list.ok() ? list.value().files : std::vector<fs::path>{};
        files.resize(std::min(files.size(), static_cast<std::size_t>(pictures.count)));
    }
    for (const fs::path& file : files) {
        const auto content = sha256File(file);
        hash.update(" " + (content.ok() ? content.value() : file.string()));
    }
    return hash.hex();
}

double calibrationSeconds(const ModelFamily& family, const Recipe& recipe,
                          const DeviceDescription& device, double sampleSeconds)
{
    const std::vector<LayerRow> rows = layerTable(family, recipe);
    double seconds = 0.0;
    for (const std::size_t stage : calibratedStages(rows)) {
        const Scheme& scheme = recipe[stage].scheme;
        seconds +=
            static_cast<double>(calibrationOf(scheme).samples) * passesOf(scheme) * sampleSeconds;
    }
    for (const LayerRow& row : rows) {
        if (row.quantized() && !row.scheme->solver.empty())
            seconds += solvingSeconds(row, device);
    }
    return seconds;
}

}  // namespace qs::core
