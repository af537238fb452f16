#include "core/lower/chosen_modules.h"

#include "core/graph/regions.h"
#include "core/lower/arrangement.h"
#include "core/lower/region_writer.h"

#include <algorithm>
#include <set>
#include <utility>

namespace qs::core {

namespace {

using Objection = std::optional<Note>;

// One module within another has operations that both want.
Objection nestedObjection(const std::vector<std::string>& modules)
{
    for (const std::string& inner : modules) {
        for (const std::string& outer : modules) {
            if (inner != outer && liesIn(inner, outer))
                return Note{NoteCode::RegionsOverlap, {inner, outer}};
        }
    }
    return {};
}

// A region of a kind is a part of a chosen module, or lies outside of it.
Objection straddleObjection(const Graph& graph, const std::vector<RegionKind>& kinds,
                            const std::vector<std::string>& modules)
{
    for (const GraphRegion& region : findRegions(graph, kinds)) {
        for (const std::string& module : modules) {
            const auto inside =
                std::count_if(region.nodes.begin(), region.nodes.end(), [&](std::size_t node) {
                    return liesIn(graph.nodes[node].module, module);
                });
            if (inside > 0 && static_cast<std::size_t>(inside) < region.nodes.size())
                return Note{NoteCode::RegionsOverlap,
                            {std::string(kRegionKinds.of(*region.kind)), module}};
        }
    }
    return {};
}

// Something outside of a module has to run between its operations.
Objection orderObjection(const std::string& stage, const Graph& graph, const NodeOrder& order,
                         const std::vector<GraphRegion>& chosen)
{
    std::vector<NodeGroup> groups;
    for (const GraphRegion& region : chosen)
        groups.push_back(region.nodes);
    const Arrangement together = arrange(graph, order, groups);
    if (together.separated.empty())
        return {};
    for (const GraphRegion& region : chosen) {
        if (!arrange(graph, order, {region.nodes}).separated.empty())
            return Note{NoteCode::RegionInterrupted, {stage, region.module}};
    }
    return Note{NoteCode::RegionInterrupted, {stage, chosen[together.separated.front()].module}};
}

Objection stageObjection(const std::string& stage, const Graph& graph, const CompileMode& mode,
                         const std::vector<std::string>& modules)
{
    if (Objection reason = nestedObjection(modules))
        return reason;
    if (Objection reason = straddleObjection(graph, regionsOf(mode), modules))
        return reason;
    const std::vector<GraphRegion> chosen = findRegions(graph, {}, modules);
    const NodeOrder order(graph);
    for (const GraphRegion& region : chosen) {
        if (touchesMutated(graph, order, region.nodes))
            return Note{NoteCode::RegionChangesMemory, {stage, region.module}};
        if (std::all_of(region.nodes.begin(), region.nodes.end(),
                        [&](std::size_t node) { return isView(graph.nodes[node]); }))
            return Note{NoteCode::RegionOnlyArranges, {stage, region.module}};
    }
    return orderObjection(stage, graph, order, chosen);
}

// A mode that cuts between blocks says so in its name: it must not come to one program after all.
Objection cutObjection(const std::string& stage, const Graph& graph, const CompileMode& mode)
{
    if (hasFreeBatch(mode))
        return remark("blocks=cut needs shapes=static: a block alone does not know the batch");
    const std::vector<GraphRegion> blocks = findRegions(graph, {RegionKind::Block});
    if (blocks.empty())
        return Note{NoteCode::RegionMissing,
                    {stage, std::string(kRegionKinds.of(RegionKind::Block))}};
    const NodeOrder order(graph);
    for (const GraphRegion& block : blocks) {
        if (touchesMutated(graph, order, block.nodes))
            return Note{NoteCode::RegionChangesMemory, {stage, block.module}};
    }
    return orderObjection(stage, graph, order, blocks);
}

}  // namespace

std::vector<std::string> modulesMet(const Graph& graph, const std::vector<LayerPattern>& patterns)
{
    std::vector<std::string> modules;
    std::set<std::string_view> known;
    for (const Node& node : graph.nodes) {
        for (const LayerPattern& pattern : patterns) {
            const std::string_view met = pattern.moduleMet(node.module);
            if (!met.empty() && known.insert(met).second)
                modules.emplace_back(met);
        }
    }
    return modules;
}

std::optional<Note> whyNoRegions(const ModelFamily& family, const std::vector<CompileMode>& modes,
                                 const ShapePoint& shape)
{
    std::set<std::string> wanted;  // patterns
    std::set<std::string> found;
    for (std::size_t stage = 0; stage < modes.size(); ++stage) {
        const std::vector<LayerPattern> patterns = regionModulesOf(modes[stage]);
        const bool cuts = cutsBetweenBlocks(modes[stage]);
        if (patterns.empty() && !cuts)
            continue;
        const auto graph = family.buildStage(stage, shape, DType::BFloat16);
        if (!graph.ok())
            return remark(graph.error().message);
        const std::string& name = family.stages()[stage].name;
        if (Objection reason =
                cuts ? cutObjection(name, graph.value(), modes[stage]) : std::nullopt)
            return reason;
        for (const LayerPattern& pattern : patterns) {
            wanted.insert(pattern.text());
            if (!modulesMet(graph.value(), {pattern}).empty())
                found.insert(pattern.text());
        }
        if (Objection reason = stageObjection(name, graph.value(), modes[stage],
                                              modulesMet(graph.value(), patterns)))
            return reason;
    }
    for (const std::string& pattern : wanted) {
        if (!found.contains(pattern))
            return Note{NoteCode::RegionNotThere, {pattern}};
    }
    return {};
}

}  // namespace qs::core
