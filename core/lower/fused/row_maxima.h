#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace qs::core {

// The largest or smallest of all elements of a tensor is that of the largest of each of its rows:
// the same number, NaN included. Those of rows are found by the kernel that makes the rows; what is
// left is one short row, where PyTorch reads the tensor once more. Of very many rows the largest
// are compared in rows of their own before.
[[nodiscard]] Result<Graph> byRowMaxima(const Graph& graph);

}  // namespace qs::core
