#pragma once

#include "core/analysis/cell_summary.h"

#include <vector>

namespace qs::core {

// Lets the paired comparisons of a run tell each other how much rounds vary: their chances and
// intervals, in seconds and in cycles, are those of moderated variances. Comparisons of different
// devices or environments tell each other nothing. See Note [Moderated variances] in
// core/stats/moderated_variance.h.
void shareVariances(std::vector<CellSummary*>& compared);

}  // namespace qs::core
