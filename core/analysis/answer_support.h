#pragma once

#include <optional>

namespace qs::core {

struct Analysis;
struct RunAnswer;
enum class AnswerObjective;

// Note [No answer yet]
// A headline is believed: it is not said before the run can bear it. Nothing is best of one cell
// alone; nothing is best while cells that did better still wait to be compared with their quality
// reference; and no difference is one while equal work differs by more, see Note [Rerun]. A tie
// claims no difference and stands.
enum class NoAnswerYet {
    OneCell,           // nothing else was measured
    ReferencePending,  // better cells wait for their quality reference or its noise floor
    RerunsDiffer,      // by more than the answer would claim
};

// How firm the answer is.
enum class AnswerStanding {
    Open,     // there is none, or none yet
    Unsure,   // a tie, or too few repeats for a verdict
    Decided,  // the repeats tell it from what it is compared with
};

struct AnswerSupport {
    AnswerStanding standing = AnswerStanding::Open;
    std::optional<NoAnswerYet> open = {};  // why there is none yet, although cells were measured
    // Ratios of at least 1: what the answer would claim, if it claims a difference, and the largest
    // between equal cells that differ.
    std::optional<double> claimed = {};
    double rerunSpread = 1.0;
};

// Of an answer that is complete but for this.
[[nodiscard]] AnswerSupport supportOf(const RunAnswer& answer, const Analysis& analysis,
                                      AnswerObjective objective);

}  // namespace qs::core
