#include "core/analysis/disturbed_cells.h"

namespace qs::core {

std::vector<const CellSummary*> disturbedCells(const Analysis& analysis)
{
    std::vector<const CellSummary*> disturbed;
    for (const CellSummary& cell : analysis.cells) {
        if (cell.cell != nullptr && cell.othersCores && *cell.othersCores >= kDisturbingCores)
            disturbed.push_back(&cell);
    }
    return disturbed;
}

}  // namespace qs::core
