#pragma once

#include "core/base/result.h"
#include "core/graph/graph_uses.h"

namespace qs::core {

// Attention gives its result in the order of axes in which it finds the queries. Where the result
// is turned from heads to tokens, computed queries and keys are made in the order of tokens, so
// that nothing is copied behind it.
[[nodiscard]] Result<Graph> inTokenOrder(const Graph& graph);
// Whether a view turns tokens to heads for attention alone, which reads any order.
[[nodiscard]] bool feedsAttention(const GraphUses& uses, const Node& view);

}  // namespace qs::core
