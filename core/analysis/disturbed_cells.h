#pragma once

#include "core/analysis/cell_summary.h"

#include <string>
#include <vector>

namespace qs::core {

// Cells of a CPU from which others took enough of the processor to be seen in their times, in
// some round; see HostLoad.
[[nodiscard]] std::vector<const CellSummary*> disturbedCells(const Analysis& analysis);

// "others took up to 1.2 cores while 3 of 12 cells ran, most from int8dq · none · batch 4: their
// times are disturbed"; empty if none was.
[[nodiscard]] std::string disturbanceWarning(const Analysis& analysis);

}  // namespace qs::core
