#pragma once

#include "core/base/enum_names.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
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
struct GraphRegion {
    std::optional<RegionKind> kind;  // nothing: a module that was chosen
    std::string module;              // that all of them lie in
    std::vector<std::size_t> nodes;  // their indices, ascending
};

// The regions of these kinds, found by their operations and the modules these belong to, and all
// operations of each of these modules; no operation is in two regions, modules go first. In order
// of their first operation.
[[nodiscard]] std::vector<GraphRegion> findRegions(const Graph& graph,
                                                   const std::vector<RegionKind>& kinds,
                                                   const std::vector<std::string>& modules = {});
// Whether the path is that of the module, or of one in it.
[[nodiscard]] bool liesIn(std::string_view path, std::string_view module);

}  // namespace qs::core
