#pragma once

#include "core/graph/graph.h"
#include "core/quant/recipe.h"

namespace qs::core {

// The graph that turns the stored weight of a layer into the parts that its scheme stores.
[[nodiscard]] Result<Graph> prepareWeight(const LayerRow& row);

// The other way round: the graph that turns those parts into the weight [out, in] that they stand
// for, "weight".
[[nodiscard]] Result<Graph> restoreWeight(const LayerRow& row);

}  // namespace qs::core
