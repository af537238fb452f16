#include "core/lower/region_stage.h"

#include "core/graph/graph_uses.h"
#include "core/graph/regions.h"
#include "core/lower/arrangement.h"
#include "core/lower/chosen_modules.h"
#include "core/lower/region_assembly.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace qs::core {

namespace {

// One region among the ATen operations of a stage.
struct FoundRegion {
    std::optional<RegionKind> kind;  // nothing: a module that was chosen
    std::string module;
    NodeGroup nodes;

    [[nodiscard]] std::string name() const
    {
        return kind ? std::string(kRegionKinds.of(*kind)) : module;
    }
};

class RegionTaker final
{
public:
    // With `all`, what lies between regions becomes regions as well.
    RegionTaker(const StageProgram& stage, const ReferenceStage& reference,
                std::vector<RegionKind> kinds, bool all)
        : m_stage(stage),
          m_kinds(std::move(kinds)),
          m_all(all),
          m_source(reference.graph),
          m_uses(reference.graph),
          m_order(reference.graph),
          m_recomputed(m_uses, m_order, all),
          m_assembly(reference.graph)
    {
        m_assembly.stage().notes = reference.notes;
        find(reference);
    }

    [[nodiscard]] Result<RegionStage> take()
    {
        std::vector<NodeGroup> groups;
        for (const FoundRegion& region : m_found)
            groups.push_back(region.nodes);
        const Arrangement arrangement = arrange(m_source, m_order, groups);
        for (const std::size_t separated : arrangement.separated)
            ++m_left[m_found[separated].name()];
        NodeGroup between;
        for (const NodeGroup& group : arrangement.order) {
            const FoundRegion* region = regionAt(group, arrangement.separated);
            if (region == nullptr) {
                between.push_back(group.front());
                continue;
            }
            QS_RETURN_IF_ERROR(writeBetween(between));
            QS_RETURN_IF_ERROR(write(*region));
        }
        QS_RETURN_IF_ERROR(writeBetween(between));
        for (const auto& [program, modules] : m_modulesOf)
            m_assembly.stage().programs[program].part = layerPatternsText(modules);
        return m_assembly.finish(m_recomputed);
    }

    // Whether there are regions, and each of them is taken out.
    [[nodiscard]] bool allTaken() const
    {
        return !m_count.empty() && m_left.empty() && !m_changesMemory;
    }

    void note(std::vector<Note>& notes) const
    {
        for (const RegionKind kind : m_kinds) {
            const std::string name(kRegionKinds.of(kind));
            if (findRegions(m_stage.graph, {kind}).empty())
                notes.push_back({NoteCode::RegionMissing, {m_stage.name, name}});
        }
        for (const auto& [name, left] : m_left)
            notes.push_back({NoteCode::RegionsLeftEager,
                             {m_stage.name, name, static_cast<double>(left),
                              static_cast<double>(m_count.at(name))}});
    }

private:
    void find(const ReferenceStage& reference)
    {
        const std::vector<GraphRegion> regions = findRegions(
            m_stage.graph, m_kinds, modulesMet(m_stage.graph, regionModulesOf(m_stage.compile)));
        std::vector<std::optional<std::size_t>> regionOf(m_stage.graph.nodes.size());
        for (std::size_t i = 0; i < regions.size(); ++i) {
            for (const std::size_t node : regions[i].nodes)
                regionOf[node] = i;
        }
        m_memberOf.resize(m_source.nodes.size());
        for (std::size_t i = 0; i < m_source.nodes.size(); ++i)
            m_memberOf[i] = regionOf[reference.source[i]];
        takeViews();
        m_recomputed.keepResults(m_uses, m_memberOf);
        std::vector<FoundRegion> found;
        for (const GraphRegion& region : regions)
            found.push_back({region.kind, region.module, {}});
        for (std::size_t i = 0; i < m_source.nodes.size(); ++i) {
            if (m_memberOf[i])
                found[*m_memberOf[i]].nodes.push_back(i);
        }
        for (FoundRegion& region : found) {
            ++m_count[region.name()];
            if (touchesMutated(m_source, m_order, region.nodes))
                ++m_left[region.name()];
            else
                m_found.push_back(std::move(region));
        }
    }

    // A view that one region alone reads belongs to it.
    void takeViews()
    {
        for (std::size_t i = m_source.nodes.size(); i-- > 0;) {
            const Node& node = m_source.nodes[i];
            if (m_memberOf[i] || !isView(node))
                continue;
            std::set<std::optional<std::size_t>> readers;
            for (const ValueId id : node.outputs) {
                if (m_uses.leavesGraph(id) || m_order.isMutated(id))
                    readers.insert(std::nullopt);
                for (const std::size_t reader : m_uses.consumers(id))
                    readers.insert(m_memberOf[reader]);
            }
            if (readers.size() == 1)
                m_memberOf[i] = *readers.begin();
        }
    }

    [[nodiscard]] const FoundRegion* regionAt(const NodeGroup& group,
                                              const std::vector<std::size_t>& separated) const
    {
        for (std::size_t i = 0; i < m_found.size(); ++i) {
            if (m_found[i].nodes == group &&
                !std::binary_search(separated.begin(), separated.end(), i))
                return &m_found[i];
        }
        return nullptr;
    }

