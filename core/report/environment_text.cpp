#include "core/report/environment_text.h"

#include <algorithm>
#include <map>

namespace qs::core {

namespace {

std::string joinedPairs(const std::map<std::string, std::string>& texts)
{
    std::string all;
    for (const auto& [name, value] : texts)
        all += (all.empty() ? "" : ", ") + name + " = " + value;
    return all;
}

std::string deviceOf(const Environment& environment, const std::string& uuid)
{
    for (const DeviceDescription& device : environment.devices) {
        if (device.uuid == uuid)
            return device.id;
    }
    return "GPU";
}

}  // namespace

// A computer has one driver for all of its GPUs, of which parts (MIG) have other ids.
std::string driverVersion(const Environment& environment, const DeviceDescription& device)
{
    const std::vector<GpuSettings>& all = environment.gpuSettings;
    if (device.kind != DeviceKind::Cuda || all.empty())
        return {};
    const auto own = std::find_if(
        all.begin(), all.end(), [&](const GpuSettings& each) { return each.uuid == device.uuid; });
    return own == all.end() ? all.front().driver : own->driver;
}

std::string deviceLine(const Environment& environment, const DeviceDescription& device)
{
    const std::string line = device.id + " " + device.name;
    if (const std::string version = driverVersion(environment, device); !version.empty())
        return line + ", driver " + version;
    return line + (device.driver.empty() ? "" : ", " + device.driver);
}

std::vector<std::string> environmentLines(const Environment& environment)
{
    std::vector<std::string> lines;
    const auto add = [&](const std::string& topic, const std::string& text) {
        if (!text.empty())
            lines.push_back(topic + ": " + text);
    };
    add("Commit", environment.commit);
    add("cuDNN", environment.cudnn);
    if (environment.engineThreads > 0)
        add("CPU threads per operation, unless a cell sets OMP_NUM_THREADS",
            std::to_string(environment.engineThreads));
    add("Processor", cpuSettingsText(environment.cpuSettings));
    for (const GpuSettings& settings : environment.gpuSettings)
        add(deviceOf(environment, settings.uuid) + " (" + settings.uuid + ")",
            gpuSettingsText(settings));
    add("Compiled with", joinedPairs(environment.compiler));
    add("PyTorch flags", joinedPairs(environment.numerics));
    add("Environment variables", joinedPairs(environment.variables));
    return lines;
}

}  // namespace qs::core
