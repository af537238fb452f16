#include "core/sweep/preset_axes.h"

#include "core/sweep/axis.h"
#include "core/sweep/cell_member.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <set>

namespace qs::core {

namespace {

std::string indexed(const std::string& path, std::size_t index)
{
    return path + "[" + std::to_string(index) + "]";
}

std::string found(const Json& json)
{
    return std::string(", found ") + json.type_name();
}

std::string knownAxes()
{
    std::string text;
    for (const std::string& name : axisNames())
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

void addValue(const std::string& name, const std::string& text, const std::string& path,
              std::vector<std::string>& values, std::vector<JsonIssue>& issues)
{
    const Result<std::vector<std::string>> listed = listedValues(name, text);
    if (listed.ok())
        values.insert(values.end(), listed.value().begin(), listed.value().end());
    else
        issues.push_back({path, listed.error().message});
}

// A number, or a text in a range dialect.
void addNumbers(const std::string& name, const Json& json, const std::string& path,
                std::vector<std::string>& values, std::vector<JsonIssue>& issues)
{
    if (json.is_number_integer()) {
        addValue(name, jsonText(json), path, values, issues);
    } else if (json.is_string()) {
        const auto numbers = expandRange(json.get<std::string>());
        if (!numbers.ok()) {
            issues.push_back({path, numbers.error().message});
            return;
        }
        for (const std::int64_t number : numbers.value())
            addValue(name, std::to_string(number), path, values, issues);
    } else {
        issues.push_back({path, "expected an integer or a range such as \"1..64 pow2\", found " +
                                    jsonText(json).substr(0, 60)});
    }
}

void addItem(const std::string& name, const Json& json, const std::string& path,
             std::vector<std::string>& values, std::vector<JsonIssue>& issues)
{
    if (isWholeNumberAxis(name)) {
        addNumbers(name, json, path, values, issues);
    } else if (json.is_string()) {
        addValue(name, json.get<std::string>(), path, values, issues);
    } else if (auto text = valueFromJson(name, json, path, issues)) {
        values.push_back(std::move(*text));
    }
}

Exclusion exclusionFromJson(const Json& json, const std::string& path,
                            std::vector<JsonIssue>& issues)
{
    Exclusion exclusion;
    JsonFields fields(json, path, issues);
    exclusion.reason = fields.text("reason");
    const Json* reason = fields.require("reason");
    if (reason != nullptr && reason->is_string() && exclusion.reason.empty())
        fields.complain("reason", "is empty; give the reason for the exclusion");
    if (const Json* match = fields.require("match")) {
        for (const Axis& axis : axesFromJson(*match, fields.pathOf("match"), issues))
            exclusion.match[axis.name] = axis.values;
        if (match->is_object() && match->empty())
            fields.complain("match", "names no axis; it would exclude every cell");
    }
    fields.finish();
    return exclusion;
}

}  // namespace

std::vector<std::string> axisValuesFromJson(const std::string& name, const Json& json,
                                            const std::string& path, std::vector<JsonIssue>& issues)
{
    std::vector<std::string> values;
    if (!json.is_array()) {
        if (isWholeNumberAxis(name))
            addNumbers(name, json, path, values, issues);
        else
            issues.push_back({path, "expected a list" + found(json)});
        return values;
    }
    if (json.empty())
        issues.push_back({path, "has no values; remove the axis to use the default"});
    for (std::size_t i = 0; i < json.size(); ++i)
        addItem(name, json[i], indexed(path, i), values, issues);
    return values;
}

std::vector<Axis> axesFromJson(const Json& json, const std::string& path,
                               std::vector<JsonIssue>& issues)
{
    std::vector<Axis> axes;
    JsonFields fields(json, path, issues);
    for (const std::string& name : axisNames()) {
        if (const Json* values = fields.find(name))
            axes.push_back({name, axisValuesFromJson(name, *values, fields.pathOf(name), issues)});
    }
    if (!fields.isObject())
        return axes;
    for (const auto& [name, values] : json.items()) {
        if (!isAxisName(name))
            fields.complain(name, "is not an axis; the axes are " + knownAxes());
    }
    return axes;
}

std::vector<LinkedAxes> linkedFromJson(const Json& json, const std::string& path,
                                       std::vector<JsonIssue>& issues)
{
    std::vector<LinkedAxes> linked;
    if (!json.is_array()) {
        issues.push_back({path, "expected a list of lists of axis names" + found(json)});
        return linked;
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
        const Json& group = json[i];
        linked.emplace_back();
        if (!group.is_array()) {
            issues.push_back({indexed(path, i), "expected a list of axis names" + found(group)});
            continue;
        }
        for (std::size_t j = 0; j < group.size(); ++j) {
            if (group[j].is_string())
                linked.back().push_back(group[j].get<std::string>());
            else
                issues.push_back({indexed(indexed(path, i), j),
                                  "expected the name of an axis" + found(group[j])});
        }
    }
    return linked;
}

std::vector<Exclusion> exclusionsFromJson(const Json& json, const std::string& path,
                                          std::vector<JsonIssue>& issues)
{
    std::vector<Exclusion> exclusions;
    if (!json.is_array()) {
        issues.push_back({path, "expected a list" + found(json)});
        return exclusions;
    }
    for (std::size_t i = 0; i < json.size(); ++i)
        exclusions.push_back(exclusionFromJson(json[i], indexed(path, i), issues));
    return exclusions;
}

Json axisValuesToJson(const std::string& name, const std::vector<std::string>& values)
{
    Json list = Json::array();
    for (const std::string& value : values) {
        // An editor may hold half-typed values; they are kept as texts rather than lost.
        if (isWholeNumberAxis(name) && normalValue(name, value).ok())
            list.push_back(std::stoll(value));
        else
            list.push_back(value);
    }
    return list;
}

void checkLinks(const Preset& preset, std::vector<JsonIssue>& issues)
{
    std::set<std::string> seen;
    for (std::size_t i = 0; i < preset.linked.size(); ++i) {
        const LinkedAxes& group = preset.linked[i];
        const std::string path = indexed("$.linked", i);
        if (group.size() < 2)
            issues.push_back({path, "needs at least two axes"});
        const Axis* first = group.empty() ? nullptr : findAxis(preset, group.front());
        for (std::size_t j = 0; j < group.size(); ++j) {
            const Axis* axis = findAxis(preset, group[j]);
            if (axis == nullptr)
                issues.push_back({indexed(path, j), "the preset has no axis \"" + group[j] + "\""});
            else if (!seen.insert(group[j]).second)
                issues.push_back({indexed(path, j), "\"" + group[j] + "\" is linked twice"});
            else if (first != nullptr && axis->values.size() != first->values.size())
                issues.push_back({indexed(path, j), "\"" + group[j] + "\" has " +
                                                        std::to_string(axis->values.size()) +
                                                        " values, \"" + first->name + "\" has " +
                                                        std::to_string(first->values.size()) +
                                                        "; linked axes need equally many"});
        }
    }
}

void checkAxes(const Preset& preset, std::vector<JsonIssue>& issues)
{
    std::set<std::string> seen;
    for (const Axis& axis : preset.axes) {
        const std::string path = "$.axes." + axis.name;
        if (!isAxisName(axis.name)) {
            issues.push_back({path, "is not an axis; the axes are " + knownAxes()});
            continue;
        }
        if (!seen.insert(axis.name).second)
            issues.push_back({path, "appears twice"});
        if (axis.values.empty())
            issues.push_back({path, "has no values; remove the axis to use the default"});
        std::vector<std::string> values;
        for (std::size_t i = 0; i < axis.values.size(); ++i)
            addValue(axis.name, axis.values[i], indexed(path, i), values, issues);
    }
    for (std::size_t i = 0; i < preset.exclusions.size(); ++i) {
        for (const auto& [name, values] : preset.exclusions[i].match) {
            if (!isAxisName(name))
                issues.push_back({indexed("$.exclude", i) + ".match." + name,
                                  "is not an axis; the axes are " + knownAxes()});
        }
    }
    checkLinks(preset, issues);
}

const Axis* findAxis(const Preset& preset, const std::string& name)
{
    const auto place = std::find_if(preset.axes.begin(), preset.axes.end(),
                                    [&](const Axis& axis) { return axis.name == name; });
    return place == preset.axes.end() ? nullptr : &*place;
}

}  // namespace qs::core
