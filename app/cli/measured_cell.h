#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/measured_run.h"
#include "core/analysis/subset_search.h"
#include "core/base/result.h"
#include "core/sweep/cell.h"
#include "core/sweep/gate.h"

#include <optional>
#include <string>

namespace qs::app {

// Against the speed baseline of the run's preset.
[[nodiscard]] core::Analysis analysisOf(const core::MeasuredRun& run);

// What a search asks of a cell.
struct MeasuredCell {
    core::SubsetFigures figures = {};
    bool meetsLimit = true;
};

// The cell with that configuration in a run, which is measured and added to the run if it is not
// there: for searches that decide by what they find. The error says that the cells do not have the
// metric of the limit.
[[nodiscard]] core::Result<MeasuredCell> measuredCell(const std::string& run,
                                                      const core::CellConfig& config,
                                                      const std::optional<core::Gate>& limit);

}  // namespace qs::app
