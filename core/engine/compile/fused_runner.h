#pragma once

#include "core/engine/compile/stage_runner.h"
#include "core/lower/region_stage.h"

#include <memory>

namespace qs::engine {

// Groups of operations as kernels of ours, the rest as eager; on a GPU recorded as one CUDA graph.
// A CPU runs the compositions that define the kernels (core/lower/fused/fused_stage.h).
[[nodiscard]] core::Result<std::unique_ptr<StageRunner>> makeFusedRunner(const StageSetup& setup);
// Runs `fused`, whatever it was made of; verified against the program of the setup.
[[nodiscard]] core::Result<std::unique_ptr<StageRunner>> makeFusedRunnerOf(const StageSetup& setup,
                                                                           core::RegionStage fused);

}  // namespace qs::engine
