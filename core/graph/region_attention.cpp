// What surrounds attention: tokens become heads, queries and keys are turned, heads become tokens.

#include "core/graph/region_patterns.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace qs::core {

namespace {

// What lies between products and one attention.
class AttentionInputs final
{
public:
    AttentionInputs(const GraphUses& uses, const RegionNodes& norms, const Node& attention)
        : m_uses(uses), m_norms(norms)
    {
        for (const char* argument : {"query", "key", "value"})
            visit(attention.tensor(argument));
        for (const char* argument : {"query", "key"})
            reach(attention.tensor(argument));
        findLead();
        findRope();
    }

    [[nodiscard]] const RegionNodes& split() const { return m_lead; }
    [[nodiscard]] const RegionNodes& rope() const { return m_rope; }

private:
    [[nodiscard]] const Node& node(std::size_t index) const { return m_uses.graph().nodes[index]; }

    // Whether the value comes from a product, through operations that are noted then.
    bool visit(ValueId value)
    {
        const auto producer = m_uses.producer(value);
        if (!producer)
            return false;
        if (isProduct(node(*producer)))
            return true;
        if (const auto known = m_visited.find(*producer); known != m_visited.end())
            return known->second;
        m_visited[*producer] = false;
        bool fed = false;
        for (const ValueId input : node(*producer).inputs())
            fed |= visit(input);
        m_visited[*producer] = fed;
        if (fed)
            m_between.insert(*producer);
        return fed;
    }

    // What queries and keys are made of; values are not turned.
    void reach(ValueId value)
    {
        const auto producer = m_uses.producer(value);
        if (!producer || !m_between.contains(*producer) || !m_reached.insert(*producer).second)
            return;
        for (const ValueId input : node(*producer).inputs())
            reach(input);
    }

    // The first ones, as far as they only arrange; nodes are in order of execution.
    void findLead()
    {
        for (const std::size_t each : m_between) {
            const auto inputs = node(each).inputs();
            const bool first = std::all_of(inputs.begin(), inputs.end(), [&](ValueId input) {
                const auto producer = m_uses.producer(input);
                return !producer || !m_between.contains(*producer) || m_lead.contains(*producer);
            });
            if (first && onlyArranges(node(each)))
                m_lead.insert(each);
        }
    }

    void findRope()
    {
        RegionNodes changed;  // what a cache has been written into, and all behind it
        int products = 0;
        for (const std::size_t each : m_between) {
            const auto inputs = node(each).inputs();
            const bool behind = std::any_of(inputs.begin(), inputs.end(), [&](ValueId input) {
                const auto producer = m_uses.producer(input);
                return producer && changed.contains(*producer);
            });
            if (behind || !node(each).operation->mutates.empty()) {
                changed.insert(each);
                continue;
            }
            if (m_lead.contains(each) || m_norms.contains(each) || !m_reached.contains(each))
                continue;
            m_rope.insert(each);
            products += node(each).operation->name == "aten::mul" ? 1 : 0;
        }
        if (products < 2)
            m_rope.clear();
        else
            takePairs();
    }

    // Halves and pairs are taken apart by the rotation, not by the split into heads.
    void takePairs()
    {
        const RegionNodes lead = m_lead;
        for (auto each = lead.rbegin(); each != lead.rend(); ++each) {
            const auto name = node(*each).operation->name;
            if (name == "aten::transpose" || name == "aten::permute")
                continue;
            const auto& outputs = node(*each).outputs;
            if (!std::all_of(outputs.begin(), outputs.end(), [&](ValueId output) {
                    return !m_uses.consumers(output).empty() && m_uses.isReadOnlyBy(m_rope, output);
                }))
                continue;
            m_lead.erase(*each);
            m_rope.insert(*each);
        }
    }

    const GraphUses& m_uses;
    const RegionNodes& m_norms;
    std::map<std::size_t, bool> m_visited;  // whether a product feeds it
    RegionNodes m_between;
    RegionNodes m_reached;  // of these, by queries and keys
    RegionNodes m_lead;
    RegionNodes m_rope;
};

bool isAttention(const Node& node)
{
    return node.operation->operationClass == OperationClass::Attention;
}

template <typename Part>
std::vector<RegionNodes> ofEachAttention(const GraphUses& uses, Part part)
{
    RegionNodes norms;
    for (const RegionNodes& norm : normRegions(uses))
        norms.insert(norm.begin(), norm.end());
    std::vector<RegionNodes> regions;
    for (const Node& node : uses.graph().nodes) {
        if (!isAttention(node))
            continue;
        const AttentionInputs inputs(uses, norms, node);
        if (RegionNodes nodes = (inputs.*part)(); !nodes.empty())
            regions.push_back(std::move(nodes));
    }
    return regions;
}

}  // namespace

std::vector<RegionNodes> ropeRegions(const GraphUses& uses)
{
    return ofEachAttention(uses, &AttentionInputs::rope);
}

std::vector<RegionNodes> splitRegions(const GraphUses& uses)
{
    return ofEachAttention(uses, &AttentionInputs::split);
}

std::vector<RegionNodes> mergeRegions(const GraphUses& uses)
{
    std::vector<RegionNodes> regions;
    for (const Node& node : uses.graph().nodes) {
        if (!isAttention(node))
            continue;
        RegionNodes nodes;
        auto next = uses.onlyConsumer(node.outputs.front());
        while (next && onlyArranges(uses.graph().nodes[*next])) {
            nodes.insert(*next);
            next = uses.onlyConsumer(uses.graph().nodes[*next].outputs.front());
        }
        if (!nodes.empty())
            regions.push_back(std::move(nodes));
    }
    return regions;
}

}  // namespace qs::core
