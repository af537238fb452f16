#include "core/model/text/split_pattern.h"

#include "core/model/text/utf8.h"

#include <algorithm>
#include <tuple>

namespace qs::core {

// Recursion is as deep as groups that look ahead are nested, which the parser bounds.
std::optional<std::size_t> SplitPattern::match(std::string_view text, std::size_t at,
                                               std::size_t step, std::int64_t& budget) const
{
    constexpr std::size_t kMostOthers = std::size_t{1} << 22U;
    std::vector<std::pair<std::size_t, std::size_t>> others;  // step, place
    while (--budget >= 0 && others.size() <= kMostOthers) {
        const Step& now = m_steps[step];
        bool fails = false;
        switch (now.op) {
        case Op::One:
            if (at < text.size()) {
                const Utf8Letter letter = letterAt(text, at);
                fails = !m_classes[now.a].has(letter.letter);
                at = letter.end;
                ++step;
            } else {
                fails = true;
            }
            break;
        case Op::Try:
            others.emplace_back(now.b, at);
            step = now.a;
            break;
        case Op::Jump:
            step = now.a;
            break;
        case Op::Ahead:
        case Op::NotAhead:
            fails = match(text, at, step + 1, budget).has_value() != (now.op == Op::Ahead);
            step = now.b;
            break;
        case Op::Atomic: {
            const auto end = match(text, at, step + 1, budget);
            fails = !end;
            at = end.value_or(at);
            step = now.b;
            break;
        }
        case Op::Done:
            return at;
        }
        if (!fails)
            continue;
        if (others.empty())
            return std::nullopt;
        std::tie(step, at) = others.back();
        others.pop_back();
    }
    budget = -1;
    return std::nullopt;
}

Result<std::optional<std::pair<std::size_t, std::size_t>>>
SplitPattern::find(std::string_view text, std::size_t from) const
{
    constexpr std::int64_t kStepsOfLetter = 256;
    constexpr std::int64_t kLeastSteps = 10'000;
    const auto letters = static_cast<std::int64_t>(text.size() - std::min(from, text.size()));
    std::int64_t budget = std::max(kLeastSteps, kStepsOfLetter * letters);
    for (std::size_t at = from; at < text.size(); at = letterAt(text, at).end) {
        const auto end = match(text, at, 0, budget);
        if (budget < 0)
            return Error{ErrorCode::Unsupported,
                         "the pattern that cuts words takes too many steps with this text"};
        if (end && *end > at)
            return std::optional(std::pair(at, *end));
    }
    return std::optional<std::pair<std::size_t, std::size_t>>();
}

}  // namespace qs::core
