#include "core/model/text/utf8.h"

namespace qs::core {

namespace {

unsigned byteAt(std::string_view text, std::size_t at)
{
    return static_cast<unsigned char>(text[at]);
}

bool continues(std::string_view text, std::size_t at)
{
    return (byteAt(text, at) & 0xC0U) == 0x80U;
}

}  // namespace

Utf8Letter letterAt(std::string_view text, std::size_t at)
{
    const unsigned first = byteAt(text, at);
    const std::size_t more = first < 0xC0U ? 0 : first < 0xE0U ? 1 : first < 0xF0U ? 2 : 3;
    // 7, 5, 4 and 3 bits.
    char32_t letter = more == 0 ? first : first & (0x3FU >> more);
    std::size_t end = at + 1;
    for (; end <= at + more && end < text.size(); ++end)
        letter = (letter << 6U) | (byteAt(text, end) & 0x3FU);
    return {letter, end};
}

char32_t letterBefore(std::string_view text, std::size_t end)
{
    std::size_t at = end - 1;
    while (at > 0 && continues(text, at))
        --at;
    return letterAt(text, at).letter;
}

void appendUtf8(std::string& text, char32_t letter)
{
    const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
    if (letter < 0x80) {
        put(letter);
    } else if (letter < 0x800) {
        put(0xC0U | (letter >> 6U));
        put(0x80U | (letter & 0x3FU));
    } else if (letter < 0x10000) {
        put(0xE0U | (letter >> 12U));
        put(0x80U | ((letter >> 6U) & 0x3FU));
        put(0x80U | (letter & 0x3FU));
    } else {
        put(0xF0U | (letter >> 18U));
        put(0x80U | ((letter >> 12U) & 0x3FU));
        put(0x80U | ((letter >> 6U) & 0x3FU));
        put(0x80U | (letter & 0x3FU));
    }
}

}  // namespace qs::core
