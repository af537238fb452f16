#include "core/record/output_quality.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace qs::core {

namespace {

constexpr int kMostSamples = 100'000;
constexpr int kMostPixels = 1 << 24;
constexpr std::size_t kMostFigures = 100;
constexpr std::size_t kLongestName = 100;  // bytes

std::string requiredName(JsonFields& fields, std::string_view name)
{
    static_cast<void>(fields.requiredMember(name));
    return fields.text(name);
}

int requiredInteger(JsonFields& fields, std::string_view name, int highest)
{
    static_cast<void>(fields.requiredMember(name));
    return static_cast<int>(fields.integer(name, 0, 0, highest));
}

void readFigures(JsonFields& fields, OutputQuality& quality)
{
    const JsonView* figures = fields.requiredMember("figures");
    if (figures == nullptr)
        return;
    if (!figures->isObject() || figures->size() > kMostFigures) {
        fields.complain("figures", "expected an object of at most " + std::to_string(kMostFigures) +
                                       " numbers by name");
        return;
    }
    figures->forEachMember([&](std::string_view name, const JsonView& value) {
        const auto number = value.number();
        if (name.size() > kLongestName || !number || !std::isfinite(*number))
            fields.complain("figures", "\"" + std::string(name.substr(0, kLongestName)) +
                                           "\" is not a finite number");
        else
            quality.figures.push_back({std::string(name), *number});
    });
}

WorstTile tileFromJson(const JsonView& json, const std::string& path,
                       std::vector<JsonIssue>& issues)
{
    JsonFields fields(json, path, issues);
    WorstTile tile;
    tile.x = requiredInteger(fields, "x", kMostPixels);
    tile.y = requiredInteger(fields, "y", kMostPixels);
    static_cast<void>(fields.requiredMember("ssim"));
    tile.ssim = fields.number("ssim", 1.0, -DBL_MAX, DBL_MAX);
    fields.finish();
    return tile;
}

}  // namespace

std::optional<double> OutputQuality::find(std::string_view metric) const
{
    const auto found = std::find_if(figures.begin(), figures.end(),
                                    [&](const Figure& figure) { return figure.metric == metric; });
    return found == figures.end() ? std::nullopt : std::optional(found->value);
}

void OutputQuality::set(std::string_view metric, const std::optional<double>& value)
{
    std::erase_if(figures, [&](const Figure& figure) { return figure.metric == metric; });
    if (value && std::isfinite(*value))
        figures.push_back({std::string(metric), *value});
}

Json toJson(const OutputQuality& quality)
{
    Json figures = Json::object();
    for (const OutputQuality::Figure& figure : quality.figures)
        figures[figure.metric] = figure.value;
    Json json{{"cell", quality.cellId},           {"environment", quality.environmentId},
              {"reference", quality.referenceId}, {"sample", quality.sample},
              {"identical", quality.identical},   {"figures", std::move(figures)}};
    if (quality.worstTile)
        json["worst_tile"] = {{"x", quality.worstTile->x},
                              {"y", quality.worstTile->y},
                              {"ssim", quality.worstTile->ssim}};
    return json;
}

Result<OutputQuality> outputQualityFromJson(const JsonView& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$quality", issues);
    OutputQuality quality;
    quality.cellId = requiredName(fields, "cell");
    quality.environmentId = requiredName(fields, "environment");
    quality.referenceId = requiredName(fields, "reference");
    quality.sample = requiredInteger(fields, "sample", kMostSamples);
    static_cast<void>(fields.requiredMember("identical"));
    static_cast<void>(fields.has("type"));
    quality.identical = fields.flag("identical", false);
    readFigures(fields, quality);
    if (const JsonView* tile = fields.member("worst_tile"))
        quality.worstTile = tileFromJson(*tile, fields.pathOf("worst_tile"), issues);
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return quality;
}

}  // namespace qs::core
