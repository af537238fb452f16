#pragma once

#include "core/analysis/cell_label.h"
#include "core/analysis/gates.h"
#include "core/base/json.h"
#include "core/sweep/metric.h"

#include <vector>

namespace qs::core {

// One cell of report.json over all its rounds.
[[nodiscard]] Json cellJson(const CellSummary& summary, const CellGates& gates,
                            const CellLabels& labels, const std::vector<const Metric*>& metrics);

}  // namespace qs::core
