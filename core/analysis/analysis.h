#pragma once

#include "core/analysis/cell_summary.h"
#include "core/analysis/run_figures.h"

#include <string>

namespace qs::core {

// `baseline`: see core/sweep/speed_baseline_name.h, or a cell id. The RunData must outlive the
// result.
[[nodiscard]] Analysis analyse(const RunData& data, const std::string& baseline);
// The same of a run whose rows were not kept, see RunFigures.
[[nodiscard]] Analysis analyse(const RunData& data, const RunFigures& figures,
                               const std::string& baseline);

}  // namespace qs::core
