#include "core/lower/fused/followers.h"

#include "core/lower/fused/element_operations.h"
#include "core/lower/fused/matrix_product.h"
#include "core/lower/fused/through_view.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace qs::core {

namespace {

// Grows a group behind a product, as long as what follows is computed from it element by element.
class Followers final
{
public:
    Followers(const GraphUses& uses, const NodeOrder& order, const std::vector<bool>& taken,
              std::size_t product)
        : m_uses(uses), m_graph(uses.graph()), m_order(order), m_taken(taken), m_group{product}
    {
        if (const auto padding = paddingOf(uses, product))
            m_group.push_back(padding->slice);
        m_last = m_graph.nodes[m_group.back()].outputs.front();
        m_bytes = byteSize(type().dtype);
    }

    [[nodiscard]] ProductGroup group()
    {
        chain();
        findGate();
        return {m_group, m_isGate, m_isUnevenGate};
    }

private:
    [[nodiscard]] const TensorType& type() const { return m_graph.value(m_last).type; }

    [[nodiscard]] bool joins(std::size_t index) const
    {
        return !m_taken[index] && m_graph.nodes[index].outputs.size() == 1 &&
               !touchesMutated(m_graph, m_order, {index});
    }

    // One reader after the other, up to the narrowest result.
    void chain()
    {
        NodeGroup nodes = m_group;
        ValueId last = m_last;
        while (const auto reader = m_uses.onlyConsumer(last)) {
            const Node& node = m_graph.nodes[*reader];
            if (!joins(*reader))
                break;
            const TensorType& before = m_graph.value(last).type;
            const TensorType& after = m_graph.value(node.outputs.front()).type;
            const bool computes = after.shape == before.shape && isElementwise(m_graph, node);
            if (after.elementCount() != before.elementCount() ||
                (!computes && !keepsOrder(m_graph, node)))
                break;
            nodes.push_back(*reader);
            last = node.outputs.front();
            if (computes && byteSize(after.dtype) <= m_bytes) {
                m_bytes = byteSize(after.dtype);
                m_group = nodes;
                m_last = last;
            }
        }
    }

    // The only reader of `id` but for views that keep its order, which are added.
    [[nodiscard]] std::optional<std::size_t> readerOf(ValueId id, NodeGroup& views) const
    {
        auto reader = m_uses.onlyConsumer(id);
        while (reader && joins(*reader) && !isElementwise(m_graph, m_graph.nodes[*reader]) &&
               keepsOrder(m_graph, m_graph.nodes[*reader])) {
            views.push_back(*reader);
            reader = m_uses.onlyConsumer(m_graph.nodes[*reader].outputs.front());
        }
        return reader;
    }

    // Two halves of each row, and what is computed of both: one result that is as narrow.
    void findGate()
    {
        NodeGroup nodes = m_group;
        const auto split = readerOf(m_last, nodes);
        if (!split || m_taken[*split] || m_graph.nodes[*split].operation->name != "aten::chunk" ||
            m_graph.nodes[*split].outputs.size() != 2)
            return;
        nodes.push_back(*split);
        const std::vector<ValueId>& halves = m_graph.nodes[*split].outputs;
        const auto& shape = m_graph.value(halves.front()).type.shape;
        const std::int64_t columns =
            m_graph.value(m_graph.nodes[m_group.front()].outputs.front()).type.shape.back();
        if (shape.back() * 2 != columns)
            return;
        std::set<ValueId> made(halves.begin(), halves.end());
        std::set<ValueId> open = made;
        for (std::size_t i = *split + 1; i < m_graph.nodes.size() && !open.empty(); ++i) {
            const Node& node = m_graph.nodes[i];
            const auto inputs = node.inputs();
            if (std::none_of(inputs.begin(), inputs.end(),
                             [&](ValueId id) { return made.count(id) > 0; }))
                continue;
            if (!joins(i) || !isElementwise(m_graph, node) ||
                m_graph.value(node.outputs.front()).type.shape != shape)
                return;
            nodes.push_back(i);
            made.insert(node.outputs.front());
            open.insert(node.outputs.front());
            const std::set<std::size_t> members(nodes.begin(), nodes.end());
            std::erase_if(open, [&](ValueId id) { return m_uses.isReadOnlyBy(members, id); });
            if (open == std::set<ValueId>{node.outputs.front()} &&
                byteSize(m_graph.value(node.outputs.front()).type.dtype) <= m_bytes) {
                m_isUnevenGate = shape.back() % kFinishedAtOnce != 0;
                m_isGate = !m_isUnevenGate;
                if (m_isGate)
                    m_group = nodes;
                return;
            }
        }
    }

    const GraphUses& m_uses;
    const Graph& m_graph;
    const NodeOrder& m_order;
    const std::vector<bool>& m_taken;
    NodeGroup m_group;
    ValueId m_last = -1;
    std::int64_t m_bytes = 0;
    bool m_isGate = false;
    bool m_isUnevenGate = false;
};

}  // namespace

ProductGroup withFollowers(const GraphUses& uses, const NodeOrder& order,
                           const std::vector<bool>& taken, std::size_t product)
{
    return Followers(uses, order, taken, product).group();
}

}  // namespace qs::core
