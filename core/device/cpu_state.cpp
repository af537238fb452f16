#include "core/device/cpu_state.h"

#include "core/base/files.h"
#include "core/device/control_groups.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <set>
#include <sstream>

namespace qs::core {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kCpuFileLimit = std::uint64_t{64} << 10U;
constexpr int kMostCores = 1 << 16;
// Less is what a desktop does by itself.
constexpr double kQuietCores = 0.5;
constexpr double kQuietShare = 0.1;

// The first line of a file of the kernel; empty if there is none.
std::string firstLine(const fs::path& file)
{
    const auto text = readTextFile(file, kCpuFileLimit);
    return text.ok() ? text.value().substr(0, text.value().find('\n')) : std::string();
}

// A finite number at the beginning of the text.
std::optional<double> leadingNumber(const std::string& text)
{
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

// A file that holds 0 or 1.
std::optional<bool> flagIn(const fs::path& file)
{
    const std::string line = firstLine(file);
    if (line != "0" && line != "1")
        return std::nullopt;
    return line == "1";
}

std::string governors(const fs::path& frequencies)
{
    std::set<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(frequencies, error), end; !error && entry != end;
         entry.increment(error)) {
        if (!entry->path().filename().string().starts_with("policy"))
            continue;
        if (std::string name = firstLine(entry->path() / "scaling_governor"); !name.empty())
            names.insert(std::move(name));
    }
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : ", ") + name;
    return all;
}

std::optional<bool> turboState(const fs::path& processors)
{
    if (const auto off = flagIn(processors / "intel_pstate/no_turbo"))
        return !*off;
    if (const auto on = flagIn(processors / "cpufreq/boost"))
        return on;
    return flagIn(processors / "cpufreq/policy0/boost");
}

// A whole number that is all of the text; -1 if it is none.
int coreNumber(std::string_view text)
{
    int number = -1;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && rest == end && number < kMostCores ? number : -1;
}

// How many numbers a list such as "0-3,8,10-11" names; 0 if it is no such list.
int countOf(const std::string& list)
{
    int count = 0;
    std::istringstream ranges(list);
    for (std::string range; std::getline(ranges, range, ',');) {
        const auto dash = range.find('-');
        const int first = coreNumber(range.substr(0, dash));
        const int last = dash == std::string::npos ? first : coreNumber(range.substr(dash + 1));
        if (first < 0 || last < first)
            return 0;
        count = std::min(count + last - first + 1, kMostCores);
    }
    return count;
}

int allowedCores(const fs::path& root)
{
    const auto status = readTextFile(root / "proc/self/status", kCpuFileLimit);
    std::istringstream lines(status.ok() ? status.value() : std::string());
    constexpr std::string_view kKey = "Cpus_allowed_list:";
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(kKey))
            continue;
        const auto begin = line.find_first_not_of(" \t", kKey.size());
        return begin == std::string::npos ? 0 : countOf(line.substr(begin));
    }
    return countOf(firstLine(root / "sys/devices/system/cpu/online"));
}

std::optional<double> coresOf(const std::string& quota, const std::string& period)
{
    const auto time = leadingNumber(quota);  // "max" and -1 stand for no limit
    const auto every = leadingNumber(period);
    if (!time || !every || *time <= 0.0 || *every <= 0.0)
        return std::nullopt;
    return *time / *every;
}

// What one control group allows, in either version of the interface.
std::optional<double> quotaOf(const fs::path& group)
{
    const std::string both = firstLine(group / "cpu.max");  // "150000 100000"
    if (const auto space = both.find(' '); space != std::string::npos)
        return coresOf(both.substr(0, space), both.substr(space + 1));
    return coresOf(firstLine(group / "cpu.cfs_quota_us"), firstLine(group / "cpu.cfs_period_us"));
}

// The tightest limit on the way up.
std::optional<double> quota(const fs::path& root)
{
    std::optional<double> tightest;
    for (const fs::path& group : controlGroupFolders(root, "cpu")) {
        if (const auto cores = quotaOf(group))
            tightest = std::min(tightest.value_or(*cores), *cores);
    }
    return tightest;
}

std::string oneDigit(double value)
{
    std::array<char, 32> text{};
    const double tenths = std::round(value * 10.0);
    if (std::fmod(tenths, 10.0) == 0.0)
        return std::to_string(std::llround(value));
    const int length =
        std::snprintf(text.data(), text.size(), "%lld.%lld", static_cast<long long>(tenths) / 10,
                      static_cast<long long>(tenths) % 10);
    return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

Json toJson(const CpuSettings& settings)
{
    Json json = Json::object();
    if (!settings.governor.empty())
        json["governor"] = settings.governor;
    if (settings.turbo)
        json["turbo"] = *settings.turbo;
    if (settings.smt)
        json["smt"] = *settings.smt;
    if (settings.quotaCores)
        json["quota_cores"] = *settings.quotaCores;
    return json;
}

Result<CpuSettings> cpuSettingsFromJson(const Json& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$cpu_settings", issues);
    CpuSettings settings;
    settings.governor = fields.text("governor");
    if (fields.find("turbo") != nullptr)
        settings.turbo = fields.flag("turbo", false);
    if (fields.find("smt") != nullptr)
        settings.smt = fields.flag("smt", false);
    if (fields.find("quota_cores") != nullptr)
        settings.quotaCores = fields.number("quota_cores", 0.0, 0.0, kMostCores);
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return settings;
}

std::string cpuSettingsText(const CpuSettings& settings)
{
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (!settings.governor.empty())
        add("governor " + settings.governor);
    if (settings.turbo)
        add(std::string("turbo ") + (*settings.turbo ? "on" : "off"));
    if (settings.smt)
        add(std::string("SMT ") + (*settings.smt ? "on" : "off"));
    if (settings.quotaCores)
        add("may use " + oneDigit(*settings.quotaCores) + " cores");
    return text;
}

CpuState readCpuState(const fs::path& root)
{
    const fs::path processors = root / "sys/devices/system/cpu";
    CpuState state;
    state.settings.governor = governors(processors / "cpufreq");
    state.settings.turbo = turboState(processors);
    state.settings.smt = flagIn(processors / "smt/active");
    state.settings.quotaCores = quota(root);
    state.cores = allowedCores(root);
    if (const auto load = leadingNumber(firstLine(root / "proc/loadavg")); load && *load >= 0.0)
        state.busyCores = load;
    return state;
}

std::vector<Note> reasonsNotQuiet(const CpuState& state)
{
    std::vector<Note> reasons;
    const CpuSettings& settings = state.settings;
    const double cores = state.cores;
    if (!settings.governor.empty() && settings.governor != "performance")
        reasons.push_back({NoteCode::GovernorNotPerformance, {settings.governor}});
    if (settings.turbo.value_or(false))
        reasons.push_back({NoteCode::TurboOn});
    if (state.cores > 0 && state.busyCores &&
        *state.busyCores > std::max(kQuietCores, kQuietShare * state.cores))
        reasons.push_back({NoteCode::CoresBusy, {*state.busyCores, cores}});
    if (state.cores > 0 && settings.quotaCores && *settings.quotaCores < state.cores)
        reasons.push_back({NoteCode::CpuQuota, {*settings.quotaCores, cores}});
    return reasons;
}

}  // namespace qs::core
