#pragma once

#include "core/graph/graph.h"
#include "core/lower/compositions.h"
#include "core/quant/recipe.h"

#include <map>
#include <string>
#include <vector>

namespace qs::core {

// Replaces every qs::linear by the composition of its scheme. Inputs named in `arriving` are taken
// in that type and cast to the one the graph wants.
[[nodiscard]] Graph expandSchemes(const Graph& graph, const CompositionTarget& target,
                                  std::vector<std::string>& notes,
                                  const std::map<std::string, DType>& arriving = {});

// Attention in bfloat16 with its result cast back, as autocast runs it.
[[nodiscard]] Graph narrowAttention(const Graph& graph);

// The graph that turns the stored weight of a layer into codes and scale.
[[nodiscard]] Graph prepareWeight(const LayerRow& row, DType workingType);

}  // namespace qs::core
