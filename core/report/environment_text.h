#pragma once

#include "core/record/environment.h"

#include <string>
#include <vector>

namespace qs::core {

// What an environment tells beyond its programs and devices, one line a topic: commit and
// libraries, processor, each GPU, PyTorch's switches, variables.
[[nodiscard]] std::vector<std::string> environmentLines(const Environment& environment);

}  // namespace qs::core
