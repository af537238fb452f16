#pragma once

#include "core/graph/graph_uses.h"
#include "core/lower/arrangement.h"

#include <vector>

namespace qs::core {

// Note [Fused groups]
// Products, attention and all that no kernel of ours computes cut a stage into layers: what lies
// between two of them may become one kernel, since nothing outside has to run in the middle of it.
// An operation whose readers all lie in a later layer moves there, next to them: what a product
// gives is scaled where it is read. Groups share the rows of their reductions.

// Operations that belong into one kernel each, two and more that compute; disjoint. Views that they
// read or end in belong to them. `products`: groups that kernels with a product compute already.
[[nodiscard]] std::vector<NodeGroup> fusedGroups(const GraphUses& uses, const NodeOrder& order,
                                                 const std::vector<NodeGroup>& products);

}  // namespace qs::core
