#include "core/base/json.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/files.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

Result<Json> readJsonFile(const FilePlace& place, const JsonLimits& limits)
{
    QS_TRY(const std::string text, readTextFile(place, limits.bytes));
    QS_TRY(Json json, parseJson(text, place.string(), limits));
    return cleanTexts(std::move(json), text);
}

std::string jsonText(const Json& json, int indent)
{
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string canonicalText(const Json& json)
{
    // nlohmann::json keeps object members sorted by key.
    return jsonText(json);
}

std::string formatIssues(const std::vector<JsonIssue>& issues)
{
    std::string text;
    for (const JsonIssue& issue : issues)
        text += (text.empty() ? "" : "\n") +
                cleanLine(excerpt(issue.path) + ": " + withShortQuotes(issue.message));
    return text;
}

JsonFields::JsonFields(const Json& json, std::string path, std::vector<JsonIssue>& issues)
    : m_json(&json), m_path(std::move(path)), m_issues(issues), m_isObject(json.is_object())
{
    if (!m_isObject)
        m_issues.push_back({m_path, std::string("expected an object, found ") + json.type_name()});
}

std::string JsonFields::pathOf(std::string_view name) const
{
    return m_path + "." + std::string(name);
}

const Json* JsonFields::find(std::string_view name)
{
    if (!m_isObject)
        return nullptr;
    const auto found = m_json->find(name);
    if (found == m_json->end())
        return nullptr;
    const Json* member = &*found;
    if (std::find(m_known.begin(), m_known.end(), member) == m_known.end())
        m_known.push_back(member);
    return member;
}

const Json* JsonFields::require(std::string_view name)
{
    const Json* json = find(name);
    if (json == nullptr && m_isObject)
        complain(name, "is missing");
    return json;
}

std::string JsonFields::text(std::string_view name, std::string fallback)
{
    const Json* json = find(name);
    if (json == nullptr)
        return fallback;
    if (!json->is_string()) {
        complain(name, std::string("expected a string, found ") + json->type_name());
        return fallback;
    }
    return json->get<std::string>();
}

bool JsonFields::flag(std::string_view name, bool fallback)
{
    const Json* json = find(name);
    if (json == nullptr)
        return fallback;
    if (!json->is_boolean()) {
        complain(name, std::string("expected true or false, found ") + json->type_name());
        return fallback;
    }
    return json->get<bool>();
}

std::int64_t JsonFields::integer(std::string_view name, std::int64_t fallback, std::int64_t lowest,
                                 std::int64_t highest)
{
    const Json* json = find(name);
    if (json == nullptr)
        return fallback;
    if (!json->is_number_integer() ||
        (json->is_number_unsigned() &&
         json->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) ||
        json->get<std::int64_t>() < lowest || json->get<std::int64_t>() > highest) {
        complain(name, "expected an integer from " + std::to_string(lowest) + " to " +
                           std::to_string(highest) + ", found " + excerpt(jsonText(*json)));
        return fallback;
    }
    return json->get<std::int64_t>();
}

double JsonFields::number(std::string_view name, double fallback, double lowest, double highest)
{
    const Json* json = find(name);
    if (json == nullptr)
        return fallback;
    // Written so that NaN, which JSON made in memory can hold, is out of range.
    if (!json->is_number() || !(json->get<double>() >= lowest && json->get<double>() <= highest)) {
        complain(name, "expected a number from " + jsonText(lowest) + " to " + jsonText(highest) +
                           ", found " + excerpt(jsonText(*json)));
        return fallback;
    }
    return json->get<double>();
}

std::vector<std::string> JsonFields::textList(std::string_view name)
{
    std::vector<std::string> list;
    const Json* json = find(name);
    if (json == nullptr)
        return list;
    if (!json->is_array()) {
        complain(name, std::string("expected a list of strings, found ") + json->type_name());
        return list;
    }
    list.reserve(json->size());
    for (std::size_t i = 0; i < json->size(); ++i) {
        if ((*json)[i].is_string())
            list.push_back((*json)[i].get<std::string>());
        else
            m_issues.push_back({pathOf(name) + "[" + std::to_string(i) + "]",
                                std::string("expected a string, found ") + (*json)[i].type_name()});
    }
    return list;
}

void JsonFields::complain(std::string_view name, std::string message)
{
    m_issues.push_back({pathOf(name), std::move(message)});
}

void JsonFields::finish()
{
    if (!m_isObject || m_known.size() == m_json->size())
        return;
    for (const auto& [name, value] : m_json->items()) {
        if (std::find(m_known.begin(), m_known.end(), &value) == m_known.end())
            complain(name, "is not a known member");
    }
}

}  // namespace qs::core
