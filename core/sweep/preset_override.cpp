#include "core/base/text_parts.h"
#include "core/sweep/axis.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/preset.h"
#include "core/sweep/preset_axes.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

namespace {

Error refusal(const std::string& assignment, const std::string& why)
{
    return {ErrorCode::InvalidArgument, "\"" + assignment + "\": " + why};
}

// The value of "axis=value" as it would stand in a preset. A JSON list says everything, also what
// holds commas.
Result<Json> axisJson(const std::string& name, const std::string& value)
{
    if (value.starts_with('['))
        return parseJson(value, name);
    if (isWholeNumberAxis(name)) {
        if (normalValue(name, value).ok())
            return Json(std::stoll(value));
        return Json(value);
    }
    const AxisSpec* axis = findAxisSpec(name);
    const bool isList = axis == nullptr || !axis->holdsCommas;
    return isList ? Json(splitOutsideBraces(value, ',')) : Json::array({value});
}

bool isLinked(const Preset& preset, const std::string& name)
{
    return std::any_of(preset.linked.begin(), preset.linked.end(), [&](const LinkedAxes& group) {
        return std::find(group.begin(), group.end(), name) != group.end();
    });
}

void replaceAxis(Preset& preset, const std::string& name, std::vector<std::string> values)
{
    for (Axis& axis : preset.axes) {
        if (axis.name == name) {
            axis.values = std::move(values);
            return;
        }
    }
    preset.axes.push_back({name, std::move(values)});
}

Status overrideAxis(Preset& preset, const std::string& name, const std::string& value)
{
    QS_TRY(const Json json, axisJson(name, value));
    std::vector<JsonIssue> issues;
    std::vector<std::string> values = axisValuesFromJson(name, json, "$.axes." + name, issues);
    if (!issues.empty())
        return Error{ErrorCode::InvalidArgument, formatIssues(issues)};
    if (values.size() == 1 && !isLinked(preset, name)) {
        // One value is no axis: it becomes the value of every cell, the default cell included.
        QS_RETURN_IF_ERROR(setMember(preset.defaults, name, values.front()));
        std::erase_if(preset.axes, [&](const Axis& axis) { return axis.name == name; });
        return {};
    }
    replaceAxis(preset, name, std::move(values));
    return {};
}

// The place of a dotted name in the JSON form; null if there is none. Limits of phases need not be
// there yet.
Json* settingIn(Json& root, const std::string& name)
{
    Json* place = &root;
    std::size_t start = 0;
    while (start <= name.size()) {
        const std::size_t end = std::min(name.find('.', start), name.size());
        const std::string part = name.substr(start, end - start);
        const bool isPhaseLimit = name.starts_with("measurement.phase_limit_seconds.");
        if (!place->is_object() || (!place->contains(part) && !isPhaseLimit))
            return nullptr;
        place = &(*place)[part];
        start = end + 1;
    }
    return place;
}

// `value` as the type that the setting has now; texts need no quotes.
Result<Json> typedValue(const Json& current, const std::string& value)
{
    if (current.is_string())
        return Json(value);
    return parseJson(value, "value");
}

Status overrideSetting(Preset& preset, const std::string& name, const std::string& value)
{
    Json json = toJson(preset);
    Json* setting = settingIn(json, name);
    if (setting == nullptr || setting->is_structured())
        return Error{ErrorCode::InvalidArgument, "no such axis or setting"};
    QS_TRY(*setting, typedValue(*setting, value));
    std::vector<JsonIssue> issues;
    Preset changed = presetFromJson(json, issues);
    if (!issues.empty())
        return Error{ErrorCode::InvalidArgument, formatIssues(issues)};
    preset = std::move(changed);
    return {};
}

// "2.5:USD"; nothing takes a price away.
Status overridePrice(Preset& preset, const std::string& value)
{
    if (value.empty()) {
        preset.price = {};
        return {};
    }
    QS_TRY(preset.price, parsePrice(value));
    return {};
}

Status applyOne(Preset& preset, const std::string& assignment)
{
    const std::size_t sign = assignment.find('=');
    if (sign == std::string::npos || sign == 0)
        return refusal(assignment, "expected name=value, such as batch=1,4,16 or rounds=3");
    const std::string name = assignment.substr(0, sign);
    const std::string value = assignment.substr(sign + 1);
    const Status status = name == "price"    ? overridePrice(preset, value)
                          : isAxisName(name) ? overrideAxis(preset, name, value)
                                             : overrideSetting(preset, name, value);
    if (!status.ok())
        return refusal(assignment, status.error().message);
    return {};
}

}  // namespace

Status applyOverrides(Preset& preset, const std::vector<std::string>& assignments)
{
    Preset changed = preset;
    for (const std::string& assignment : assignments)
        QS_RETURN_IF_ERROR(applyOne(changed, assignment));
    std::vector<JsonIssue> issues;
    checkLinks(changed, issues);
    if (!issues.empty())
        return Error{ErrorCode::InvalidArgument, formatIssues(issues)};
    preset = std::move(changed);
    return {};
}

Status applyOverride(Preset& preset, const std::string& assignment)
{
    return applyOverrides(preset, {assignment});
}

}  // namespace qs::core
