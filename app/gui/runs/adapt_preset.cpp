#include "app/gui/runs/adapt_preset.h"

#include "core/stats/paired_difference.h"

#include <algorithm>
#include <cstdlib>
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

core::Preset quickVariant(core::Preset preset)
{
    constexpr std::size_t kBatches = 2;
    // Fewer could never tell worse outputs from noise.
    constexpr int kImages = 8;
    static_assert(kImages >= core::kFewestPictures);
    constexpr double kSampleSeconds = 1.0;
    for (core::Axis& axis : preset.axes) {
        // Linked axes have as many values as each other.
        const bool linked =
            std::any_of(preset.linked.begin(), preset.linked.end(), [&](const auto& names) {
                return std::find(names.begin(), names.end(), axis.name) != names.end();
            });
        if (axis.name != "batch" || linked || axis.values.size() <= kBatches)
            continue;
        const auto number = [](const std::string& text) { return std::atoll(text.c_str()); };
        std::sort(axis.values.begin(), axis.values.end(),
                  [&](const auto& a, const auto& b) { return number(a) < number(b); });
        axis.values.resize(kBatches);
    }
    preset.name += " (quick)";
    preset.rounds = 1;
    preset.pictures.count = std::min(preset.pictures.count, kImages);
    core::MeasurementSettings& settings = preset.measurement;
    settings.stopping = core::StoppingKind::Noise;
    settings.energySeconds = 0.0;
    settings.minimumSamples = std::min(settings.minimumSamples, 3);
    for (double* seconds : {&settings.minimumWarmupSeconds, &settings.maximumWarmupSeconds,
                            &settings.minimumSampleSeconds, &settings.maximumSampleSeconds})
        *seconds = std::min(*seconds, kSampleSeconds);
    return preset;
}

}  // namespace qs::app
