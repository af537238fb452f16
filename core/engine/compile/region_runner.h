#pragma once

#include "core/engine/compile/stage_runner.h"

#include <memory>

namespace qs::engine {

// Packages of the regions of a stage, and the operations between them one by one; see Note
// [Regions]. The stage is checked against the same operations run eagerly before its time counts. A
// mode that says so has it recorded as a CUDA graph.
[[nodiscard]] core::Result<std::unique_ptr<StageRunner>> makeRegionRunner(const StageSetup& setup);

}  // namespace qs::engine
