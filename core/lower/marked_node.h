#pragma once

#include "core/graph/graph.h"
#include "core/quant/scheme.h"

namespace qs::core {

// Whether the node is a layer that carries a scheme; see markLayers().
[[nodiscard]] bool isMarked(const Node& node);
// Of such a node.
[[nodiscard]] Scheme schemeOf(const Node& node);

}  // namespace qs::core
