#pragma once

#include "core/engine/compile/stage_runner.h"
#include "core/measure/cell_result.h"

#include <vector>

namespace qs::engine {

// Fills executed and operations of the result from what was counted, one entry per stage. Where the
// counts contradict the Program, the executed precision begins with "MISMATCH" and says what was
// expected.
void describeExecution(const core::Program& program, const core::Recipe& recipe,
                       const core::DeviceDescription& device,
                       const std::vector<ProductCounts>& counts, core::CellResult& result);

}  // namespace qs::engine
