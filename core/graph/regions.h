#pragma once

#include "core/base/enum_names.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <string>
#include <vector>

namespace qs::core {

// What a region of a model is. Larger ones stand first: where two kinds meet, the first one has the
// operations.
enum class RegionKind {
    Block,           // all of one entry of a list of modules: "decoder_blocks.3"
    Mlp,             // from the linear layers before an activation function to the one behind it
    Rope,            // queries and keys turned by their position
    Norm,            // layer norm or RMS norm, with its casts
    SiluGate,        // an activation function times what it gates
    AttentionMerge,  // heads become tokens again
    QkvSplit,        // tokens become heads
};
inline constexpr auto kRegionKinds = enumNames<RegionKind>({
    {RegionKind::Block, "block"},
    {RegionKind::Mlp, "mlp"},
    {RegionKind::Rope, "rope"},
    {RegionKind::Norm, "norm"},
    {RegionKind::SiluGate, "silu_gate"},
    {RegionKind::AttentionMerge, "attention_merge"},
    {RegionKind::QkvSplit, "qkv_split"},
});

// Operations of a graph that belong together.
struct Region {
    RegionKind kind = RegionKind::Block;
    std::string module;              // that all of them lie in
    std::vector<std::size_t> nodes;  // their indices, ascending
};

// The regions of these kinds, found by their operations and the modules these belong to; no
// operation is in two of them. In order of their first operation.
[[nodiscard]] std::vector<Region> findRegions(const Graph& graph,
                                              const std::vector<RegionKind>& kinds);

}  // namespace qs::core
