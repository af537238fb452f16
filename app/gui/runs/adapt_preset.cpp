#include "app/gui/runs/adapt_preset.h"

#include <algorithm>
#include <string>

namespace qs::app {

namespace {

using Devices = std::vector<core::DeviceDescription>;

bool isHere(const Devices& devices, const std::string& id)
{
    return std::any_of(devices.begin(), devices.end(),
                       [&](const auto& device) { return device.id == id; });
}

std::string bestOf(const Devices& devices)
{
    const auto gpu = std::find_if(devices.begin(), devices.end(), [](const auto& device) {
        return device.kind == core::DeviceKind::Cuda;
    });
    return gpu == devices.end() ? "cpu" : gpu->id;
}

}  // namespace

core::Preset adaptPreset(core::Preset preset, const Devices& devices)
{
    if (!isHere(devices, preset.defaults.device))
        preset.defaults.device = bestOf(devices);
    for (core::Axis& axis : preset.axes) {
        if (axis.name == "device")
            std::erase_if(axis.values, [&](const std::string& id) { return !isHere(devices, id); });
    }
    std::erase_if(preset.axes, [](const core::Axis& axis) {
        return axis.name == "device" && axis.values.empty();
    });
    return preset;
}

}  // namespace qs::app
