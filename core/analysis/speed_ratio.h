#pragma once

#include "core/stats/interval.h"

namespace qs::core {

struct CellSummary;

// Note [One ratio, one interval]
// Two cells have one ratio wherever it is shown, and one 95 % interval. Where one of them is the
// speed baseline of the other that is the speed-up of the table, whose interval knows what the
// other comparisons of the run say of its variance, and which holds where the rounds could not be
// paired as well; rounds of the two alone would give another one. Any other two have the rounds
// that they share.

// How many times faster `cell` is than `other`, per pass; no interval with fewer rounds than it
// takes. Of no count if nothing is known. Once the run's comparisons are judged.
[[nodiscard]] Estimate speedRatio(const CellSummary& other, const CellSummary& cell);

}  // namespace qs::core
