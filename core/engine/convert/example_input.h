#pragma once

#include "core/graph/graph.h"

#include <ATen/core/Tensor.h>

namespace qs::engine {

// On the CPU, the same each time: values that no operation is likely to treat apart; whole numbers
// stay indices of any table.
[[nodiscard]] at::Tensor exampleOf(const core::TensorType& type);

}  // namespace qs::engine
