#pragma once

#include "core/graph/graph.h"
#include "core/quant/recipe.h"

namespace qs::core {

// The graph that turns the stored weight of a layer into the parts that its scheme stores.
[[nodiscard]] Result<Graph> prepareWeight(const LayerRow& row);

}  // namespace qs::core
