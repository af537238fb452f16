#include "core/record/output_quality.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
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

std::optional<int> wholeNumberOf(const JsonView& json, int highest)
{
    const auto number = json.wholeNumber();
    return number && *number >= 0 && *number <= highest ? std::optional(static_cast<int>(*number))
                                                        : std::nullopt;
}

// To twelve digits: what is compared are float32 numbers, and the rest is noise that a journal
// would be an eighth longer by.
double written(double figure)
{
    std::array<char, 32> text{};
    const char* const end =
        std::to_chars(text.begin(), text.end(), figure, std::chars_format::general, 12).ptr;
    double rounded = figure;
    std::from_chars(text.begin(), end, rounded);
    return rounded;
}

// Calls take(quality, item) with each item of a list that has one for each output; false is a
// complaint.
template <typename Take>
void readList(JsonFields& fields, std::string_view name, const JsonView& list,
              std::vector<OutputQuality>& qualities, const std::string& expected, Take&& take)
{
    bool fits = list.isList() && list.size() == qualities.size();
    std::size_t at = 0;
    if (fits)
        list.forEachItem([&](const JsonView& item) { fits = take(qualities[at++], item) && fits; });
    if (!fits)
        fields.complain(name, "expected a list with " + expected + " for each of the samples");
}

bool takeTile(OutputQuality& quality, const JsonView& item)
{
    if (item.isNull())
        return true;
    std::vector<double> numbers;
    item.forEachItem([&](const JsonView& part) {
        if (const auto number = part.number(); number && std::isfinite(*number))
            numbers.push_back(*number);
    });
    const auto isPixel = [](double place) {
        return place >= 0.0 && place <= kMostPixels && std::floor(place) == place;
    };
    if (item.size() != 3 || numbers.size() != 3 || !isPixel(numbers[0]) || !isPixel(numbers[1]))
        return false;
    quality.worstTile = WorstTile{
        .x = static_cast<int>(numbers[0]), .y = static_cast<int>(numbers[1]), .ssim = numbers[2]};
    return true;
}

void readFigures(JsonFields& fields, std::vector<OutputQuality>& qualities)
{
    const JsonView* figures = fields.requiredMember("figures");
    if (figures == nullptr)
        return;
    if (!figures->isObject() || figures->size() > kMostFigures) {
        fields.complain("figures", "expected an object of at most " + std::to_string(kMostFigures) +
                                       " lists by name");
        return;
    }
    figures->forEachMember([&](std::string_view name, const JsonView& list) {
        if (name.size() > kLongestName)
            fields.complain("figures",
                            "a name is longer than " + std::to_string(kLongestName) + " bytes");
        else
            readList(fields, "figures", list, qualities, "a finite number or null",
                     [&](OutputQuality& quality, const JsonView& item) {
                         const auto number = item.number();
                         if (number && std::isfinite(*number))
                             quality.figures.push_back({std::string(name), *number});
                         return item.isNull() || (number && std::isfinite(*number));
                     });
    });
}

// One for each of the samples, with nothing but its number.
std::vector<OutputQuality> readSamples(JsonFields& fields)
{
    std::vector<OutputQuality> qualities;
    const JsonView* samples = fields.requiredMember("samples");
    if (samples == nullptr)
        return qualities;
    if (!samples->isList() || samples->size() == 0 || samples->size() > kMostSamples) {
        fields.complain("samples", "expected a list of at most " + std::to_string(kMostSamples) +
                                       " whole numbers");
        return qualities;
    }
    qualities.resize(samples->size());
    readList(fields, "samples", *samples, qualities,
             "a whole number from 0 to " + std::to_string(kMostSamples),
             [](OutputQuality& quality, const JsonView& item) {
                 const auto number = wholeNumberOf(item, kMostSamples);
                 quality.sample = number.value_or(0);
                 return number.has_value();
             });
    return qualities;
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

bool haveSameCells(const OutputQuality& a, const OutputQuality& b)
{
    return a.cellId == b.cellId && a.referenceId == b.referenceId &&
           a.environmentId == b.environmentId;
}

Json toJson(std::span<const OutputQuality> qualities)
{
    Json samples = Json::array();
    Json identical = Json::array();
    Json figures = Json::object();
    Json tiles = Json::array();
    const Json none = Json::array_t(qualities.size());
    bool hasTile = false;
    for (const OutputQuality& quality : qualities) {
        const std::size_t at = samples.size();
        samples.push_back(quality.sample);
        identical.push_back(quality.identical);
        for (const OutputQuality::Figure& figure : quality.figures)
            figures.emplace(figure.metric, none).first.value()[at] = written(figure.value);
        const auto& tile = quality.worstTile;
        tiles.push_back(tile ? Json::array({tile->x, tile->y, written(tile->ssim)}) : Json());
        hasTile |= tile.has_value();
    }
    const OutputQuality& first = qualities.front();
    Json json{{"cell", first.cellId},           {"environment", first.environmentId},
              {"reference", first.referenceId}, {"samples", std::move(samples)},
              {"identical", identical},         {"figures", std::move(figures)}};
    if (hasTile)
        json["worst_tiles"] = std::move(tiles);
    return json;
}

Result<std::vector<OutputQuality>> outputQualitiesFromJson(const JsonView& json)
{
    std::vector<JsonIssue> issues;
    JsonFields fields(json, "$quality", issues);
    std::vector<OutputQuality> qualities = readSamples(fields);
    const OutputQuality named{.cellId = requiredName(fields, "cell"),
                              .environmentId = requiredName(fields, "environment"),
                              .referenceId = requiredName(fields, "reference")};
    for (OutputQuality& quality : qualities) {
        quality.cellId = named.cellId;
        quality.environmentId = named.environmentId;
        quality.referenceId = named.referenceId;
    }
    static_cast<void>(fields.has("type"));
    if (const JsonView* identical = fields.requiredMember("identical"))
        readList(fields, "identical", *identical, qualities, "true or false",
                 [](OutputQuality& quality, const JsonView& item) {
                     quality.identical = item.flag().value_or(false);
                     return item.flag().has_value();
                 });
    readFigures(fields, qualities);
    if (const JsonView* tiles = fields.member("worst_tiles"))
        readList(fields, "worst_tiles", *tiles, qualities, "[x, y, SSIM] or null", takeTile);
    fields.finish();
    if (!issues.empty())
        return Error{ErrorCode::Format, formatIssues(issues)};
    return qualities;
}

}  // namespace qs::core
