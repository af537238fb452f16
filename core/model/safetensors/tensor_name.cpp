#include "core/model/safetensors/tensor_name.h"

#include <cstdint>
#include <optional>

namespace qs::core {

namespace {

constexpr std::size_t kQuotedBytes = 80;

// Takes one code point from the front of `text`; nothing if the bytes are no valid UTF-8 (RFC 3629:
// shortest form, no surrogates, at most U+10FFFF).
std::optional<std::uint32_t> takeCodePoint(std::string_view& text)
{
    const auto byteAt = [&](std::size_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
    };
    const std::uint32_t first = byteAt(0);
    const std::size_t length = first < 0x80U              ? 1
                               : (first & 0xE0U) == 0xC0U ? 2
                               : (first & 0xF0U) == 0xE0U ? 3
                               : (first & 0xF8U) == 0xF0U ? 4
                                                          : 0;
    if (length == 0 || text.size() < length)
        return std::nullopt;
    std::uint32_t point = length == 1 ? first : first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byteAt(i) & 0xC0U) != 0x80U)
            return std::nullopt;
        point = (point << 6U) | (byteAt(i) & 0x3FU);
    }
    constexpr std::uint32_t kLowest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < kLowest[length] || (point >= 0xD800 && point <= 0xDFFF) || point > 0x10FFFF)
        return std::nullopt;
    text.remove_prefix(length);
    return point;
}

bool isPrintable(std::uint32_t point)
{
    const bool control = point < 0x20 || (point >= 0x7F && point <= 0x9F);
    const bool separator = point == 0x2028 || point == 0x2029;
    const bool direction = point == 0x061C || point == 0x200E || point == 0x200F ||
                           (point >= 0x202A && point <= 0x202E) ||
                           (point >= 0x2066 && point <= 0x2069);
    const bool none = point == 0xFEFF || (point & 0xFFFEU) == 0xFFFE;
    return !control && !separator && !direction && !none;
}

}  // namespace

std::string nameComplaint(std::string_view name, std::size_t limitBytes)
{
    if (name.size() > limitBytes)
        return "the name is " + std::to_string(name.size()) + " bytes long, more than " +
               std::to_string(limitBytes);
    const std::size_t size = name.size();
    while (!name.empty()) {
        const std::string place = std::to_string(size - name.size());
        const auto point = takeCodePoint(name);
        if (!point)
            return "the name is not UTF-8 at its byte " + place;
        if (!isPrintable(*point))
            return "the name has a character that cannot be printed at its byte " + place;
    }
    return {};
}

std::string quotedName(std::string_view name)
{
    std::string text = "\"";
    while (!name.empty() && text.size() <= kQuotedBytes) {
        const std::string_view before = name;
        const auto point = takeCodePoint(name);
        if (!point)
            name.remove_prefix(1);
        if (point && isPrintable(*point))
            text += before.substr(0, before.size() - name.size());
        else
            text += '?';
    }
    return text + (name.empty() ? "\"" : "…\"");
}

}  // namespace qs::core
