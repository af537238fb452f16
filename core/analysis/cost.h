#pragma once

#include "core/analysis/cell_summary.h"

namespace qs::core {

// Fills the costs of all cells; nothing without a price.
void fillCosts(const RunData& data, std::vector<CellSummary>& cells);

// Of all rows of the run; empty without a price.
[[nodiscard]] std::optional<double> costOfRun(const RunData& data);

}  // namespace qs::core
