#pragma once

#include "core/graph/graph_uses.h"
#include "core/lower/arrangement.h"

#include <cstddef>
#include <vector>

namespace qs::core {

// A product and what is computed from it element by element, up to where its result takes the
// fewest bytes.
struct ProductGroup {
    NodeGroup nodes;
    bool isGate = false;        // it ends in one element of two, half a row apart
    bool isUnevenGate = false;  // it does not, only because halves are no multiple of that
};
// `taken`: nodes that belong to groups already.
[[nodiscard]] ProductGroup withFollowers(const GraphUses& uses, const NodeOrder& order,
                                         const std::vector<bool>& taken, std::size_t product);

}  // namespace qs::core
