#include "core/report/html/html_text.h"

#include "core/base/clean_text.h"

namespace qs::core {

std::string htmlText(std::string_view text)
{
    std::string escaped;
    for (const char c : cleanLine(text)) {
        switch (c) {
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '&':
            escaped += "&amp;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

std::string htmlList(const std::vector<std::string>& texts)
{
    std::string list;
    for (const std::string& text : texts)
        list += "<li>" + htmlText(text) + "</li>\n";
    return list.empty() ? list : "<ul>\n" + list + "</ul>\n";
}

}  // namespace qs::core