    [[nodiscard]] Status write(const FoundRegion& region)
    {
        const auto& programOf = m_assembly.stage().programOf;
        const std::size_t before = programOf.size();
        QS_RETURN_IF_ERROR(write(region.nodes, region.kind ? region.name() : std::string(),
                                 packageModeOf(m_stage.compile, region.kind), region.module));
        if (!region.kind && programOf.size() > before)
            m_modulesOf[programOf.back()].push_back(region.module);
        return {};
    }

    // Empties `nodes`.
    [[nodiscard]] Status writeBetween(NodeGroup& nodes)
    {
        NodeGroup views = std::exchange(nodes, {});
        if (m_all) {
            m_changesMemory = m_changesMemory || touchesMutated(m_source, m_order, views);
            const NodeGroup region = splitRegion(views);
            if (!region.empty())
                QS_RETURN_IF_ERROR(write(region, kRestPart, m_stage.compile->packageMode, {}));
        }
        for (const std::size_t node : views)
            m_assembly.keep(node);
        return {};
    }

    // Takes a region out of these nodes and leaves what others read and compute anew. Alone, that
    // is no region.
    [[nodiscard]] NodeGroup splitRegion(NodeGroup& nodes) const
    {
        std::set<std::size_t> region(nodes.begin(), nodes.end());
        NodeGroup left;
        bool computes = false;
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
            const auto& outputs = m_source.nodes[*node].outputs;
            if (!m_recomputed.makes(m_source.nodes[*node]))
                computes = true;
            else if (!std::all_of(outputs.begin(), outputs.end(),
                                  [&](ValueId id) { return m_uses.isReadOnlyBy(region, id); })) {
                region.erase(*node);
                left.insert(left.begin(), *node);
            }
        }
        if (!computes)
            return {};
        nodes = left;
        return {region.begin(), region.end()};
    }

    [[nodiscard]] Status write(const NodeGroup& nodes, const std::string& part,
                               const std::string& mode, const std::string& module)
    {
        RegionWriter writer(m_uses, m_recomputed, nodes);
        QS_TRY(Graph graph, writer.write());
        if (writer.outputs().empty())
            return {};
        m_assembly.call(writer, {part, mode, std::move(graph), module});
        return {};
    }

    const StageProgram& m_stage;
    std::vector<RegionKind> m_kinds;
    bool m_all;
    const Graph& m_source;
    GraphUses m_uses;
    NodeOrder m_order;
    RecomputedValues m_recomputed;
    std::vector<std::optional<std::size_t>> m_memberOf;  // of each node
    std::vector<FoundRegion> m_found;
    std::map<std::string, int> m_count;                           // of regions, by their name
    std::map<std::string, int> m_left;                            // of these: not taken out
    bool m_changesMemory = false;                                 // what lies between regions
    std::map<std::size_t, std::vector<std::string>> m_modulesOf;  // programs that were chosen
    RegionAssembly m_assembly;
};

bool anyEqual(const RegionStage& parts)
{
    return std::any_of(parts.programs.begin(), parts.programs.end(),
                       [](const RegionProgram& each) { return each.calls > 1; });
}

}  // namespace

Result<RegionStage> regionStage(const StageProgram& stage, const DeviceDescription& device)
{
    QS_TRY(const ReferenceStage reference, referenceStage(stage, device));
    RegionTaker taker(stage, reference, regionsOf(stage.compile), false);
    QS_TRY(RegionStage regions, taker.take());
    taker.note(regions.notes);
    return regions;
}

Result<std::optional<RegionStage>> compiledParts(const StageProgram& stage,
                                                 const DeviceDescription& device)
{
    if (stage.compile->regional) {
        QS_TRY(RegionStage regions, regionStage(stage, device));
        return std::optional(std::move(regions));
    }
    const bool cut = cutsBetweenBlocks(stage.compile);
    if (!cut && !compilesBlocksOnce(stage.compile))
        return std::optional<RegionStage>();
    QS_TRY(const ReferenceStage reference, referenceStage(stage, device));
    RegionTaker taker(stage, reference, {RegionKind::Block}, true);
    QS_TRY(RegionStage parts, taker.take());
    if (cut && !taker.allTaken())
        return Error{ErrorCode::Unsupported,
                     "the " + stage.name +
                         " cannot be cut between blocks: what they read and "
                         "write cannot be kept apart"};
    if (cut)
        parts.notes.push_back({NoteCode::CutBetweenBlocks,
                               {stage.name, static_cast<double>(parts.programs.size()),
                                static_cast<double>(parts.programOf.size())}});
    return cut || (taker.allTaken() && anyEqual(parts)) ? std::optional(std::move(parts))
                                                        : std::nullopt;
}

Result<std::vector<PackageProgram>> packagePrograms(const StageProgram& stage,
                                                    const DeviceDescription& device)
{
    std::vector<PackageProgram> programs;
    if (stage.compile->packageMode.empty())
        return programs;
    QS_TRY(std::optional<RegionStage> parts, compiledParts(stage, device));
    if (!parts) {
        QS_TRY(ReferenceStage reference, referenceStage(stage, device));
        programs.push_back({{}, stage.compile->packageMode, std::move(reference.graph)});
        return programs;
    }
    for (RegionProgram& program : parts->programs)
        programs.push_back({std::move(program.part), std::move(program.packageMode),
                            std::move(program.graph), program.calls});
    return programs;
}

}  // namespace qs::core
