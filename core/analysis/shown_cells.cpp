#include "core/analysis/shown_cells.h"

#include "core/sweep/cell_workload.h"

#include <algorithm>
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

bool onlyQuantizes(const Analysis& analysis)
{
    const std::vector<const CellSummary*> shown = shownCells(analysis);
    return !shown.empty() && std::all_of(shown.begin(), shown.end(), [](const CellSummary* each) {
        return isQuantizing(each->cell->config);
    });
}

}  // namespace qs::core
