#pragma once

#include "core/analysis/cell_label.h"
#include "core/analysis/cell_summary.h"
#include "core/base/json.h"
#include "core/sweep/metric.h"

#include <vector>

namespace qs::core {

// One cell of report.json over all its rounds.
[[nodiscard]] Json cellJson(const CellSummary& summary, const CellGates& gates,
                            const CellLabels& labels, const std::vector<const Metric*>& metrics);
[[nodiscard]] Json claimsJson(const std::vector<ClaimOutcome>& claims);

}  // namespace qs::core
