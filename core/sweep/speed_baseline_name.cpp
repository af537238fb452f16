#include "core/sweep/speed_baseline_name.h"

#include "core/quant/scheme.h"

#include <algorithm>

namespace qs::core {

namespace {

constexpr std::string_view kEagerEnd = "-eager";
constexpr std::string_view kSameCompileEnd = "-same-compile";
constexpr std::string_view kBestStart = "best-";

std::vector<std::string> knownNames()
{
    std::vector<std::string> names{"best-bf16", "bf16-eager", "bf16-same-compile",
                                   std::string(kSameEager)};
    for (const Scheme& scheme : offeredSchemes()) {
        if (quantizesWeights(scheme) || scheme->ofPrograms || scheme.text() == "bf16")
            continue;
        names.push_back(scheme.text() + std::string(kEagerEnd));
        names.push_back(std::string(kBestStart) + scheme.text());
        names.push_back(scheme.text() + std::string(kSameCompileEnd));
    }
    return names;
}

}  // namespace

const std::vector<std::string>& speedBaselineNames()
{
    static const std::vector<std::string> names = knownNames();
    return names;
}

bool isSpeedBaselineName(std::string_view text)
{
    const auto& names = speedBaselineNames();
    return std::find(names.begin(), names.end(), text) != names.end();
}

std::optional<std::string> eagerPrecision(std::string_view text)
{
    if (!text.ends_with(kEagerEnd) || text == kSameEager || !isSpeedBaselineName(text))
        return std::nullopt;
    return std::string(text.substr(0, text.size() - kEagerEnd.size()));
}

std::optional<std::string> sameCompilePrecision(std::string_view text)
{
    if (!text.ends_with(kSameCompileEnd) || !isSpeedBaselineName(text))
        return std::nullopt;
    return std::string(text.substr(0, text.size() - kSameCompileEnd.size()));
}

std::optional<std::string> bestPrecision(std::string_view text)
{
    if (!text.starts_with(kBestStart) || !isSpeedBaselineName(text))
        return std::nullopt;
    return std::string(text.substr(kBestStart.size()));
}

std::string speedBaselineList()
{
    std::string list;
    for (const std::string& name : speedBaselineNames())
        list += (list.empty() ? "" : ", ") + name;
    return list;
}

}  // namespace qs::core
