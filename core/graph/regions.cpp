#include "core/graph/regions.h"

#include "core/graph/region_patterns.h"

#include <algorithm>

namespace qs::core {

namespace {

std::vector<RegionNodes> regionsOf(RegionKind kind, const GraphUses& uses)
{
    switch (kind) {
    case RegionKind::Block:
        return blockRegions(uses);
    case RegionKind::Mlp:
        return mlpRegions(uses);
    case RegionKind::Rope:
        return ropeRegions(uses);
    case RegionKind::Norm:
        return normRegions(uses);
    case RegionKind::SiluGate:
        return gateRegions(uses);
    case RegionKind::AttentionMerge:
        return mergeRegions(uses);
    case RegionKind::QkvSplit:
        return splitRegions(uses);
    }
    return {};
}

// The modules that both paths begin with.
std::string commonModule(const std::string& a, const std::string& b)
{
    std::size_t end = 0;
    for (std::size_t i = 0; i <= std::min(a.size(), b.size()); ++i) {
        const bool ends = (i == a.size() || a[i] == '.') && (i == b.size() || b[i] == '.');
        if (ends)
            end = i;
        if (i < std::min(a.size(), b.size()) && a[i] != b[i])
            break;
    }
    return a.substr(0, end);
}

RegionNodes moduleNodes(const Graph& graph, const std::string& module)
{
    RegionNodes nodes;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (liesIn(graph.nodes[i].module, module))
            nodes.insert(i);
    }
    return nodes;
}

GraphRegion regionFrom(RegionKind kind, const Graph& graph, const RegionNodes& nodes)
{
    GraphRegion region{kind, graph.nodes[*nodes.begin()].module, {nodes.begin(), nodes.end()}};
    for (const std::size_t node : nodes)
        region.module = commonModule(region.module, graph.nodes[node].module);
    return region;
}

}  // namespace

bool liesIn(std::string_view path, std::string_view module)
{
    return path.starts_with(module) && (path.size() == module.size() || path[module.size()] == '.');
}

std::vector<GraphRegion> findRegions(const Graph& graph, const std::vector<RegionKind>& kinds,
                                     const std::vector<std::string>& modules)
{
    const GraphUses uses(graph);
    std::vector<bool> taken(graph.nodes.size(), false);
    std::vector<GraphRegion> regions;
    for (const std::string& module : modules) {
        const RegionNodes nodes = moduleNodes(graph, module);
        for (const std::size_t node : nodes)
            taken[node] = true;
        if (!nodes.empty())
            regions.push_back({std::nullopt, module, {nodes.begin(), nodes.end()}});
    }
    for (const RegionKind kind : kRegionKinds.values()) {
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
            continue;
        for (const RegionNodes& nodes : regionsOf(kind, uses)) {
            if (std::any_of(nodes.begin(), nodes.end(),
                            [&](std::size_t node) { return taken[node]; }))
                continue;
            for (const std::size_t node : nodes)
                taken[node] = true;
            regions.push_back(regionFrom(kind, graph, nodes));
        }
    }
    std::sort(regions.begin(), regions.end(), [](const GraphRegion& a, const GraphRegion& b) {
        return a.nodes.front() < b.nodes.front();
    });
    return regions;
}

}  // namespace qs::core
