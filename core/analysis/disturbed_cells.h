#pragma once

#include "core/analysis/cell_summary.h"

#include <vector>

namespace qs::core {

// Cells of a CPU from which others took enough of the processor to be seen in their times, in
// some round; see HostLoad.
[[nodiscard]] std::vector<const CellSummary*> disturbedCells(const Analysis& analysis);

}  // namespace qs::core
