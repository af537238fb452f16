#include "core/base/clean_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace qs::core {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;
};

// The first character of the text, which is not empty; nothing if it is not UTF-8.
std::optional<Character> firstOf(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80)
        return Character{lead, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes)
        return std::nullopt;
    char32_t code = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return std::nullopt;
        code = (code << 6U) | (byte(i) & 0x3FU);
    }
    // Longer than needed, half of a pair, or beyond Unicode.
    const bool wrong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000) ||
                       (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF;
    return wrong ? std::nullopt : std::optional(Character{code, bytes});
}

bool isHarmful(char32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) ||  // control characters
           code == 0x2028 || code == 0x2029 ||              // line breaks in disguise
           (code >= 0x202A && code <= 0x202E) ||            // embedding and override of direction
           (code >= 0x2066 && code <= 0x2069);              // isolates
}

bool isClean(std::string_view text)
{
    while (!text.empty()) {
        const std::optional<Character> next = firstOf(text);
        if (!next || (isHarmful(next->code) && next->code != '\n' && next->code != '\t'))
            return false;
        text.remove_prefix(next->bytes);
    }
    return true;
}

std::string cleaned(std::string_view text, bool oneLine)
{
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const std::optional<Character> next = firstOf(text);
        const std::size_t bytes = next ? next->bytes : 1;
        const bool isBreak = next && (next->code == '\n' || next->code == '\t');
        if (isBreak)
            clean += oneLine ? ' ' : text.front();
        else if (!next || isHarmful(next->code))
            clean += text.starts_with("\r\n") ? std::string_view() : kReplacement;
        else
            clean += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return clean;
}

bool hasCleanTexts(const Json& json)
{
    if (json.is_string())
        return isClean(json.get_ref<const std::string&>());
    if (json.is_array())
        return std::all_of(json.begin(), json.end(), hasCleanTexts);
    if (!json.is_object())
        return true;
    const auto& members = json.get_ref<const Json::object_t&>();
    return std::all_of(members.begin(), members.end(), [](const auto& member) {
        return isClean(member.first) && hasCleanTexts(member.second);
    });
}

void clean(Json& json)
{
    if (json.is_string()) {
        json = cleanText(json.get_ref<const std::string&>());
    } else if (json.is_array()) {
        for (Json& each : json)
            clean(each);
    } else if (json.is_object()) {
        Json object = Json::object();
        for (auto& [key, value] : json.items()) {
            clean(value);
            object[cleanText(key)] = std::move(value);
        }
        json = std::move(object);
    }
}

}  // namespace

std::string cleanText(std::string_view text)
{
    return cleaned(text, false);
}

std::string cleanLine(std::string_view text)
{
    return cleaned(text, true);
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::optional<Character> next = firstOf(text);
        if (!next)
            return false;
        text.remove_prefix(next->bytes);
    }
    return true;
}

nlohmann::json cleanTexts(nlohmann::json json, std::string_view source)
{
    // The parser takes no control character as it is: without an escape there is none.
    const bool plain = std::none_of(source.begin(), source.end(),
                                    [](unsigned char c) { return c == '\\' || c >= 0x7F; });
    if (!plain && !hasCleanTexts(json))
        clean(json);
    return json;
}

}  // namespace qs::core
