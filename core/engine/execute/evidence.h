#pragma once

#include "core/engine/compile/stage_runner.h"
#include "core/measure/execution.h"

#include <vector>

namespace qs::engine {

// What ran in each stage, of what was counted, one entry per stage, against what the layers of the
// Program ask for.
[[nodiscard]] std::vector<core::ExecutedStage>
executedStages(const core::Program& program, const core::Recipe& recipe,
               const core::DeviceDescription& device, const std::vector<ProductCounts>& counts);

}  // namespace qs::engine
