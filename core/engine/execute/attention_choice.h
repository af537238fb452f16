#pragma once

#include "core/lower/program.h"

#include <c10/core/Device.h>

#include <string>

namespace qs::engine {

// Of all attention of this process from now on; Auto leaves the choice to PyTorch.
void chooseAttention(core::AttentionKernel kernel);
// The last choice of this process.
[[nodiscard]] core::AttentionKernel chosenAttention();

// The kernel that PyTorch picks for the attention of a stage, whose blocks all have the same
// shapes: "flash"; empty without attention.
[[nodiscard]] std::string pickedAttention(const core::Graph& stage, c10::Device device);

}  // namespace qs::engine
