#include "core/base/clean_text.h"

#include "core/base/parsed_json.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace qs::core {

namespace {

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

// How many bytes at the beginning are visible ASCII, counted in eights.
std::size_t visibleBytes(std::string_view text)
{
    constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
    std::size_t bytes = 0;
    for (std::uint64_t eight = 0; bytes + sizeof eight <= text.size(); bytes += sizeof eight) {
        std::memcpy(&eight, text.data() + bytes, sizeof eight);
        // The highest bit of some byte is set by what is below a space, above ~, or set already.
        if ((((eight - 0x20 * kOnes) | (eight + kOnes) | eight) & (0x80 * kOnes)) != 0)
            break;
    }
    return bytes;
}

bool isClean(std::string_view text)
{
    while (!text.empty()) {
        if (const std::size_t visible = visibleBytes(text); visible > 0) {
            text.remove_prefix(visible);
            continue;
        }
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

bool hasCleanTexts(const JsonView& json)
{
    if (const auto text = json.text())
        return isClean(*text);
    bool isAllClean = true;
    json.forEachItem([&](const JsonView& each) { isAllClean = isAllClean && hasCleanTexts(each); });
    json.forEachMember([&](std::string_view key, const JsonView& value) {
        isAllClean = isAllClean && isClean(key) && hasCleanTexts(value);
    });
    return isAllClean;
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

ParsedJson cleanTexts(ParsedJson document, std::string_view source)
{
    // Without an escape its texts hold nothing but what it holds itself.
    const bool hasEscapes = source.find('\\') != std::string_view::npos;
    if ((!hasEscapes && isClean(source)) || hasCleanTexts(document.root()))
        return document;
    Json json = document.root().json();
    clean(json);
    return ParsedJson(std::move(json));
}

}  // namespace qs::core
