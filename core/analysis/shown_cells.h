#pragma once

#include "core/analysis/analysis.h"

#include <vector>

namespace qs::core {

// The cells of a run that belong into one figure or table, in order of the plan. Those of the noise
// floor and repeated ones are left out: they would double what they repeat. So is a reference that
// does other work than all that was asked for: a pass beside cells that quantize has another rate.
// Points into the analysis.
[[nodiscard]] std::vector<const CellSummary*> shownCells(const Analysis& analysis);

// Whether there are shown cells, and all of them quantize instead of making passes.
[[nodiscard]] bool onlyQuantizes(const Analysis& analysis);

}  // namespace qs::core
