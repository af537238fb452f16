#include "core/sweep/cell_member.h"

#include "core/base/sha256.h"
#include "core/model/family_registry.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/worker_variables.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace qs::core {

namespace {

constexpr std::size_t kLongestText = 1000;  // bytes
constexpr const char* kPrecision = "precision";
constexpr const char* kEnvironment = "env";

Error invalid(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message)};
}

const AxisSpec& axisSpec(std::string_view name)
{
    const AxisSpec* axis = findAxisSpec(name);
    QS_ASSERT(axis != nullptr);
    return *axis;
}

Result<std::string> normalNumber(const AxisSpec& axis, std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < axis.lowest ||
        value > axis.highest)
        return invalid("expected an integer from " + std::to_string(axis.lowest) + " to " +
                       std::to_string(axis.highest) + ", found \"" +
                       std::string(text.substr(0, 60)) + "\"");
    return std::to_string(value);
}

// The stages of the family that an object with one scheme for each stage speaks of: the first one
// with a stage of one of these names, else the first with several stages.
std::vector<std::string> stagesNamedBy(JsonFields& fields)
{
    const std::vector<std::string>* fallback = nullptr;
    for (const FamilySpec& family : familyRegistry().specs()) {
        const auto& stages = family.stages;
        if (stages.size() > 1 && fallback == nullptr)
            fallback = &stages;
        if (std::any_of(stages.begin(), stages.end(),
                        [&](const std::string& stage) { return fields.has(stage); }))
            return stages;
    }
    return fallback == nullptr ? std::vector<std::string>() : *fallback;
}

// "bf16/int8dq"; texts that are equal stay, they are made one later.
std::string joined(const std::vector<std::string>& schemes)
{
    std::string text;
    for (std::size_t i = 0; i < schemes.size(); ++i)
        text += (i == 0 ? "" : "/") + schemes[i];
    return text;
}

// Those that are named; the usual ones if none is.
void readSizes(JsonFields& fields, CellConfig& cell)
{
    Sizes named;
    for (const SizeSpec& size : knownSizes()) {
        if (fields.has(size.name))
            named.set(size.name, fields.integer(size.name, size.fallback,
                                                axisSpec(size.name).lowest, INT32_MAX));
    }
    if (!named.empty() || fields.text("sizes") == "none")
        cell.sizes = named;
}

}  // namespace

const std::vector<std::string>& axisNames()
{
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        for (const AxisSpec& axis : axisSpecs())
            names.push_back(axis.name);
        return names;
    }();
    return kNames;
}

bool isAxisName(std::string_view name)
{
    return findAxisSpec(name) != nullptr;
}

bool isWholeNumberAxis(std::string_view name)
{
    const AxisSpec* axis = findAxisSpec(name);
    return axis != nullptr && axis->wholeNumber;
}

Result<std::string> normalValue(std::string_view name, std::string_view text)
{
    const AxisSpec& axis = axisSpec(name);
    if (axis.wholeNumber)
        return normalNumber(axis, text);
    if (text.empty())
        return invalid("is empty");
    if (text.size() > kLongestText)
        return invalid("is longer than " + std::to_string(kLongestText) + " bytes");
    const auto isControl = [](char letter) {
        const auto code = static_cast<unsigned char>(letter);
        return code < 0x20 || code == 0x7f;
    };
    if (std::any_of(text.begin(), text.end(), isControl))
        return invalid("contains a control character");
    return axis.normal ? axis.normal(text) : std::string(text);
}

Result<std::vector<std::string>> listedValues(std::string_view name, std::string_view text)
{
    const AxisSpec& axis = axisSpec(name);
    std::vector<std::string> values{std::string(text)};
    if (axis.listed) {
        QS_TRY(values, axis.listed(text));
    }
    for (std::string& value : values) {
        QS_TRY(value, normalValue(name, value));
    }
    return values;
}

