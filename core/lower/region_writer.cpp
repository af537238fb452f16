#include "core/lower/region_writer.h"

#include "core/lower/mapped_arguments.h"

#include <algorithm>
#include <string>

namespace qs::core {

bool isView(const Node& node)
{
    return node.operation->operationClass == OperationClass::View;
}

RecomputedValues::RecomputedValues(const GraphUses& uses, const NodeOrder& order, bool tables)
{
    constexpr std::int64_t kSmall = 8;  // times smaller than the largest value
    const Graph& graph = uses.graph();
    std::int64_t largest = 0;
    for (const Node& node : graph.nodes) {
        for (const ValueId id : node.outputs)
            largest = std::max(largest, graph.value(id).type.bytes());
    }
    std::vector<bool> made(graph.values.size());  // of inputs and constants, element by element
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const ValueKind kind = graph.values[i].kind;
        made[i] = kind == ValueKind::Input || kind == ValueKind::Constant;
    }
    m_contained.resize(graph.values.size());
    for (const Node& node : graph.nodes) {
        const OperationClass what = node.operation->operationClass;
        const auto inputs = node.inputs();
        const bool plain = (what == OperationClass::View || what == OperationClass::Elementwise ||
                            what == OperationClass::Copy) &&
                           std::all_of(inputs.begin(), inputs.end(),
                                       [&](ValueId id) { return id < 0 || made[std::size_t(id)]; });
        for (const ValueId id : node.outputs) {
            made[std::size_t(id)] =
                plain && !order.isMutated(id) && graph.value(id).type.bytes() <= largest / kSmall;
            m_contained[std::size_t(id)] =
                (tables && made[std::size_t(id)]) || (isView(node) && !order.isMutated(id));
        }
    }
}

bool RecomputedValues::makes(const Node& node) const
{
    return !node.outputs.empty() && std::all_of(node.outputs.begin(), node.outputs.end(),
                                                [this](ValueId id) { return contains(id); });
}

void RecomputedValues::keepResults(const GraphUses& uses,
                                   const std::vector<std::optional<std::size_t>>& regionOf)
{
    const auto isThere = [&](ValueId id) {
        const auto producer = id < 0 ? std::nullopt : uses.producer(id);
        return !producer || !regionOf[*producer] || contains(id);
    };
    for (std::size_t i = 0; i < regionOf.size(); ++i) {
        const Node& node = uses.graph().nodes[i];
        const auto inputs = node.inputs();
        if (!regionOf[i] || std::all_of(inputs.begin(), inputs.end(), isThere))
            continue;
        for (const ValueId id : node.outputs)
            m_contained[std::size_t(id)] = false;
    }
}

Result<Graph> RegionWriter::write()
{
    for (const std::size_t node : m_region)
        copy(node);
    for (const std::size_t node : m_region) {
        const bool writes = !m_uses.graph().nodes[node].operation->mutates.empty();
        for (const ValueId id : m_uses.graph().nodes[node].outputs) {
            if (m_uses.isReadOnlyBy(m_region, id) && !writes)
                continue;
            m_builder.output(m_mapped.at(id), "y" + std::to_string(m_outputs.size()));
            m_outputs.push_back(id);
        }
    }
    QS_TRY(Graph graph, m_builder.finish());
    graph.allowTf32 = m_uses.graph().allowTf32;
    return graph;
}

ValueId RegionWriter::map(ValueId source)
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
    if (producer && m_recomputed.contains(source)) {
        copy(*producer);
        return m_mapped.at(source);
    }
    m_inputs.push_back(source);
    return m_mapped[source] =
               m_builder.input("x" + std::to_string(m_inputs.size() - 1), value.type);
}

void RegionWriter::copy(std::size_t index)
{
    const Node& node = m_uses.graph().nodes[index];
    const auto results = m_builder.call(
        node.operation->fullName(), mappedArguments(node, [this](ValueId id) { return map(id); }));
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        m_mapped[node.outputs[i]] = m_builder.failed() ? 0 : results.at(i);
}

}  // namespace qs::core
