#include "core/record/markdown_text.h"

#include "core/base/checks.h"

namespace qs::core {

std::string markdownText(std::string_view text)
{
    constexpr std::string_view kEscaped = "\\`*_[]#|~";
    std::string escaped;
    // At the beginning of a paragraph these make lists and headings.
    if (!text.empty() && (text.front() == '-' || text.front() == '+' || text.front() == '='))
        escaped += '\\';
    for (const char c : text) {
        if (c == '<') {
            escaped += "&lt;";
        } else if (c == '>') {
            escaped += "&gt;";
        } else if (c == '&') {
            escaped += "&amp;";
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            escaped += ' ';
        } else {
            if (kEscaped.find(c) != std::string_view::npos)
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

}  // namespace qs::core
