#include "core/base/json.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/base/files.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace qs::core {

namespace {

// Builds the document while it counts depth, nodes and string lengths, so that a hostile text is
// refused before it costs memory.
class BoundedBuilder final : public nlohmann::json_sax<Json>
{
public:
    explicit BoundedBuilder(const JsonLimits& limits) : m_limits(limits) {}

    [[nodiscard]] const std::string& complaint() const { return m_complaint; }
    [[nodiscard]] Json take() { return std::move(m_root); }

    bool null() override { return add(Json()); }
    bool boolean(bool value) override { return add(Json(value)); }
    bool number_integer(number_integer_t value) override { return add(Json(value)); }
    bool number_unsigned(number_unsigned_t value) override { return add(Json(value)); }
    bool number_float(number_float_t value, const string_t& text) override
    {
        if (!std::isfinite(value))
            return refuse("the number " + text.substr(0, 40) + " is not finite");
        return add(Json(value));
    }
    bool string(string_t& value) override
    {
        if (value.size() > m_limits.stringBytes)
            return refuse("a text is longer than " + std::to_string(m_limits.stringBytes) +
                          " bytes");
        return add(Json(std::move(value)));
    }
    bool binary(binary_t&) override { return refuse("binary values are not allowed"); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override
    {
        if (name.size() > m_limits.stringBytes)
            return refuse("a key is longer than " + std::to_string(m_limits.stringBytes) +
                          " bytes");
        if (m_open.back()->contains(name))
            return refuse("the key \"" + name + "\" appears twice");
        m_key = std::move(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override
    {
        if (m_complaint.empty())
            m_complaint = "at byte " + std::to_string(position) + ": " + excerpt(error.what(), 240);
        return false;
    }

private:
    bool refuse(std::string complaint)
    {
        m_complaint = std::move(complaint);
        return false;
    }

    // Puts the value where the parser is; returns its place, or null if a limit is passed.
    Json* place(Json value)
    {
        if (++m_nodes > m_limits.nodes) {
            refuse("more than " + std::to_string(m_limits.nodes) + " values");
            return nullptr;
        }
        if (m_open.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        Json& parent = *m_open.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        return &(parent[m_key] = std::move(value));
    }

    bool add(Json value) { return place(std::move(value)) != nullptr; }

    bool open(Json container)
    {
        if (m_open.size() >= m_limits.depth)
            return refuse("nested deeper than " + std::to_string(m_limits.depth) + " levels");
        Json* placed = place(std::move(container));
        if (placed == nullptr)
            return false;
        m_open.push_back(placed);
        return true;
    }

    bool close()
    {
        m_open.pop_back();
        return true;
    }

    JsonLimits m_limits;
    Json m_root;
    // Stays valid: only the innermost container grows while it is open.
    std::vector<Json*> m_open;
    std::string m_key;
    std::size_t m_nodes = 0;
    std::string m_complaint;
};

} // namespace

Result<Json> parseJson(std::string_view text, std::string_view source, const JsonLimits& limits)
{
    const auto refuse = [&](const std::string& why) {
        return Error{ErrorCode::Format,
                     std::string(source) + ": not a valid JSON document: " + withShortQuotes(why)};
    };
    if (text.size() > limits.bytes)
        return refuse("larger than " + std::to_string(limits.bytes) + " bytes");
    // The parser takes a NUL outside a text for the end: whatever follows would be accepted unseen.
    if (text.find('\0') != std::string_view::npos)
        return refuse("it contains a NUL byte");
    BoundedBuilder builder(limits);
    try {
        if (!Json::sax_parse(text, &builder))
            return refuse(builder.complaint());
    } catch (const nlohmann::detail::exception& error) {
        return refuse(excerpt(error.what(), 240));
    }
    return builder.take();
}

Result<Json> readJsonFile(const FilePlace& place, const JsonLimits& limits)
{
    QS_TRY(const std::string text, readTextFile(place, limits.bytes));
    QS_TRY(Json json, parseJson(text, place.string(), limits));
    return cleanTexts(std::move(json));
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
    m_known.emplace(name);
    if (!m_isObject)
        return nullptr;
    const auto found = m_json->find(std::string(name));
    return found == m_json->end() ? nullptr : &*found;
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
        complain(name, std::string("expected a text, found ") + json->type_name());
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
    const std::string range =
        "a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest);
    if (!json->is_number_integer() ||
        (json->is_number_unsigned() &&
         json->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) ||
        json->get<std::int64_t>() < lowest || json->get<std::int64_t>() > highest) {
        complain(name, "expected " + range + ", found " + excerpt(jsonText(*json)));
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
        complain(name, std::string("expected a list of texts, found ") + json->type_name());
        return list;
    }
    for (std::size_t i = 0; i < json->size(); ++i) {
        if ((*json)[i].is_string())
            list.push_back((*json)[i].get<std::string>());
        else
            m_issues.push_back({pathOf(name) + "[" + std::to_string(i) + "]",
                                std::string("expected a text, found ") + (*json)[i].type_name()});
    }
    return list;
}

void JsonFields::complain(std::string_view name, std::string message)
{
    m_issues.push_back({pathOf(name), std::move(message)});
}

void JsonFields::finish()
{
    if (!m_isObject)
        return;
    for (const auto& [name, value] : m_json->items()) {
        if (!m_known.contains(name))
            complain(name, "is not a known member");
    }
}

} // namespace qs::core
