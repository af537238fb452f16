#pragma once

#include "core/engine/compile/stage_runner.h"

#include <memory>

namespace qs::engine {

// The compositions of the schemes in ATen operations, launched one by one.
[[nodiscard]] core::Result<std::unique_ptr<StageRunner>> makeEagerRunner(const StageSetup& setup);

// The same operations, recorded as one CUDA graph that each pass launches.
[[nodiscard]] core::Result<std::unique_ptr<StageRunner>> makeGraphRunner(const StageSetup& setup);

}  // namespace qs::engine
