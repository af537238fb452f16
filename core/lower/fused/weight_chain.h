#pragma once

#include "core/graph/graph_uses.h"
#include "core/lower/arrangement.h"

#include <optional>
#include <vector>

namespace qs::core {

// Weights of a byte an element.
[[nodiscard]] bool holdsCodes(const Value& value);

// The operations that make a value of weights alone, element by element.
struct WeightChain {
    NodeGroup nodes;  // in order
    bool hasCodes = false;
};
// Nothing where the value is made otherwise, or where others than `readers` read what is made on
// the way. `taken`: nodes that belong to groups already.
[[nodiscard]] std::optional<WeightChain> weightChain(const GraphUses& uses, const NodeOrder& order,
                                                     const std::vector<bool>& taken, ValueId value,
                                                     const NodeGroup& readers);

}  // namespace qs::core
