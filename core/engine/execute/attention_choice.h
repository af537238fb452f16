#pragma once

#include "core/lower/program.h"

namespace qs::engine {

// Of all attention of this process from now on; Auto leaves the choice to PyTorch.
void chooseAttention(core::AttentionKernel kernel);
// The last choice of this process.
[[nodiscard]] core::AttentionKernel chosenAttention();

}  // namespace qs::engine
