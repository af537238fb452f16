#pragma once

#include "core/analysis/cell_summary.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// One line of a pivot: a precision and compile mode, and what else tells its cells from others.
struct PivotRow {
    std::string label;  // see CellLabels::of()
    // One for each batch of the pivot; null where the sweep has none.
    std::vector<const CellSummary*> cells;
};

// The shown cells of a run (see shownCells()) with their batches as columns. Points into the
// analysis.
struct Pivot {
    std::vector<std::int64_t> batches;  // ascending
    std::vector<PivotRow> rows;         // in order of the plan
};

[[nodiscard]] Pivot pivotOf(const Analysis& analysis);

}  // namespace qs::core
