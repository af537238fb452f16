#include "core/analysis/pivot.h"

#include "core/analysis/cell_label.h"
#include "core/analysis/shown_cells.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace qs::core {

Pivot pivotOf(const Analysis& analysis)
{
    const CellLabels& labels = analysis.labels;
    const std::vector<const CellSummary*> shown = shownCells(analysis);
    std::set<std::int64_t> batches;
    for (const CellSummary* summary : shown)
        batches.insert(summary->cell->config.batch);
    Pivot pivot{.batches = {batches.begin(), batches.end()}, .rows = {}};
    std::unordered_map<std::string, std::size_t> places;
    for (const CellSummary* summary : shown) {
        const auto [place, isNew] =
            places.try_emplace(labels.of(*summary->cell), pivot.rows.size());
        if (isNew)
            pivot.rows.push_back(
                {place->first, std::vector<const CellSummary*>(pivot.batches.size(), nullptr)});
        const auto column = std::lower_bound(pivot.batches.begin(), pivot.batches.end(),
                                             summary->cell->config.batch);
        pivot.rows[place->second].cells[static_cast<std::size_t>(column - pivot.batches.begin())] =
            summary;
    }
    return pivot;
}

}  // namespace qs::core
