#pragma once

#include "core/engine/internal/backend.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace qs::engine {

// The index of the fastest of several ways to launch the same work on a GPU.
// Each is timed many times in a row within a recording, so that the host plays
// no part, and all of them in turns. Takes some milliseconds each; GPU thread.
[[nodiscard]] core::Result<std::size_t>
fastestLaunch(Backend& backend, const std::vector<std::function<void()>>& ways);

}  // namespace qs::engine
