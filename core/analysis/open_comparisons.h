#pragma once

#include "core/analysis/cell_summary.h"
#include "core/sweep/settle_plan.h"

#include <string>
#include <vector>

namespace qs::core {

// The speed comparisons of a run that more rounds may settle: both cells are sound, all rounds that
// were planned are there, and they still are too few or allow no claim. Runs that are there for the
// noise floor are compared for their outputs; nobody asks how fast they are.
struct OpenComparisons {
    std::vector<std::string> cellIds;      // in the order of the plan
    std::vector<std::string> baselineIds;  // what they are compared with, each once
    int compared = 0;                      // all comparisons, settled ones included
    int waiting = 0;                       // of these, with planned rounds still to come

    [[nodiscard]] bool none() const { return cellIds.empty(); }
    // Of the request: open cells and their baselines, each once.
    [[nodiscard]] std::size_t cells() const;
};
[[nodiscard]] OpenComparisons openComparisons(const Analysis& analysis);

// As many rounds again as the run was planned with, so that one look is worth its share of the
// error; at least as many as a verdict needs.
[[nodiscard]] int roundsToSettle(const Plan& plan);

// How long these rounds are going to take: what the cells took lately, or what was estimated.
[[nodiscard]] double settleSeconds(const RunData& data, const OpenComparisons& open, int rounds);

// To be appended to the run; see core/sweep/settle_plan.h.
[[nodiscard]] Plan settleAddition(const Plan& run, const OpenComparisons& open, int rounds);

}  // namespace qs::core
