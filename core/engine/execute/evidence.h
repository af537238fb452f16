#pragma once

#include "core/engine/compile/stage_runner.h"
#include "core/measure/execution.h"

#include <vector>

namespace qs::engine {

// What ran in each stage, of what was counted, one entry per stage, against what the layers of the
// Program ask for. `weights`: one entry per stage as well; what they do not tell of layers is told
// by how many there are.
[[nodiscard]] std::vector<core::ExecutedStage>
executedStages(const core::Program& program, const core::Recipe& recipe,
               const core::DeviceDescription& device, const std::vector<ProductCounts>& counts,
               const std::vector<WeightProducts>& weights);

}  // namespace qs::engine
