#include "core/sweep/program_preset.h"

#include "core/base/checks.h"
#include "core/sweep/preset_axes.h"

#include <algorithm>
#include <string>

namespace qs::core {

namespace {

// What it is linked with is free from then on.
void dropAxis(Preset& preset, const std::string& name)
{
    std::erase_if(preset.axes, [&](const Axis& axis) { return axis.name == name; });
    for (LinkedAxes& group : preset.linked)
        std::erase(group, name);
    std::erase_if(preset.linked, [](const LinkedAxes& group) { return group.size() < 2; });
}

bool isFor(ProgramDevice device, const std::string& id)
{
    return (device == ProgramDevice::Cuda) == id.starts_with("cuda");
}

void chooseDevices(Preset& preset, ProgramDevice device)
{
    if (!isFor(device, preset.defaults.device))
        preset.defaults.device = device == ProgramDevice::Cuda ? "cuda:0" : "cpu";
    const Axis* axis = findAxis(preset, "device");
    if (axis != nullptr && !std::all_of(axis->values.begin(), axis->values.end(),
                                        [&](const std::string& id) { return isFor(device, id); }))
        dropAxis(preset, "device");
}

void chooseBatches(Preset& preset, const ModelFamily& program)
{
    const Axis* axis = findAxis(preset, "batch");
    const std::vector<std::string> values =
        axis == nullptr ? std::vector<std::string>{std::to_string(preset.defaults.batch)}
                        : axis->values;
    const auto fits = [&](const std::string& value) {
        return program.checkShape({std::stoll(value), {}}).ok();
    };
    if (std::any_of(values.begin(), values.end(), fits))
        return;
    dropAxis(preset, "batch");
    preset.defaults.batch = program.workload().batches.lowest;
}

}  // namespace

bool isAsPackaged(const Preset& preset)
{
    const Axis* axis = findAxis(preset, "precision");
    const std::vector<std::string> values =
        axis == nullptr ? preset.defaults.precision : axis->values;
    return std::all_of(values.begin(), values.end(),
                       [](const std::string& value) { return value == kAsPackaged; });
}

Preset asPackaged(Preset preset, const ModelFamily& program)
{
    for (const char* name : {"precision", "compile", "layers", "attention"})
        dropAxis(preset, name);
    const CellConfig usual;
    preset.defaults.precision = {std::string(kAsPackaged)};
    preset.defaults.compile = kAsPackaged;
    preset.defaults.layers = usual.layers;
    preset.defaults.attention = usual.attention;
    QS_ASSERT(program.stages().front().program.has_value());
    chooseDevices(preset, program.stages().front().program->device);
    chooseBatches(preset, program);
    return preset;
}

Preset notAsPackaged(Preset preset)
{
    const CellConfig usual;
    if (isAsPackaged(preset)) {
        dropAxis(preset, "precision");
        preset.defaults.precision = usual.precision;
    }
    if (preset.defaults.compile == kAsPackaged)
        preset.defaults.compile = usual.compile;
    return preset;
}

}  // namespace qs::core
