#pragma once

#include "core/analysis/cell_summary.h"
#include "core/analysis/run_figures.h"

namespace qs::core {

// Fills the costs of all cells; nothing without a price.
void fillCosts(const Price& price, const RunFigures& figures, std::vector<CellSummary>& cells);

// Of all rows of the run; empty without a price.
[[nodiscard]] std::optional<double> costOfRun(const Price& price, const Analysis& analysis);

}  // namespace qs::core
