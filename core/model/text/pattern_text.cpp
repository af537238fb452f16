#include "core/model/text/pattern_text.h"

#include "core/model/text/utf8.h"

namespace qs::core {

bool PatternText::takes(std::string_view word)
{
    if (!rest().starts_with(word))
        return false;
    m_at += word.size();
    return true;
}

char32_t PatternText::takeLetter()
{
    if (!more()) {
        fail("an end where a letter is expected");
        return 0;
    }
    const Utf8Letter letter = letterAt(m_text, m_at);
    m_at = letter.end;
    return letter.letter;
}

void PatternText::fail(const std::string& what)
{
    if (m_problem.empty())
        m_problem = what;
    m_at = m_text.size();
}

}  // namespace qs::core
