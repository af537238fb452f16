#include "core/sweep/sensitivity_preset.h"

#include "core/base/text_parts.h"
#include "core/quant/recipe.h"

#include <algorithm>
#include <string>
#include <vector>

namespace qs::core {

namespace {

// "decoder_blocks.3.ffn.fc1" -> "decoder_blocks.3": up to the number of the block.
std::string blockOf(const std::string& module, std::int64_t block)
{
    const std::string number = std::to_string(block);
    const std::vector<std::string> parts = splitAt(module, '.');
    std::string path;
    for (const std::string& part : parts) {
        path += (path.empty() ? "" : ".") + part;
        if (part == number)
            return path;
    }
    return module;  // numbered otherwise: the layer stands for itself
}

std::vector<std::string> filtersOf(const ModelFamily& family, const Recipe& recipe,
                                   SensitivityUnit unit)
{
    std::vector<std::string> filters;
    for (const LayerRow& row : layerTable(family, recipe)) {
        if (!row.quantized())
            continue;
        const LayerPlace place = family.layerPlace(row.stage, row.module);
        const std::string path = unit == SensitivityUnit::Block && place.block >= 0
                                     ? blockOf(row.module, place.block)
                                     : row.module;
        std::string filter = "only:" + path;
        if (std::find(filters.begin(), filters.end(), filter) == filters.end())
            filters.push_back(std::move(filter));
    }
    return filters;
}

// The values of an axis, or the one of the defaults.
std::vector<std::string> precisionsOf(const Preset& preset)
{
    for (const Axis& axis : preset.axes) {
        if (axis.name == "precision")
            return axis.values;
    }
    return {precisionText(preset.defaults)};
}

}  // namespace

Result<Preset> sensitivityPreset(const Preset& preset, const ModelFamily& family,
                                 SensitivityUnit unit)
{
    for (const std::string& precision : precisionsOf(preset)) {
        QS_TRY(const Recipe recipe,
               makeRecipe(family, splitAt(precision, '/'), preset.defaults.layers));
        std::vector<std::string> filters = filtersOf(family, recipe, unit);
        if (filters.empty())
            continue;
        filters.insert(filters.begin(), preset.defaults.layers);
        Preset sensitivity = preset;
        sensitivity.mode = SweepMode::Cross;
        std::erase_if(sensitivity.axes, [](const Axis& axis) {
            return axis.name == "precision" || axis.name == "layers";
        });
        sensitivity.defaults.precision = splitAt(precision, '/');
        sensitivity.axes.push_back({"layers", std::move(filters)});
        return sensitivity;
    }
    return Error{ErrorCode::InvalidArgument, "no precision of the preset quantizes a layer"};
}

}  // namespace qs::core
