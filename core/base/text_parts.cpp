#include "core/base/text_parts.h"

#include <algorithm>

namespace qs::core {

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\n";
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string> splitAt(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == text.npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string> splitOutsideBraces(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == separator && depth == 0) {
            parts.emplace_back(text.substr(begin, i - begin));
            begin = i + 1;
        } else if (text[i] == '{') {
            ++depth;
        } else if (text[i] == '}') {
            depth = std::max(0, depth - 1);
        }
    }
    parts.emplace_back(text.substr(begin));
    return parts;
}

std::string joinedWithoutRepeats(const std::vector<std::string>& parts, char separator)
{
    if (!parts.empty() && std::all_of(parts.begin(), parts.end(),
                                      [&](const auto& part) { return part == parts.front(); }))
        return parts.front();
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : std::string(1, separator)) + part;
    return text;
}

std::string counted(std::uint64_t count, std::string_view what)
{
    return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace qs::core
