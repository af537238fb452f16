#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qs::core {

// Writes a table as CSV after RFC 4180: comma, CRLF, quotes where needed; numbers in the C locale
// with all their digits. A name goes with each value, so that head and lines cannot disagree: the
// first line that is complete fixes the columns, and every other must have the same.
class CsvTable final
{
public:
    // `formulaSafe`: a text or a name that begins with = + - @ tab or a line break gets an
    // apostrophe in front, because spreadsheets run it (CWE-1236); quoting alone does not help.
    explicit CsvTable(bool formulaSafe) : m_formulaSafe(formulaSafe) {}

    void text(std::string_view column, std::string_view value);
    // Not finite: empty.
    void number(std::string_view column, const std::optional<double>& value);
    void integer(std::string_view column, const std::optional<std::int64_t>& value);
    void flag(std::string_view column, bool value);  // 1 or 0
    void empty(std::string_view column);
    void endLine();
    // Instead of endLine(): only the head stays. For tables without lines.
    void dropLine();

    [[nodiscard]] const std::string& content() const { return m_content; }
    // What has been written since the last call; the table forgets it.
    [[nodiscard]] std::string take() { return std::exchange(m_content, {}); }

private:
    void add(std::string_view column, std::string_view field);
    void finishHead();

    bool m_formulaSafe;
    std::vector<std::string> m_columns;
    bool m_headWritten = false;
    std::size_t m_place = 0;
    std::string m_line;
    std::string m_content;
};

}  // namespace qs::core
