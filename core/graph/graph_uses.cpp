#include "core/graph/graph_uses.h"

#include <algorithm>

namespace qs::core {

namespace {

std::size_t placeOf(ValueId value)
{
    QS_ASSERT(value >= 0);
    return static_cast<std::size_t>(value);
}

}  // namespace

GraphUses::GraphUses(const Graph& graph)
    : m_graph(graph),
      m_producers(graph.values.size()),
      m_consumers(graph.values.size()),
      m_outputs(graph.values.size(), false)
{
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const ValueId id : graph.nodes[i].outputs)
            m_producers[placeOf(id)] = i;
        for (const ValueId id : graph.nodes[i].inputs()) {
            if (id < 0)
                continue;
            auto& readers = m_consumers[placeOf(id)];
            if (readers.empty() || readers.back() != i)
                readers.push_back(i);
        }
    }
    for (const ValueId id : graph.outputs)
        m_outputs[placeOf(id)] = true;
}

std::optional<std::size_t> GraphUses::producer(ValueId value) const
{
    return value < 0 ? std::nullopt : m_producers[placeOf(value)];
}

std::optional<std::size_t> GraphUses::maker(ValueId value) const
{
    auto node = producer(value);
    while (node && m_graph.nodes[*node].operation->operationClass == OperationClass::View)
        node = producer(m_graph.nodes[*node].inputs().front());
    return node;
}

const std::vector<std::size_t>& GraphUses::consumers(ValueId value) const
{
    return m_consumers[placeOf(value)];
}

std::optional<std::size_t> GraphUses::onlyConsumer(ValueId value) const
{
    const auto& readers = consumers(value);
    if (readers.size() != 1 || leavesGraph(value))
        return std::nullopt;
    return readers.front();
}

bool GraphUses::leavesGraph(ValueId value) const
{
    return m_outputs[placeOf(value)];
}

bool GraphUses::isReadOnlyBy(const std::set<std::size_t>& nodes, ValueId value) const
{
    const auto& readers = consumers(value);
    return !leavesGraph(value) &&
           std::all_of(readers.begin(), readers.end(),
                       [&](std::size_t each) { return nodes.contains(each); });
}

}  // namespace qs::core
