#pragma once

#include "core/graph/graph_uses.h"
#include "core/lower/fused/coordinates.h"
#include "core/lower/fused/kernel_shape.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace qs::core {

// The axis that an argument names, counted from the first; `fallback` where it is left out.
[[nodiscard]] std::size_t axisOf(const Node& node, std::string_view argument, std::size_t rank,
                                 std::int64_t fallback);

// Where the element of a result of a view lies in what it views; nothing for operations that are no
// views, or views in steps.
[[nodiscard]] std::optional<Coordinates> throughView(const Graph& graph, const Node& node,
                                                     ValueId result, const Coordinates& at);

// Whether a view has its elements, of which there are some, in the order of what it views.
[[nodiscard]] bool keepsOrder(const Graph& graph, const Node& node);

// Whether an operation gives the elements that it reads, in another order or put together: a view,
// or a copy that kernels can write.
[[nodiscard]] bool movesElements(const Graph& graph, const Node& node);

// Where an element of a value lies in an input of the graph, in elements from its first.
struct PlaceInInput {
    std::size_t input = 0;
    Coordinate place;
};
// Through all views; nothing where the value is computed.
[[nodiscard]] std::optional<PlaceInInput>
placeInInput(const GraphUses& uses, const InputStrides& strides, ValueId id, Coordinates at);

}  // namespace qs::core
