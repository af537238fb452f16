#include "core/report/markdown_text.h"

#include "core/base/checks.h"
#include "core/base/clean_text.h"
#include "core/base/format.h"
#include "core/stats/summary.h"

#include <algorithm>

namespace qs::core {

namespace {

// Whether the sign at `place` would make what stands around it the address of a page.
bool makesAddress(std::string_view text, std::size_t place)
{
    const std::string_view before = text.substr(0, place);
    if (text[place] == ':')
        return text.substr(place + 1).starts_with("//");
    if (text[place] != '.' || before.size() < 3)
        return false;
    const std::string_view word = before.substr(before.size() - 3);
    return std::all_of(word.begin(), word.end(), [](char c) { return c == 'w' || c == 'W'; });
}

}  // namespace

std::string markdownText(std::string_view given)
{
    constexpr std::string_view kEscaped = "\\`*_[]#|~@";
    const std::string text = cleanLine(given);
    std::string escaped;
    // At the beginning of a paragraph these make lists and headings.
    if (!text.empty() && (text.front() == '-' || text.front() == '+' || text.front() == '='))
        escaped += '\\';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '<') {
            escaped += "&lt;";
        } else if (c == '>') {
            escaped += "&gt;";
        } else if (c == '&') {
            escaped += "&amp;";
        } else {
            if (kEscaped.find(c) != std::string_view::npos || makesAddress(text, i))
                escaped += '\\';
            escaped += c;
        }
    }
    return escaped;
}

MarkdownTable::MarkdownTable(std::vector<std::string> columns) : m_columns(columns.size())
{
    addLine(columns);
    m_text += '|';
    for (std::size_t i = 0; i < m_columns; ++i)
        m_text += "---|";
    m_text += '\n';
}

void MarkdownTable::add(const std::vector<std::string>& cells)
{
    QS_ASSERT(cells.size() == m_columns);
    addLine(cells);
    ++m_lines;
}

void MarkdownTable::addLine(const std::vector<std::string>& cells)
{
    m_text += '|';
    for (const std::string& cell : cells)
        m_text += " " + markdownText(cell) + " |";
    m_text += '\n';
}

std::string withInterval(double value, const std::optional<Interval>& interval)
{
    constexpr int kUsualDigits = 4;
    const int digits = interval ? supportedDigits(value, *interval) : kUsualDigits;
    std::string text = formatSignificant(value, digits);
    if (interval)
        text += " [" + formatSignificant(interval->lower, digits) + ", " +
                formatSignificant(interval->upper, digits) + "]";
    return text;
}

}  // namespace qs::core
