#pragma once

#include "core/engine/execute/pipeline.h"
#include "core/lower/program.h"
#include "core/measure/pass_profile.h"

namespace qs::engine {

// Runs a few passes under the profiler of PyTorch (Kineto); see Note [Profile of a pass]. The
// states of the pipeline begin anew. Takes about a second the first time on a GPU, and may slow
// down what this process launches later: nothing may be timed after it.
[[nodiscard]] core::Result<core::PassProfile>
profilePasses(Pipeline& pipeline, const core::Program& program, Backend& backend);

}  // namespace qs::engine
