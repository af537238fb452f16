#pragma once

#include "core/base/result.h"
#include "core/sweep/plan.h"

#include <string>
#include <vector>

namespace qs::app {

// Keeps the swept cells that match all filters ("batch=1,4"), and of the others what these need:
// their quality reference with its noise-floor runs, and bf16 cells for ratios. A swept cell that
// stays only as a reference is one from then on. InvalidArgument for filters that are not
// understood or leave nothing.
[[nodiscard]] core::Status filterPlan(core::Plan& plan, const std::vector<std::string>& filters);

}  // namespace qs::app
