#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/measured_run.h"
#include "core/base/result.h"
#include "core/sweep/cell.h"
#include "core/sweep/gate.h"

#include <string>

namespace qs::app {

// Against the speed baseline of the run's preset.
[[nodiscard]] core::Analysis analysisOf(const core::MeasuredRun& run);

// The cell with that configuration in a run, which is measured and added to the run if it is not
// there: for searches that decide by what they find. The summary does not point into the plan.
[[nodiscard]] core::Result<core::CellSummary> measuredCell(const std::string& run,
                                                           const core::CellConfig& config);

// Whether a gate on quality holds. The error says that the cells do not have its metric.
[[nodiscard]] core::Result<bool> meetsLimit(const core::Gate& limit,
                                            const core::CellSummary& summary);

}  // namespace qs::app
