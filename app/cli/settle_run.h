#pragma once

#include "core/base/result.h"
#include "core/sweep/plan.h"

#include <filesystem>

namespace qs::app {

// What has to be appended to the run in this folder so that its open comparisons get so many more
// rounds. Prints which, and about how long they take. An error with the code InvalidArgument says
// why there is nothing to settle.
[[nodiscard]] core::Result<core::Plan> settlingPlan(const std::filesystem::path& folder,
                                                    int rounds);

}  // namespace qs::app
