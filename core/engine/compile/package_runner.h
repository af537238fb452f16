#pragma once

#include "core/engine/compile/stage_runner.h"

#include <memory>

namespace qs::engine {

// The package of a stage (see Note [Packages]), checked against the same operations run eagerly
// before its time counts. A mode that says so has it recorded as a CUDA graph.
[[nodiscard]] core::Result<std::unique_ptr<StageRunner>> makePackageRunner(const StageSetup& setup);

}  // namespace qs::engine
