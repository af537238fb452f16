#include "core/analysis/disturbed_cells.h"

#include "core/analysis/cell_label.h"
#include "core/base/format.h"

#include <algorithm>

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

std::string disturbanceWarning(const Analysis& analysis)
{
    const std::vector<const CellSummary*> disturbed = disturbedCells(analysis);
    if (disturbed.empty())
        return {};
    const CellSummary& worst =
        **std::max_element(disturbed.begin(), disturbed.end(), [](const auto* a, const auto* b) {
            return *a->othersCores < *b->othersCores;
        });
    const auto measured = std::count_if(analysis.cells.begin(), analysis.cells.end(),
                                        [](const CellSummary& cell) { return cell.measured; });
    return "others took up to " + formatSignificant(*worst.othersCores, 2) + " cores while " +
           std::to_string(disturbed.size()) + " of " + std::to_string(measured) +
           " cells ran, most from " + distinguish(analysis).withBatch(*worst.cell) +
           ": their times are disturbed";
}

}  // namespace qs::core
