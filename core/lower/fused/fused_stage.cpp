#include "core/lower/fused/fused_stage.h"

#include "core/lower/fused/fused_groups.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/without_repeats.h"
#include "core/lower/region_writer.h"

#include <algorithm>
#include <map>
#include <optional>

namespace qs::core {

namespace {

constexpr const char* kFusedPart = "fused";

class Fuser final
{
public:
    explicit Fuser(const Graph& graph)
        : m_source(graph), m_uses(graph), m_order(graph), m_views(m_uses, m_order, false)
    {
    }

    // Of operations that are no views: how many kernels compute, and how many run beside them.
    [[nodiscard]] std::size_t fused() const { return m_fused; }
    [[nodiscard]] std::size_t beside() const { return m_beside; }

    [[nodiscard]] Result<RegionStage> fuse()
    {
        const std::vector<NodeGroup> groups = fusedGroups(m_uses, m_order);
        std::vector<std::optional<std::size_t>> groupOf(m_source.nodes.size());
        for (std::size_t i = 0; i < groups.size(); ++i) {
            for (const std::size_t node : groups[i])
                groupOf[node] = i;
        }
        m_views.keepResults(m_uses, groupOf);
        const Arrangement arrangement = arrange(m_source, m_order, groups);
        m_result.graph.values = m_source.values;
        m_result.graph.inputs = m_source.inputs;
        m_result.graph.outputs = m_source.outputs;
        m_result.graph.constants = m_source.constants;
        m_result.graph.initialValues = m_source.initialValues;
        for (const NodeGroup& group : arrangement.order)
            QS_RETURN_IF_ERROR(write(group));
        dropUnread();
        return std::move(m_result);
    }

private:
    [[nodiscard]] Status write(const NodeGroup& group)
    {
        if (group.size() > 1) {
            RegionWriter writer(m_uses, m_views, group);
            QS_TRY(Graph program, writer.write());
            if (kernelSource(program, denseInputs(program), Division::Exact).ok()) {
                call(program, writer, m_source.nodes[group.front()].module);
                m_fused += computing(group);
                return {};
            }
        }
        for (const std::size_t node : group)
            m_result.graph.nodes.push_back(m_source.nodes[node]);
        m_beside += computing(group);
        return {};
    }

    [[nodiscard]] std::size_t computing(const NodeGroup& group) const
    {
        return static_cast<std::size_t>(
            std::count_if(group.begin(), group.end(),
                          [this](std::size_t node) { return !isView(m_source.nodes[node]); }));
    }

    void call(const Graph& program, const RegionWriter& writer, const std::string& module)
    {
        const auto [known, fresh] =
            m_programs.try_emplace(identityOf(program, {}), m_result.programs.size());
        if (fresh)
            m_result.programs.push_back({kFusedPart, {}, program, module});
        ++m_result.programs[known->second].calls;
        m_result.programOf.push_back(known->second);
        m_result.graph.nodes.push_back(regionCall(writer, module));
    }

    // Views that kernels have followed by themselves.
    void dropUnread()
    {
        Graph& graph = m_result.graph;
        std::vector<bool> read(graph.values.size(), false);
        for (const ValueId id : graph.outputs)
            read[std::size_t(id)] = true;
        std::vector<Node> kept;
        for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
            if (m_views.makes(*node) &&
                std::none_of(node->outputs.begin(), node->outputs.end(),
                             [&](ValueId id) { return read[std::size_t(id)]; }))
                continue;
            for (const ValueId id : node->inputs())
                read[std::size_t(id)] = true;
            kept.push_back(std::move(*node));
        }
        std::reverse(kept.begin(), kept.end());
        graph.nodes = std::move(kept);
    }

    const Graph& m_source;
    GraphUses m_uses;
    NodeOrder m_order;
    RecomputedValues m_views;
    std::map<std::string, std::size_t> m_programs;
    std::size_t m_fused = 0;
    std::size_t m_beside = 0;
    RegionStage m_result;
};

}  // namespace

Result<RegionStage> fusedStage(const StageProgram& stage, const DeviceDescription& device)
{
    QS_TRY(ReferenceStage reference, referenceStage(stage, device));
    const Graph graph = withoutRepeats(reference.graph);
    Fuser fuser(graph);
    QS_TRY(RegionStage fused, fuser.fuse());
    fused.notes = std::move(reference.notes);
    fused.notes.push_back(
        {NoteCode::FusedKernels,
         {stage.name, static_cast<double>(fused.programOf.size()),
          static_cast<double>(fuser.fused()), static_cast<double>(fuser.beside())}});
    if (device.kind == DeviceKind::Cpu)
        fused.notes.push_back({NoteCode::ReferenceFused, {stage.name}});
    return fused;
}

}  // namespace qs::core
