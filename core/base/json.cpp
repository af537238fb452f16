#include "core/base/json.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/files.h"
#include "core/base/parsed_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace qs::core {

Result<ParsedJson> parseJsonFile(const FilePlace& place, const JsonLimits& limits)
{
    QS_TRY(const std::string text, readTextFile(place, limits.bytes));
    QS_TRY(ParsedJson document, ParsedJson::parse(text, place.string(), limits));
    return cleanTexts(std::move(document), text);
}

Result<Json> readJsonFile(const FilePlace& place, const JsonLimits& limits)
{
    QS_TRY(const ParsedJson document, parseJsonFile(place, limits));
    return document.root().json();
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

JsonFields::JsonFields(const JsonView& json, std::string path, std::vector<JsonIssue>& issues)
    : m_path(std::move(path)), m_issues(issues)
{
    readMembers(json);
}

JsonFields::JsonFields(const JsonView& json, const JsonFields& parent, std::string_view name,
                       std::size_t place, std::vector<JsonIssue>& issues)
    : m_parent(&parent), m_name(name), m_place(place), m_issues(issues)
{
    readMembers(json);
}

void JsonFields::readMembers(const JsonView& json)
{
    m_isObject = json.isObject();
    if (!m_isObject)
        m_issues.push_back({path(), std::string("expected an object, found ") + json.typeName()});
    m_members.reserve(m_isObject ? json.size() : 0);
    json.forEachMember([&](std::string_view name, const JsonView& value) {
        m_members.push_back({name, value});
    });
}

std::string JsonFields::path() const
{
    return m_parent == nullptr ? m_path
                               : m_parent->pathOf(m_name) + "[" + std::to_string(m_place) + "]";
}

std::string JsonFields::pathOf(std::string_view name) const
{
    return path() + "." + std::string(name);
}

const JsonView* JsonFields::member(std::string_view name)
{
    const auto found = std::find_if(m_members.begin(), m_members.end(),
                                    [&](const Member& each) { return each.name == name; });
    if (found == m_members.end())
        return nullptr;
    found->isKnown = true;
    return &found->value;
}

const JsonView* JsonFields::requiredMember(std::string_view name)
{
    const JsonView* json = member(name);
    if (json == nullptr && m_isObject)
        complain(name, "is missing");
    return json;
}

const Json* JsonFields::find(std::string_view name)
{
    const JsonView* json = member(name);
    QS_ASSERT(json == nullptr || json->inMemory() != nullptr);
    return json == nullptr ? nullptr : json->inMemory();
}

const Json* JsonFields::require(std::string_view name)
{
    static_cast<void>(requiredMember(name));
    return find(name);
}

std::string JsonFields::text(std::string_view name, std::string fallback)
{
    const JsonView* json = member(name);
    if (json == nullptr)
        return fallback;
    if (const auto text = json->text())
        return std::string(*text);
    complain(name, std::string("expected a string, found ") + json->typeName());
    return fallback;
}

bool JsonFields::flag(std::string_view name, bool fallback)
{
    const JsonView* json = member(name);
    if (json == nullptr)
        return fallback;
    const auto flag = json->flag();
    if (!flag)
        complain(name, std::string("expected true or false, found ") + json->typeName());
    return flag.value_or(fallback);
}

std::int64_t JsonFields::integer(std::string_view name, std::int64_t fallback, std::int64_t lowest,
                                 std::int64_t highest)
{
    const JsonView* json = member(name);
    if (json == nullptr)
        return fallback;
    const auto number = json->wholeNumber();
    if (number && *number >= lowest && *number <= highest)
        return *number;
    complain(name, "expected an integer from " + std::to_string(lowest) + " to " +
                       std::to_string(highest) + ", found " + excerpt(jsonText(json->json())));
    return fallback;
}

double JsonFields::number(std::string_view name, double fallback, double lowest, double highest)
{
    const JsonView* json = member(name);
    if (json == nullptr)
        return fallback;
    const auto number = json->number();
    // Written so that NaN, which JSON made in memory can hold, is out of range.
    if (number && *number >= lowest && *number <= highest)
        return *number;
    complain(name, "expected a number from " + jsonText(lowest) + " to " + jsonText(highest) +
                       ", found " + excerpt(jsonText(json->json())));
    return fallback;
}

std::vector<std::string> JsonFields::textList(std::string_view name)
{
    std::vector<std::string> list;
    const JsonView* json = member(name);
    if (json == nullptr)
        return list;
    if (!json->isList()) {
        complain(name, std::string("expected a list of strings, found ") + json->typeName());
        return list;
    }
    list.reserve(json->size());
    std::size_t place = 0;
    json->forEachItem([&](const JsonView& each) {
        if (const auto text = each.text())
            list.emplace_back(*text);
        else
            m_issues.push_back({pathOf(name) + "[" + std::to_string(place) + "]",
                                std::string("expected a string, found ") + each.typeName()});
        ++place;
    });
    return list;
}

void JsonFields::complain(std::string_view name, std::string message)
{
    m_issues.push_back({pathOf(name), std::move(message)});
}

void JsonFields::finish()
{
    for (const Member& each : m_members) {
        if (!each.isKnown)
            complain(each.name, "is not a known member");
    }
}

}  // namespace qs::core
