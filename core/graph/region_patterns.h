#pragma once

#include "core/graph/graph_uses.h"

#include <cstddef>
#include <set>
#include <vector>

namespace qs::core {

// Nodes of one region, by index.
using RegionNodes = std::set<std::size_t>;

// What each kind of region is made of (see RegionKind); regions of one kind in order.
[[nodiscard]] std::vector<RegionNodes> blockRegions(const GraphUses& uses);
[[nodiscard]] std::vector<RegionNodes> mlpRegions(const GraphUses& uses);
[[nodiscard]] std::vector<RegionNodes> gateRegions(const GraphUses& uses);
[[nodiscard]] std::vector<RegionNodes> normRegions(const GraphUses& uses);
[[nodiscard]] std::vector<RegionNodes> ropeRegions(const GraphUses& uses);
[[nodiscard]] std::vector<RegionNodes> splitRegions(const GraphUses& uses);
[[nodiscard]] std::vector<RegionNodes> mergeRegions(const GraphUses& uses);

// A product of any kind but attention.
[[nodiscard]] bool isProduct(const Node& node);
// Moves no data but, at most, copies it as it is.
[[nodiscard]] bool onlyArranges(const Node& node);

}  // namespace qs::core
