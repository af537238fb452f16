#include "core/record/environment_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace qs::core {

namespace {

std::string joined(const std::map<std::string, std::string>& texts)
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

// "/gpu_settings/0/power_limit_w" -> "gpu settings 0 power limit w"
std::string words(std::string pointer)
{
    std::replace(pointer.begin(), pointer.end(), '/', ' ');
    std::replace(pointer.begin(), pointer.end(), '_', ' ');
    return pointer.substr(std::min<std::size_t>(1, pointer.size()));
}

std::string valueText(const Json& flat, const std::string& key)
{
    const auto found = flat.find(key);
    if (found == flat.end() || found->is_null())
        return {};
    return found->is_string()
               ? found->get<std::string>()
               : found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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
        add("Threads of an operation on the CPU", std::to_string(environment.engineThreads));
    add("Processor", cpuSettingsText(environment.cpuSettings));
    for (const GpuSettings& settings : environment.gpuSettings)
        add(deviceOf(environment, settings.uuid) + " (" + settings.uuid + ")",
            gpuSettingsText(settings));
    add("PyTorch's switches", joined(environment.numerics));
    add("Variables", joined(environment.variables));
    return lines;
}

std::vector<EnvironmentDifference> environmentDifferences(const Environment& first,
                                                          const Environment& second)
{
    const Json flatFirst = toJson(first).flatten();
    const Json flatSecond = toJson(second).flatten();
    std::set<std::string> members;
    for (const Json* flat : {&flatFirst, &flatSecond}) {
        for (const auto& [key, value] : flat->items())
            members.insert(key);
    }
    std::vector<EnvironmentDifference> differences;
    for (const std::string& member : members) {
        const std::string one = valueText(flatFirst, member);
        const std::string other = valueText(flatSecond, member);
        if (one != other)
            differences.push_back({words(member), one, other});
    }
    return differences;
}

}  // namespace qs::core
