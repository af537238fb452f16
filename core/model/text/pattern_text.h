#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace qs::core {

// A pattern while it is read. After a failure nothing is left of it.
class PatternText final
{
public:
    // UTF-8, which must outlive this.
    explicit PatternText(std::string_view text) : m_text(text) {}

    [[nodiscard]] bool more() const { return m_at < m_text.size(); }
    // The next byte; there must be one.
    [[nodiscard]] char next() const { return m_text[m_at]; }
    [[nodiscard]] std::string_view rest() const { return m_text.substr(m_at); }
    // Behind the word, if it comes next.
    bool takes(std::string_view word);
    char32_t takeLetter();
    void skip(std::size_t bytes) { m_at += bytes; }

    // What it is that the pattern has and that is not understood; the first counts.
    void fail(const std::string& what);
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_problem;
};

}  // namespace qs::core