std::string memberText(const CellConfig& cell, std::string_view name)
{
    return axisSpec(name).text(cell);
}

Status setMember(CellConfig& cell, std::string_view name, std::string_view text)
{
    QS_TRY(const std::string value, normalValue(name, text));
    axisSpec(name).set(cell, value);
    return {};
}

std::string weightsKey(const CellConfig& cell)
{
    std::string key;
    for (const AxisSpec& axis : axisSpecs()) {
        if (axis.ofWeights)
            key += axis.text(cell) + "|";
    }
    return key;
}

Json toJson(const CellConfig& cell)
{
    Json json = Json::object();
    for (const AxisSpec& axis : axisSpecs()) {
        const std::string text = axis.text(cell);
        if ((axis.wholeNumber && text.empty()) || text == axis.usual)
            continue;
        if (axis.wholeNumber)
            json[axis.name] = std::stoll(text);
        else
            json[axis.name] = text;
    }
    if (cell.sizes.empty())
        json["sizes"] = "none";
    return json;
}

std::string cellId(const CellConfig& cell, const std::string& modelContentId, int rerun,
                   const std::string& calibration)
{
    std::string id = sha256Hex(
        canonicalText(Json{{"configuration", toJson(cell)}, {"model_content", modelContentId}}));
    if (!calibration.empty())
        id = sha256Hex(id + ":calibration " + calibration);
    return rerun == 0 ? id : sha256Hex(id + ":rerun" + std::to_string(rerun));
}

std::string cellKey(const CellConfig& cell)
{
    std::string key;
    for (const AxisSpec& axis : axisSpecs())
        key += axis.text(cell) + '\n';
    return key;
}

std::optional<std::string> valueFromJson(std::string_view name, const JsonView& json,
                                         const std::string& path, std::vector<JsonIssue>& issues)
{
    if (name == kEnvironment)
        return variablesFromJson(json, path, issues);
    const std::size_t issuesBefore = issues.size();
    std::string text;
    if (const auto written = json.text()) {
        text = *written;
    } else if (name != kPrecision) {
        issues.push_back({path, std::string("expected a string, found ") + json.typeName()});
    } else if (json.isObject()) {
        JsonFields fields(json, path, issues);
        std::vector<std::string> schemes;
        for (const std::string& stage : stagesNamedBy(fields)) {
            static_cast<void>(fields.requiredMember(stage));
            schemes.push_back(fields.text(stage));
        }
        text = joined(schemes);
        fields.finish();
    } else {
        issues.push_back(
            {path, std::string("expected a string or an object with one scheme per stage, found ") +
                       json.typeName()});
    }
    if (issues.size() != issuesBefore)
        return std::nullopt;
    const Result<std::string> value = normalValue(name, text);
    if (!value.ok()) {
        issues.push_back({path, value.error().message});
        return std::nullopt;
    }
    return value.value();
}

CellConfig cellFromJson(const JsonView& json, const std::string& path,
                        std::vector<JsonIssue>& issues)
{
    CellConfig cell{.model = "?", .precision = {"bf16"}};
    JsonFields fields(json, path, issues);
    static_cast<void>(fields.requiredMember("model"));
    for (const AxisSpec& axis : axisSpecs()) {
        const JsonView* value = axis.wholeNumber ? nullptr : fields.member(axis.name);
        if (value == nullptr)
            continue;
        if (const auto text = valueFromJson(axis.name, *value, fields.pathOf(axis.name), issues))
            axis.set(cell, *text);
    }
    readSizes(fields, cell);
    for (const AxisSpec& axis : axisSpecs()) {
        if (!axis.wholeNumber || findKnownSize(axis.name) != nullptr)
            continue;
        const std::int64_t usual = std::stoll(axis.text(cell));
        axis.set(cell, std::to_string(fields.integer(axis.name, usual, axis.lowest, axis.highest)));
    }
    fields.finish();
    return cell;
}

}  // namespace qs::core
