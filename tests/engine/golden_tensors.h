#pragma once

#include "core/engine/execute/executor.h"

#include <string>

namespace qs::tests {

// The tensors of a golden file below tests/, on the CPU. What cannot be read fails the test.
[[nodiscard]] engine::NamedTensors readGoldenTensors(const std::string& file);

}  // namespace qs::tests
