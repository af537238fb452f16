#pragma once

#include "core/record/run_data.h"

#include <functional>

namespace qs::tests {

// The sample run whose cells of these configurations wait for the host: three quarters of a pass on
// the GPU are gaps. The others are busy all the time.
[[nodiscard]] core::RunData hostBoundRun(const std::function<bool(const core::CellConfig&)>& waits);

}  // namespace qs::tests
