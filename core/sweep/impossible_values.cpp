#include "core/sweep/impossible_values.h"
#include "core/quant/checked_model.h"

#include "core/model/family_registry.h"
#include "core/model/fed_model.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/expand.h"
#include "core/sweep/preset_axes.h"
#include "core/sweep/validity.h"

#include <algorithm>
#include <optional>

namespace qs::core {

namespace {

// Those of its axis, or the default.
std::vector<std::string> valuesOf(const Preset& preset, const std::string& name)
{
    const Axis* axis = findAxis(preset, name);
    return axis != nullptr ? axis->values
                           : std::vector<std::string>{memberText(preset.defaults, name)};
}

// Beside what editors offer, what the preset has; of the sizes those of the model and of the
// preset.
std::map<std::string, std::vector<std::string>> candidates(const Preset& preset,
                                                           const ModelFamily& family)
{
    std::map<std::string, std::vector<std::string>> values;
    for (const AxisSpec& axis : axisSpecs()) {
        const bool isSize = findKnownSize(axis.name) != nullptr;
        const bool wanted = isSize ? findAxis(preset, axis.name) != nullptr ||
                                         family.workload().findSize(axis.name) != nullptr
                                   : axis.offered || axis.name == "layers" || axis.name == "batch";
        if (!wanted)
            continue;
        auto& known = values[axis.name];
        if (axis.offered)
            known = axis.offered(family.stages().size());
        for (const std::string& value : valuesOf(preset, axis.name)) {
            if (std::find(known.begin(), known.end(), value) == known.end())
                known.push_back(value);
        }
    }
    return values;
}

// A cell that runs wherever anything does, but for the one value.
CellConfig probeOf(const CellConfig& defaults, const ModelFamily& family, const std::string& axis,
                   const std::string& value)
{
    CellConfig cell = qualityReferenceOf(defaults);
    // A filter, and quantizing, are judged by the scheme that multiplies layers of every size.
    if (axis == "layers" || axis == "workload")
        cell.precision = {"int8wo"};
    if (family.stages().front().program) {
        cell.precision = {std::string(kAsPackaged)};
        cell.compile = kAsPackaged;
    }
    cell.attention = CellConfig().attention;
    cell.batch = family.workload().batches.lowest;
    static_cast<void>(setMember(cell, axis, value));  // a half-typed value stays the default
    return cell;
}

std::optional<Note> reasonFor(const CellConfig& cell, const Model& model,
                              const DeviceDescription& device)
{
    const auto recipe = makeRecipe(*model.family, cell.precision, cell.layers);
    return recipe.ok() ? whyImpossible(cell, model, recipe.value(), device)
                       : remark(recipe.error().message);
}

// The defaults, with the smallest value of each size that is swept and has none: what makes another
// value impossible must not make all of them so.
CellConfig smallestOf(const Preset& preset, const ModelFamily& family)
{
    CellConfig cell = preset.defaults;
    for (const SizeSpec& size : family.workload().sizes) {
        if (cell.sizes.find(size.name))
            continue;
        std::optional<std::int64_t> smallest;
        for (const std::string& value : valuesOf(preset, size.name)) {
            CellConfig probe;
            if (!value.empty() && setMember(probe, size.name, value).ok())
                smallest = std::min(smallest.value_or(INT64_MAX), probe.sizes.at(size.name));
        }
        if (smallest)
            cell.sizes.set(size.name, *smallest);
    }
    cell.sizes = family.workload().completed(cell.sizes);
    return cell;
}

ValueReasons reasonsOn(const Preset& preset, const Model& model, const DeviceDescription& device)
{
    ValueReasons reasons;
    const CellConfig defaults = smallestOf(preset, *model.family);
    for (const auto& [axis, values] : candidates(preset, *model.family)) {
        for (const std::string& value : values) {
            const CellConfig probe = probeOf(defaults, *model.family, axis, value);
            if (const auto reason = reasonFor(probe, model, device))
                reasons[axis].emplace(value, *reason);
        }
    }
    return reasons;
}

// What the other lacks can run there.
void keepCommon(ValueReasons& reasons, const ValueReasons& other)
{
    for (auto& [axis, values] : reasons) {
        const auto found = other.find(axis);
        std::erase_if(values, [&](const auto& entry) {
            return found == other.end() || !found->second.contains(entry.first);
        });
    }
    std::erase_if(reasons, [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace

ValueReasons impossibleValues(const Preset& preset, const PlanOptions& options)
{
    std::optional<ValueReasons> common;
    const std::vector<std::string> ids = valuesOf(preset, "device");
    for (const std::string& reference : valuesOf(preset, "model")) {
        ModelInspection seen =
            inspectCheckedModel(reference, options.resourceFolder, preset.defaults.seed);
        if (seen.family == nullptr)
            continue;
        Model model;
        model.family = std::move(seen.family);
        if (!feedModel(model, preset.feeding).ok())
            continue;  // said by whoever plans
        for (const DeviceDescription& device : options.devices) {
            if (std::find(ids.begin(), ids.end(), device.id) == ids.end())
                continue;
            const ValueReasons here = reasonsOn(preset, model, device);
            if (common)
                keepCommon(*common, here);
            else
                common = here;
        }
    }
    return common.value_or(ValueReasons{});
}

}  // namespace qs::core
