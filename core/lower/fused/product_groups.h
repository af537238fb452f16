#pragma once

#include "core/device/description.h"
#include "core/graph/graph_uses.h"
#include "core/lower/arrangement.h"

#include <vector>

namespace qs::core {

// Each product that a kernel of this device can compute, with what follows it and, where it has few
// rows, with what makes its weights of codes; a processor runs their compositions.
[[nodiscard]] std::vector<NodeGroup> productGroups(const GraphUses& uses, const NodeOrder& order,
                                                   const DeviceDescription& device);

}  // namespace qs::core
