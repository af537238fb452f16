#include "core/analysis/shown_cells.h"

#include <set>
#include <string>

namespace qs::core {

std::vector<const CellSummary*> shownCells(const Analysis& analysis)
{
    std::set<std::string> asked;  // workloads
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell != nullptr && summary.cell->role == CellRole::Swept)
            asked.insert(summary.cell->config.workload);
    }
    std::vector<const CellSummary*> shown;
    for (const CellSummary& summary : analysis.cells) {
        if (summary.cell == nullptr || summary.cell->rerun > 0 ||
            summary.cell->role == CellRole::NoiseFloor)
            continue;
        if (summary.cell->role == CellRole::Swept || asked.contains(summary.cell->config.workload))
            shown.push_back(&summary);
    }
    return shown;
}

}  // namespace qs::core
