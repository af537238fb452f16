#pragma once

#include "core/stats/interval.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// The text so that Markdown and the HTML made from it show it as it is: names of models and
// messages of workers are not to become links, tags or table cells. Line breaks become spaces.
[[nodiscard]] std::string markdownText(std::string_view text);

// A table whose cells are plain texts; it escapes them.
class MarkdownTable final
{
public:
    explicit MarkdownTable(std::vector<std::string> columns);

    void add(const std::vector<std::string>& cells);  // as many as there are columns
    [[nodiscard]] bool empty() const { return m_lines == 0; }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    void addLine(const std::vector<std::string>& cells);

    std::size_t m_columns;
    std::size_t m_lines = 0;
    std::string m_text;
};

// "12.3 [12.1, 12.5]", in the digits that the interval supports.
[[nodiscard]] std::string withInterval(double value, const std::optional<Interval>& interval);

}  // namespace qs::core
