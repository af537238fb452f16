#pragma once

#include "core/graph/graph.h"
#include "core/lower/fused/coordinates.h"

#include <cstddef>
#include <optional>

namespace qs::core {

// Where the element of the result `index` of a view lies in what it views; nothing for operations
// that are no views, or views in steps.
[[nodiscard]] std::optional<Coordinates> throughView(const Graph& graph, const Node& node,
                                                     std::size_t index, const Coordinates& at);

}  // namespace qs::core
