#pragma once

#include "core/analysis/pivot.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace qs::core {

// What a run says of a precision and compile mode beside its baseline.
enum class Advice {
    Recommended,     // faster somewhere, and nothing says that its outputs are worse
    FasterButWorse,  // faster somewhere, with outputs that are worse or too far from the reference
    NoGain,          // the same speed, or slower here and the same there
    Slower,          // wherever it was decided
    Unusable,        // no cell of it ended well
    Open,            // nothing is decided, or reruns of equal work differ by more
    Baseline,        // of others; nothing to compare it with
};

struct FamilyAdvice {
    const PivotRow* row = nullptr;
    Advice advice = Advice::Open;
    // Batches by what is known of their speed; of `worse` the outputs are worse than the floor and
    // farther from the reference than kNoiseLimit allows an answer to be.
    std::vector<std::int64_t> faster = {};
    std::vector<std::int64_t> slower = {};
    std::vector<std::int64_t> same = {};
    std::vector<std::int64_t> open = {};
    std::vector<std::int64_t> failed = {};
    std::vector<std::int64_t> worse = {};
    // No verdict, but farther from the reference than kNoiseLimit allows an answer to be.
    std::vector<std::int64_t> beyond = {};
    // Passes on a GPU wait for the host that launches them.
    std::vector<std::int64_t> hostBound = {};
    // Takes less memory at its peak than any other mode does for the same work.
    std::vector<std::int64_t> leastMemory = {};
    // The cell of the largest speed-up among the batches that the advice is given for; null without
    // any.
    const CellSummary* best = nullptr;
    bool qualityKnown = false;  // some cell has a quality verdict
    bool isBaseline = false;    // some cell is what its own ratio is formed with
};

// Of each row of the pivot: the recommended first, by their largest speed-up, then the others as
// Advice orders them.
[[nodiscard]] std::vector<FamilyAdvice> adviceOf(const Analysis& analysis, const Pivot& pivot);

// The same in the words of a summary.
enum class AdviceGrade {
    Recommended,
    Marginal,     // no gain, or less than kWorthwhileSpeedup
    Avoid,        // slower, worse or unusable
    SafeDefault,  // bf16 eager, which always works
    Baseline,     // of others: the best that they are held against
    Undecided,
};
inline constexpr double kWorthwhileSpeedup = 1.05;
[[nodiscard]] AdviceGrade gradeOf(const FamilyAdvice& advice);

}  // namespace qs::core
