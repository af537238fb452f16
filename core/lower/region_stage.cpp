#include "core/lower/region_stage.h"

#include "core/graph/builder.h"
#include "core/graph/graph_uses.h"
#include "core/graph/regions.h"
#include "core/lower/arrangement.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace qs::core {

namespace {

std::size_t slotOf(ValueId value)
{
    return static_cast<std::size_t>(value);
}

bool isView(const Node& node)
{
    return node.operation->operationClass == OperationClass::View;
}

// Two programs are equal if these are.
std::string identityOf(const Graph& graph, const std::string& packageMode)
{
    std::string text = packageMode + "\n" + toText(graph);
    for (const auto& [id, values] : graph.constants) {
        text += graph.value(id).name;
        for (const double value : values)
            text += " " + std::to_string(value);
        text += "\n";
    }
    return text;
}

// Copies the operations of a region into a graph of its own.
class RegionWriter final
{
public:
    RegionWriter(const GraphUses& uses, const NodeOrder& order, const NodeGroup& region)
        : m_uses(uses), m_order(order), m_region(region.begin(), region.end())
    {
    }

    [[nodiscard]] Result<Graph> write()
    {
        for (const std::size_t node : m_region)
            copy(node);
        for (const std::size_t node : m_region) {
            for (const ValueId id : m_uses.graph().nodes[node].outputs) {
                if (!isReadOutside(id))
                    continue;
                m_builder.output(m_mapped.at(id), "y" + std::to_string(m_outputs.size()));
                m_outputs.push_back(id);
            }
        }
        return m_builder.finish();
    }

    // Values of the stage, in the order of the graph's inputs and outputs.
    [[nodiscard]] const std::vector<ValueId>& inputs() const { return m_inputs; }
    [[nodiscard]] const std::vector<ValueId>& outputs() const { return m_outputs; }

private:
    [[nodiscard]] bool isReadOutside(ValueId id) const
    {
        const auto& readers = m_uses.consumers(id);
        return m_uses.leavesGraph(id) ||
               std::any_of(readers.begin(), readers.end(),
                           [&](std::size_t each) { return !m_region.contains(each); });
    }

    ValueId map(ValueId source)
    {
        if (source < 0)
            return -1;
        if (const auto found = m_mapped.find(source); found != m_mapped.end())
            return found->second;
        const Value& value = m_uses.graph().value(source);
        if (value.kind == ValueKind::Constant)
            return m_mapped[source] =
                       m_builder.constant("c" + std::to_string(m_constants++), value.type,
                                          m_uses.graph().constants.at(source));
        const auto producer = m_uses.producer(source);
        if (producer && isView(m_uses.graph().nodes[*producer]) && !m_order.isMutated(source)) {
            copy(*producer);
            return m_mapped.at(source);
        }
        m_inputs.push_back(source);
        return m_mapped[source] =
                   m_builder.input("x" + std::to_string(m_inputs.size() - 1), value.type);
    }

    void copy(std::size_t index)
    {
        const Node& node = m_uses.graph().nodes[index];
        std::vector<NamedArgument> arguments = node.arguments;
        for (NamedArgument& argument : arguments) {
            if (auto* ref = std::get_if<ValueRef>(&argument.value))
                ref->id = map(ref->id);
            else if (auto* refs = std::get_if<ValueRefs>(&argument.value))
                for (ValueRef& each : *refs)
                    each.id = map(each.id);
        }
        const auto results = m_builder.call(node.operation->fullName(), std::move(arguments));
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            m_mapped[node.outputs[i]] = m_builder.failed() ? 0 : results.at(i);
    }

    const GraphUses& m_uses;
    const NodeOrder& m_order;
    std::set<std::size_t> m_region;
    GraphBuilder m_builder;
    std::map<ValueId, ValueId> m_mapped;
    std::vector<ValueId> m_inputs;
    std::vector<ValueId> m_outputs;
    int m_constants = 0;
};

// One region among the ATen operations of a stage.
struct FoundRegion {
    RegionKind kind;
    std::string module;
    NodeGroup nodes;
};

class RegionTaker final
{
public:
    RegionTaker(const StageProgram& stage, const ReferenceStage& reference)
        : m_stage(stage),
          m_source(reference.graph),
          m_uses(reference.graph),
          m_order(reference.graph)
    {
        m_result.notes = reference.notes;
        find(reference);
    }

