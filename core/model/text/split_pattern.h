#pragma once

#include "core/base/result.h"
#include "core/model/text/letter_class.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace qs::core {

// A regular expression as tokenizers cut words with: letters, classes with \s \d \w \p{L} \p{Lu}
// and ranges, alternatives, groups "(?:", "(?i:" and "(?>", looking ahead "(?=" and "(?!",
// quantifiers greedy, lazy ("?" behind) and possessive ("+" behind). Bounded: in length, depth,
// repetitions and the steps of a search.
class SplitPattern final
{
public:
    // Format: no expression. Unsupported: one that asks for more.
    [[nodiscard]] static Result<SplitPattern> parse(std::string_view pattern);

    // The first match from `from` on that is not empty, as [begin, end). Unsupported: the search
    // takes too many steps.
    [[nodiscard]] Result<std::optional<std::pair<std::size_t, std::size_t>>>
    find(std::string_view text, std::size_t from) const;

private:
    friend class SplitPatternParser;

    enum class Op : std::uint8_t {
        One,       // a letter of class a
        Try,       // go on at a; if that fails, at b
        Jump,      // to a
        Ahead,     // what follows, up to b, must match here; then go on at b with nothing taken
        NotAhead,  // must not
        Atomic,    // what follows, up to b, as it matches first
        Done
    };
    struct Step {
        Op op = Op::Done;
        std::size_t a = 0;
        std::size_t b = 0;
    };

    [[nodiscard]] std::optional<std::size_t> match(std::string_view text, std::size_t at,
                                                   std::size_t step, std::int64_t& budget) const;

    std::vector<LetterClass> m_classes;
    std::vector<Step> m_steps;
};

}  // namespace qs::core
