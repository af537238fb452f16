#pragma once

#include "core/engine/compile/stage_runner.h"

#include <memory>

namespace qs::engine {

// A compiled program of a user as it is, see LoadedProgram. Its first pass tells whether it takes
// its inputs; what it gives is what it gave when it was tried.
[[nodiscard]] core::Result<std::unique_ptr<StageRunner>> makeProgramRunner(const StageSetup& setup);

}  // namespace qs::engine
