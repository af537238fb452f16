#pragma once

#include "core/analysis/cell_summary.h"
#include "core/analysis/claim_outcome.h"

#include <functional>
#include <string>
#include <vector>

namespace qs::core {

// The claims of the run's preset in their order. `analysisOf` gives the analysis with a speed
// baseline; what it gives stays.
[[nodiscard]] std::vector<ClaimOutcome>
evaluateClaims(const RunData& data,
               const std::function<const Analysis&(const std::string& baseline)>& analysisOf);

}  // namespace qs::core
