#pragma once

#include "core/engine/compile/stage_runner.h"
#include "core/lower/region_stage.h"

#include <memory>

namespace qs::engine {

// Packages of the parts of a stage, and the operations between them one by one; see Note [Regions]
// and core::compiledParts. The stage is checked against the same operations run eagerly before its
// time counts. A mode that says so has it recorded as a CUDA graph.
[[nodiscard]] core::Result<std::unique_ptr<StageRunner>> makeRegionRunner(const StageSetup& setup,
                                                                          core::RegionStage parts);

}  // namespace qs::engine
