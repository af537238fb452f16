#include "core/device/gpu_settings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace qs::core {

namespace {

constexpr double kHighestClockMegahertz = 1e6;
constexpr double kHighestWatts = 1e6;

// Where each number lies in the file, in which bounds.
struct NumberMember {
    const char* name;
    std::optional<double> GpuSettings::*member;
    double highest;
};
constexpr std::array<NumberMember, 3> kNumbers{
    {{"max_sm_clock_mhz", &GpuSettings::maxSmClockMegahertz, kHighestClockMegahertz},
     {"power_limit_w", &GpuSettings::powerLimitWatts, kHighestWatts},
     {"default_power_limit_w", &GpuSettings::defaultPowerLimitWatts, kHighestWatts}}};

constexpr std::array<std::pair<const char*, std::optional<bool> GpuSettings::*>, 3> kFlags{
    {{"ecc", &GpuSettings::ecc},
     {"mig", &GpuSettings::mig},
     {"persistence", &GpuSettings::persistence}}};

constexpr std::array<std::pair<const char*, std::string GpuSettings::*>, 2> kTexts{
    {{"driver", &GpuSettings::driver}, {"clocks", &GpuSettings::clocks}}};

std::string number(double value)
{
    return std::to_string(std::lround(value));
}

}  // namespace

Json toJson(const GpuSettings& settings)
{
    Json json{{"uuid", settings.uuid}};
    for (const auto& [name, member] : kTexts) {
        if (!(settings.*member).empty())
            json[name] = settings.*member;
    }
    for (const NumberMember& each : kNumbers) {
        if (settings.*each.member)
            json[each.name] = *(settings.*each.member);
    }
    for (const auto& [name, member] : kFlags) {
        if (settings.*member)
            json[name] = *(settings.*member);
    }
    return json;
}

Result<GpuSettings> gpuSettingsFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$gpu_settings", issues);
    GpuSettings settings;
    static_cast<void>(fields.require("uuid"));
    settings.uuid = fields.text("uuid");
    for (const auto& [name, member] : kTexts)
        settings.*member = fields.text(name);
    for (const NumberMember& each : kNumbers) {
        if (fields.find(each.name) != nullptr)
            settings.*each.member = fields.number(each.name, 0.0, 0.0, each.highest);
    }
    for (const auto& [name, member] : kFlags) {
        if (fields.find(name) != nullptr)
            settings.*member = fields.flag(name, false);
    }
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return settings;
}

std::string gpuSettingsText(const GpuSettings& settings)
{
    std::vector<std::string> parts;
    if (!settings.driver.empty())
        parts.push_back("driver " + settings.driver);
    if (!settings.clocks.empty())
        parts.push_back(settings.clocks == "default" ? "default clocks"
                        : settings.clocks == "set"   ? "clocks are set"
                                                     : settings.clocks);
    if (settings.maxSmClockMegahertz)
        parts.push_back("SM clock up to " + number(*settings.maxSmClockMegahertz) + " MHz");
    if (settings.powerLimitWatts) {
        const double limit = *settings.powerLimitWatts;
        const bool lowered = settings.defaultPowerLimitWatts.value_or(limit) != limit;
        parts.push_back("power limit " + number(limit) + " W" +
                        (lowered ? " (default " + number(*settings.defaultPowerLimitWatts) + " W)"
                                 : std::string()));
    }
    constexpr std::array<const char*, kFlags.size()> kWords{"ECC", "MIG", "persistence"};
    for (std::size_t i = 0; i < kFlags.size(); ++i) {
        if (const auto& flag = settings.*kFlags[i].second)
            parts.push_back(std::string(kWords[i]) + (*flag ? " on" : " off"));
    }
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : ", ") + part;
    return text;
}

}  // namespace qs::core
