#include "core/analysis/note_words.h"

namespace qs::core {

namespace {

// Without the figures, but for those in brackets, which are part of a name.
std::string wordsOf(const std::string& note)
{
    std::string words;
    int depth = 0;
    for (const char letter : note) {
        depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
        const bool figure = (letter >= '0' && letter <= '9') || letter == '.';
        if (!figure || depth > 0)
            words += letter;
    }
    return words;
}

}  // namespace

bool sayTheSame(const std::string& first, const std::string& second)
{
    return first == second || wordsOf(first) == wordsOf(second);
}

}  // namespace qs::core
