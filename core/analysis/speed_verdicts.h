#pragma once

#include "core/analysis/cell_summary.h"

#include <vector>

namespace qs::core {

// Judges the speed-ups of a run together. Comparisons that are planned but have no rounds yet count
// as well: otherwise the first few cells of a sweep would be judged as if nobody had looked
// further. `looks`: of the plan; a comparison whose added rounds have begun is at a later look.
void judgeSpeeds(std::vector<CellSummary>& cells, const std::vector<Look>& looks);

}  // namespace qs::core
