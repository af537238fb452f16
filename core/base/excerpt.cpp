#include "core/base/excerpt.h"

namespace qs::core {

namespace {

bool continuesLetter(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

std::string excerpt(std::string_view text, std::size_t mostBytes)
{
    if (text.size() <= mostBytes)
        return std::string(text);
    std::size_t end = mostBytes;
    while (end > 0 && continuesLetter(text[end]))
        --end;
    return std::string(text.substr(0, end)) + "…";
}

std::string withShortQuotes(std::string_view sentence)
{
    std::string text;
    for (bool quoted = false;; quoted = !quoted) {
        const std::size_t quote = sentence.find('"');
        const std::string_view part = sentence.substr(0, quote);
        text += quoted ? excerpt(part) : std::string(part);
        if (quote == std::string_view::npos)
            return text;
        text += '"';
        sentence.remove_prefix(quote + 1);
    }
}

}  // namespace qs::core
