#pragma once

#include "core/base/result.h"
#include "core/sweep/plan.h"

namespace qs::core {

// Note [Appended cells]
// A run can be given more cells, while it goes on or after its end. Ratios are formed of rounds,
// because what drifts (clocks, temperature, other load) drifts for all cells of a round alike. So
// appended cells do not join rounds that others have had to themselves: they get new rounds after
// the last one, and in these the bf16 cells that they are compared with are measured again.

// The plan of a run with the cells of another plan that it does not have yet. What exists keeps its
// place and its rounds, so rows that exist stay valid. An error says why both cannot be one run:
// other pictures, another way of measuring, or nothing new. Gates of both hold for all. An addition
// with looks asks for more rounds of cells that the run has: see core/sweep/settle_plan.h.
[[nodiscard]] Result<Plan> appendPlan(const Plan& run, const Plan& addition);

// The sweep of that cell alone, measured as the cells of `preset` are: an addition to their run.
[[nodiscard]] Preset presetOfCell(Preset preset, const CellConfig& cell);

}  // namespace qs::core
