#pragma once

#include "core/analysis/cell_summary.h"
#include "core/analysis/counted_rounds.h"
#include "core/analysis/quality_figures.h"

#include <string>
#include <vector>

namespace qs::core {

// Whether the run computes the same mathematics as its reference, so that its distance is no loss
// of quality: planned as such, or swept and equal to one that would have been (fp32 eager, bf16 as
// a graph or compiled by Inductor). Our own fused and surgical modes have to show that first.
[[nodiscard]] bool isNoiseFloorRun(const PlannedCell& cell);

// For each reference, in the order in which they first appear in the plan, and each environment
// that figures of its cells come from. `rounds` are of that plan: a run that has failed and has no
// ok round in the environment will not come.
[[nodiscard]] std::vector<NoiseFloor> noiseFloors(const Plan& plan, const CountedRounds& rounds,
                                                  const QualityIndex& qualities);

}  // namespace qs::core
