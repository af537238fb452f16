#pragma once

#include "core/base/result.h"
#include "core/sweep/plan.h"

#include <string>
#include <vector>

namespace qs::core {

// Note [Looks]
// A comparison that its rounds leave open can be given more of them, while the run goes on or after
// its end. Whoever looks again until something is found will find it by accident; so the plan keeps
// each extension as a look, with the comparisons it was made for, and a later look has a smaller
// share of the error to claim with (Note [Verdicts] in core/stats/verdict.h). Like appended cells,
// the compared ones get rounds of their own after the last, in a fresh random order, together with
// what they are compared with. Nobody else takes part, and outputs are stored already.

inline constexpr int kMostSettleRounds = 100;

struct SettleRequest {
    std::vector<std::string> cellIds;      // of the open comparisons
    std::vector<std::string> baselineIds;  // what these are compared with; may overlap with them
    int rounds = 3;
};

// The request as a plan that can be appended to the run like any other (appendPlan() and everything
// that leads there). Ids that the run does not have are left out.
[[nodiscard]] Plan settleAddition(const Plan& run, const SettleRequest& request);

// The plan of the run with the rounds that such an addition asks for. An error says why not:
// nothing to settle, a cell that this run does not have or cannot measure, too many rounds.
[[nodiscard]] Result<Plan> settlePlan(const Plan& run, const Plan& addition);

}  // namespace qs::core
