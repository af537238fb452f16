#include "core/report/environment_text.h"

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
        add("CPU threads per operation", std::to_string(environment.engineThreads));
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
