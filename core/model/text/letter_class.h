#pragma once

#include "core/model/text/letter_kinds.h"
#include "core/model/text/pattern_text.h"

#include <vector>

namespace qs::core {

// Letters of a pattern: those that one of the parts has.
struct LetterClass {
    struct Range {
        char32_t first = 0;
        char32_t last = 0;
    };
    std::vector<Range> ranges = {};
    LetterKinds kinds = 0;
    bool spaces = false;
    bool noSpaces = false;  // \S
    bool negated = false;

    [[nodiscard]] bool has(char32_t letter) const;
    [[nodiscard]] static LetterClass only(char32_t letter)
    {
        return {.ranges = {{letter, letter}}};
    }
};

// Behind a backslash.
[[nodiscard]] LetterClass readEscape(PatternText& text);
// Behind "[", up to the "]".
[[nodiscard]] LetterClass readBracketClass(PatternText& text, bool ignoresCase);
// One letter; without regard to case both, and what else folds into it. Fails beyond ASCII.
void addLetter(LetterClass& to, char32_t letter, bool ignoresCase, PatternText& text);

}  // namespace qs::core
