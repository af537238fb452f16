#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace qs::core {

// Group norms as norms of rows: all that an image has in a group of channels is one, and what
// scales and shifts each channel comes behind it. Kernels have rows, so that what is before and
// behind a norm becomes one with it. Computed in float32 and rounded once, as PyTorch does. Where
// there are fewer rows than a GPU can be filled with, they stay.
[[nodiscard]] Result<Graph> withGroupRows(const Graph& graph);

}  // namespace qs::core
