#include "core/report/plain_table.h"

#include "core/report/html/html_text.h"
#include "core/report/markdown_text.h"

namespace qs::core {

namespace {

std::string htmlLine(const std::vector<std::string>& line, const char* begin, const char* end,
                     const std::string& place = {})
{
    std::string text = "<tr>";
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool leads = i == 0 && !place.empty();
        text += begin + (leads ? "<a href=\"#" + place + "\">" : std::string()) +
                htmlText(line[i]) + (leads ? "</a>" : "") + end;
    }
    return text + "</tr>\n";
}

}  // namespace

std::string markdownOf(const PlainTable& table)
{
    MarkdownTable markdown(table.head);
    for (const auto& line : table.lines)
        markdown.add(line);
    return markdown.text();
}

std::string htmlOf(const PlainTable& table)
{
    std::string rows;
    for (std::size_t i = 0; i < table.lines.size(); ++i)
        rows += htmlLine(table.lines[i], "<td>", "</td>",
                         i < table.places.size() ? table.places[i] : std::string());
    return "<div class=\"scroll\"><table class=\"sortable\"><thead>" +
           htmlLine(table.head, "<th scope=\"col\"><button type=\"button\">", "</button></th>") +
           "</thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

std::string markdownOf(const TableSection& section)
{
    if (section.table.lines.empty())
        return {};
    return "## " + section.title + "\n\n" + markdownText(section.meaning) + "\n\n" +
           markdownOf(section.table) + "\n";
}

std::string htmlOf(const TableSection& section)
{
    if (section.table.lines.empty())
        return {};
    return "<section id=\"" + section.id + "\"><h2>" + htmlText(section.title) +
           "</h2>\n<p class=\"dim\">" + htmlText(section.meaning) + "</p>\n" +
           htmlOf(section.table) + "</section>\n";
}

}  // namespace qs::core
