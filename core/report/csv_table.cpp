#include "core/report/csv_table.h"

#include "core/base/checks.h"
#include "core/base/format.h"

#include <cmath>

namespace qs::core {

namespace {

constexpr std::string_view kLineEnd = "\r\n";

std::string quotedField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string field = "\"";
    for (const char c : text) {
        if (c == '"')
            field += '"';
        field += c;
    }
    return field + '"';
}

// A text of which a spreadsheet makes no formula.
std::string guarded(std::string_view text)
{
    constexpr std::string_view kFormulaBeginnings = "=+-@\t\r\n";
    const bool isFormula =
        !text.empty() && kFormulaBeginnings.find(text.front()) != std::string_view::npos;
    return isFormula ? "'" + std::string(text) : std::string(text);
}

}  // namespace

void CsvTable::text(std::string_view column, std::string_view value)
{
    add(column, quotedField(m_formulaSafe ? guarded(value) : std::string(value)));
}

void CsvTable::number(std::string_view column, const std::optional<double>& value)
{
    add(column, value && std::isfinite(*value) ? formatExact(*value) : std::string());
}

void CsvTable::integer(std::string_view column, const std::optional<std::int64_t>& value)
{
    add(column, value ? std::to_string(*value) : std::string());
}

void CsvTable::flag(std::string_view column, bool value)
{
    add(column, value ? "1" : "0");
}

void CsvTable::empty(std::string_view column)
{
    add(column, {});
}

void CsvTable::add(std::string_view column, std::string_view field)
{
    if (m_headWritten)
        QS_ASSERT(m_place < m_columns.size() && m_columns[m_place] == column);
    else
        m_columns.emplace_back(column);
    if (m_place > 0)
        m_line += ',';
    m_line += field;
    ++m_place;
}

void CsvTable::endLine()
{
    finishHead();
    m_content += m_line;
    m_content += kLineEnd;
    m_line.clear();
}

void CsvTable::dropLine()
{
    finishHead();
    m_line.clear();
}

void CsvTable::finishHead()
{
    QS_ASSERT(m_place == m_columns.size());
    m_place = 0;
    if (m_headWritten)
        return;
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        m_content +=
            (i == 0 ? "" : ",") + quotedField(m_formulaSafe ? guarded(m_columns[i]) : m_columns[i]);
    m_content += kLineEnd;
    m_headWritten = true;
}

}  // namespace qs::core
