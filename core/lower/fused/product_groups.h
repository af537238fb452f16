#pragma once

#include "core/device/description.h"
#include "core/graph/graph_uses.h"
#include "core/lower/arrangement.h"
#include "core/lower/fused/product_units.h"

#include <cstdint>
#include <vector>

namespace qs::core {

// Of a product of 16 bits, at most: with more, the library multiplies as fast as kernels of ours.
inline constexpr std::int64_t kFewRows = 512;

// Each product that a kernel of this device can compute, by these units at best, with what follows
// it and, where it has few rows, with what makes its weights of codes; a processor runs their
// compositions.
[[nodiscard]] std::vector<NodeGroup> productGroups(const GraphUses& uses, const NodeOrder& order,
                                                   const DeviceDescription& device,
                                                   ProductUnits most = ProductUnits::Hopper);

}  // namespace qs::core
