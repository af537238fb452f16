#include "core/lower/fused/weight_chain.h"

#include "core/lower/fused/element_operations.h"
#include "core/lower/fused/through_view.h"

#include <algorithm>
#include <set>

namespace qs::core {

namespace {

// Element by element, or another order of the same elements.
bool keepsElements(const Graph& graph, const Node& node)
{
    return node.outputs.size() == 1 && (isElementwise(graph, node) || movesElements(graph, node));
}

// What makes a value of weights alone.
class Making final
{
public:
    Making(const GraphUses& uses, const NodeOrder& order, const std::vector<bool>& taken)
        : m_uses(uses), m_order(order), m_taken(taken)
    {
    }

    [[nodiscard]] bool add(ValueId id)
    {
        const Graph& graph = m_uses.graph();
        const Value& value = graph.value(id);
        m_hasCodes = m_hasCodes || holdsCodes(value);
        const auto producer = m_uses.producer(id);
        if (!producer)
            return value.kind == ValueKind::Weight || value.kind == ValueKind::Constant;
        if (m_nodes.count(*producer) > 0)
            return true;
        const Node& node = graph.nodes[*producer];
        if (m_taken[*producer] || !keepsElements(graph, node) ||
            touchesMutated(graph, m_order, {*producer}))
            return false;
        m_nodes.insert(*producer);
        const auto inputs = node.inputs();
        return std::all_of(inputs.begin(), inputs.end(),
                           [this](ValueId input) { return input < 0 || add(input); });
    }
    [[nodiscard]] bool hasCodes() const { return m_hasCodes; }
    [[nodiscard]] const std::set<std::size_t>& nodes() const { return m_nodes; }

private:
    const GraphUses& m_uses;
    const NodeOrder& m_order;
    const std::vector<bool>& m_taken;
    std::set<std::size_t> m_nodes;
    bool m_hasCodes = false;
};

}  // namespace

bool holdsCodes(const Value& value)
{
    return value.kind == ValueKind::Weight && isCode(value.type.dtype);
}

std::optional<WeightChain> weightChain(const GraphUses& uses, const NodeOrder& order,
                                       const std::vector<bool>& taken, ValueId value,
                                       const NodeGroup& readers)
{
    Making making(uses, order, taken);
    if (!making.add(value))
        return std::nullopt;
    std::set<std::size_t> all = making.nodes();
    all.insert(readers.begin(), readers.end());
    for (const std::size_t node : making.nodes()) {
        if (!uses.isReadOnlyBy(all, uses.graph().nodes[node].outputs.front()))
            return std::nullopt;
    }
    return WeightChain{NodeGroup(making.nodes().begin(), making.nodes().end()), making.hasCodes()};
}

}  // namespace qs::core
