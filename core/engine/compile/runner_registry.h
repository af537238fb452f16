#pragma once

#include "core/engine/compile/stage_runner.h"

#include <functional>
#include <memory>
#include <string>

namespace qs::engine {

using RunnerFactory =
    std::function<core::Result<std::unique_ptr<StageRunner>>(const StageSetup& setup)>;

// The runner of a compile mode, by the name of its row (core/lower/compile_mode.h). Before the
// first cell; a program may add its own.
void registerRunner(const std::string& mode, RunnerFactory factory);
// Unsupported if no runner bears the name of the stage's mode.
[[nodiscard]] core::Result<std::unique_ptr<StageRunner>> makeRunner(const StageSetup& setup);

}  // namespace qs::engine