    [[nodiscard]] Result<RegionStage> take()
    {
        std::vector<NodeGroup> groups;
        for (const FoundRegion& region : m_found)
            groups.push_back(region.nodes);
        const Arrangement arrangement = arrange(m_source, m_order, groups);
        for (const std::size_t separated : arrangement.separated)
            ++m_left[m_found[separated].kind];
        m_result.graph.values = m_source.values;
        m_result.graph.inputs = m_source.inputs;
        m_result.graph.outputs = m_source.outputs;
        m_result.graph.constants = m_source.constants;
        m_result.graph.initialValues = m_source.initialValues;
        for (const NodeGroup& group : arrangement.order) {
            const FoundRegion* region = regionAt(group, arrangement.separated);
            if (region == nullptr)
                m_result.graph.nodes.push_back(m_source.nodes[group.front()]);
            else
                QS_RETURN_IF_ERROR(write(*region));
        }
        dropUnreadViews();
        note();
        return std::move(m_result);
    }

private:
    void find(const ReferenceStage& reference)
    {
        const std::vector<RegionKind> kinds = regionsOf(m_stage.compile);
        const std::vector<Region> regions = findRegions(m_stage.graph, kinds);
        std::vector<std::optional<std::size_t>> regionOf(m_stage.graph.nodes.size());
        for (std::size_t i = 0; i < regions.size(); ++i) {
            for (const std::size_t node : regions[i].nodes)
                regionOf[node] = i;
        }
        m_memberOf.resize(m_source.nodes.size());
        for (std::size_t i = 0; i < m_source.nodes.size(); ++i)
            m_memberOf[i] = regionOf[reference.source[i]];
        takeViews();
        std::vector<FoundRegion> found;
        for (const Region& region : regions)
            found.push_back({region.kind, region.module, {}});
        for (std::size_t i = 0; i < m_source.nodes.size(); ++i) {
            if (m_memberOf[i])
                found[*m_memberOf[i]].nodes.push_back(i);
        }
        for (FoundRegion& region : found) {
            ++m_all[region.kind];
            if (touchesMutated(region))
                ++m_left[region.kind];
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

    [[nodiscard]] bool touchesMutated(const FoundRegion& region) const
    {
        return std::any_of(region.nodes.begin(), region.nodes.end(), [&](std::size_t index) {
            const Node& node = m_source.nodes[index];
            const auto inputs = node.inputs();
            const auto mutated = [&](ValueId id) { return id >= 0 && m_order.isMutated(id); };
            return std::any_of(inputs.begin(), inputs.end(), mutated) ||
                   std::any_of(node.outputs.begin(), node.outputs.end(), mutated);
        });
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
        RegionWriter writer(m_uses, m_order, region.nodes);
        QS_TRY(Graph graph, writer.write());
        if (writer.outputs().empty())
            return {};
        const std::string mode = packageModeOf(m_stage.compile, region.kind);
        const auto [known, fresh] =
            m_programs.try_emplace(identityOf(graph, mode), m_result.programs.size());
        if (fresh)
            m_result.programs.push_back({region.kind, mode, std::move(graph), region.module});
        ++m_result.programs[known->second].calls;
        m_result.programOf.push_back(known->second);
        ValueRefs inputs;
        for (const ValueId id : writer.inputs())
            inputs.push_back({id});
        Node node;
        node.operation = findOperation(kQsRegion);
        node.arguments = {{"inputs", std::move(inputs)}};
        node.outputs = writer.outputs();
        node.module = region.module;
        m_result.graph.nodes.push_back(std::move(node));
        return {};
    }

    // Views that regions have taken copies of.
    void dropUnreadViews()
    {
        Graph& graph = m_result.graph;
        std::vector<bool> read(graph.values.size(), false);
        for (const ValueId id : graph.outputs)
            read[slotOf(id)] = true;
        std::vector<Node> kept;
        for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
            if (isView(*node) && std::none_of(node->outputs.begin(), node->outputs.end(),
                                              [&](ValueId id) { return read[slotOf(id)]; }))
                continue;
            for (const ValueId id : node->inputs())
                read[slotOf(id)] = true;
            kept.push_back(std::move(*node));
        }
        std::reverse(kept.begin(), kept.end());
        graph.nodes = std::move(kept);
    }

    void note()
    {
        for (const RegionKind kind : regionsOf(m_stage.compile)) {
            const std::string name(kRegionKinds.of(kind));
            if (findRegions(m_stage.graph, {kind}).empty())
                m_result.notes.push_back({NoteCode::RegionMissing, {m_stage.name, name}});
            else if (m_left[kind] > 0)
                m_result.notes.push_back({NoteCode::RegionsLeftEager,
                                          {m_stage.name, name, static_cast<double>(m_left[kind]),
                                           static_cast<double>(m_all[kind])}});
        }
    }

    const StageProgram& m_stage;
    const Graph& m_source;
    GraphUses m_uses;
    NodeOrder m_order;
    std::vector<std::optional<std::size_t>> m_memberOf;  // of each node
    std::vector<FoundRegion> m_found;
    std::map<RegionKind, int> m_all;
    std::map<RegionKind, int> m_left;  // of these: not taken out
    std::map<std::string, std::size_t> m_programs;
    RegionStage m_result;
};

}  // namespace

Result<RegionStage> regionStage(const StageProgram& stage, const DeviceDescription& device)
{
    QS_TRY(const ReferenceStage reference, referenceStage(stage, device));
    return RegionTaker(stage, reference).take();
}

Result<std::vector<PackageProgram>> packagePrograms(const StageProgram& stage,
                                                    const DeviceDescription& device)
{
    std::vector<PackageProgram> programs;
    if (stage.compile->packageMode.empty())
        return programs;
    if (!stage.compile->regional) {
        QS_TRY(ReferenceStage reference, referenceStage(stage, device));
        programs.push_back({{}, stage.compile->packageMode, std::move(reference.graph)});
        return programs;
    }
    QS_TRY(RegionStage regions, regionStage(stage, device));
    for (RegionProgram& program : regions.programs)
        programs.push_back({std::string(kRegionKinds.of(program.kind)), program.packageMode,
                            std::move(program.graph), program.calls});
    return programs;
}

}  // namespace qs::core
