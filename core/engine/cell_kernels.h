#pragma once

#include "core/engine/cell_observer.h"
#include "core/engine/compile/stage_package.h"
#include "core/engine/execute/pipeline.h"
#include "core/engine/internal/backend.h"
#include "core/engine/lowered_cell.h"
#include "core/engine/weights/weight_loader.h"
#include "core/measure/cell_result.h"

#include <vector>

namespace qs::engine {

// Compiles and tries the kernels of stages that run in kernels of ours, as packages are made before
// they are loaded: in a pass whose pipeline goes again, so that the first pass of the cell, its
// memory and what it leaves do not depend on what had to be made. What they are goes into the
// result. Without effect on devices without a queue, and where no stage runs so.
[[nodiscard]] core::Status makeKernels(const LoweredCell& cell,
                                       const std::vector<StageWeights>& weights,
                                       const std::vector<StagePackages>& packages,
                                       const core::HostTensors& inputs, Backend& backend,
                                       CellObserver& observer, core::CellResult& result);

// What that pipeline computes in kernels instead, with the times that making them took: a kernel
// may fail as late as when the pass is recorded.
void noteKernels(const core::Program& program, const Pipeline& pipeline, core::CellResult& result);

}  // namespace qs::engine
