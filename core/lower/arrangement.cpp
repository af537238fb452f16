#include "core/lower/arrangement.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <set>

namespace qs::core {

namespace {

std::size_t indexOf(ValueId value)
{
    return static_cast<std::size_t>(value);
}

// The order of units, each a group or a node; or a group that cannot be kept together.
struct Sorted {
    std::vector<NodeGroup> order;
    std::optional<std::size_t> obstacle;
};

class Units final
{
public:
    Units(std::size_t nodes, const std::vector<NodeGroup>& groups, const std::vector<bool>& given)
        : m_unitOf(nodes, nodes)
    {
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (given[i])
                continue;
            for (const std::size_t node : groups[i])
                m_unitOf[node] = m_units.size();
            m_groupOf.emplace_back(i);
            m_units.push_back(groups[i]);
        }
        for (std::size_t node = 0; node < nodes; ++node) {
            if (m_unitOf[node] != nodes)
                continue;
            m_unitOf[node] = m_units.size();
            m_groupOf.emplace_back();
            m_units.push_back({node});
        }
    }

    // Topological, the unit with the earliest node first.
    [[nodiscard]] Sorted sorted(const NodeOrder& order) const
    {
        std::vector<std::set<std::size_t>> next(m_units.size());
        std::vector<std::size_t> waiting(m_units.size(), 0);
        for (std::size_t node = 0; node < m_unitOf.size(); ++node) {
            for (const std::size_t before : order.before(node)) {
                const std::size_t from = m_unitOf[before];
                const std::size_t to = m_unitOf[node];
                if (from != to && next[from].insert(to).second)
                    ++waiting[to];
            }
        }
        using Entry = std::pair<std::size_t, std::size_t>;  // earliest node, unit
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
        for (std::size_t unit = 0; unit < m_units.size(); ++unit) {
            if (waiting[unit] == 0)
                ready.emplace(m_units[unit].front(), unit);
        }
        Sorted result;
        while (!ready.empty()) {
            const std::size_t unit = ready.top().second;
            ready.pop();
            result.order.push_back(m_units[unit]);
            for (const std::size_t other : next[unit]) {
                if (--waiting[other] == 0)
                    ready.emplace(m_units[other].front(), other);
            }
        }
        // Every circle goes through a group: nodes alone are in order already.
        for (std::size_t unit = 0; unit < m_units.size() && !result.obstacle; ++unit) {
            if (waiting[unit] > 0 && m_groupOf[unit])
                result.obstacle = m_groupOf[unit];
        }
        return result;
    }

private:
    std::vector<NodeGroup> m_units;
    std::vector<std::optional<std::size_t>> m_groupOf;  // of each unit; nothing for a node
    std::vector<std::size_t> m_unitOf;                  // of each node
};

}  // namespace

NodeOrder::NodeOrder(const Graph& graph)
    : m_mutated(graph.values.size(), false), m_before(graph.nodes.size())
{
    findRoots(graph);
    std::vector<std::optional<std::size_t>> producers(graph.values.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const ValueId id : graph.nodes[i].inputs()) {
            if (id >= 0 && producers[indexOf(id)])
                m_before[i].push_back(*producers[indexOf(id)]);
        }
        for (const ValueId id : graph.nodes[i].outputs)
            producers[indexOf(id)] = i;
    }
    chainWriters(graph);
}

bool NodeOrder::isMutated(ValueId value) const
{
    return m_mutated[indexOf(m_roots[indexOf(value)])];
}

bool NodeOrder::shareMemory(ValueId a, ValueId b) const
{
    return m_roots[indexOf(a)] == m_roots[indexOf(b)];
}

void NodeOrder::findRoots(const Graph& graph)
{
    for (std::size_t i = 0; i < graph.values.size(); ++i)
        m_roots.push_back(static_cast<ValueId>(i));
    for (const Node& node : graph.nodes) {
        const ValueId shared =
            node.operation->aliases.empty() ? -1 : node.tensor(node.operation->aliases);
        for (const ValueId id : node.outputs) {
            if (shared >= 0)
                m_roots[indexOf(id)] = m_roots[indexOf(shared)];
        }
        const ValueId written =
            node.operation->mutates.empty() ? -1 : node.tensor(node.operation->mutates);
        if (written >= 0)
            m_mutated[indexOf(m_roots[indexOf(written)])] = true;
    }
}

// What reads memory stays between the writes before and after it.
void NodeOrder::chainWriters(const Graph& graph)
{
    struct Touched {
        std::optional<std::size_t> written;  // last
        std::vector<std::size_t> read;       // since then
    };
    std::vector<Touched> memory(graph.values.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        const ValueId into =
            node.operation->mutates.empty() ? -1 : node.tensor(node.operation->mutates);
        for (const std::size_t root : mutatedRoots(node)) {
            Touched& touched = memory[root];
            if (touched.written)
                m_before[i].push_back(*touched.written);
            if (into < 0 || indexOf(m_roots[indexOf(into)]) != root) {
                touched.read.push_back(i);
                continue;
            }
            m_before[i].insert(m_before[i].end(), touched.read.begin(), touched.read.end());
            touched = {i, {}};
        }
    }
}

// Of what a node reads, and of what it gives.
std::set<std::size_t> NodeOrder::mutatedRoots(const Node& node) const
{
    std::set<std::size_t> roots;
    const auto add = [&](ValueId id) {
        if (id >= 0 && isMutated(id))
            roots.insert(indexOf(m_roots[indexOf(id)]));
    };
    for (const ValueId id : node.inputs())
        add(id);
    for (const ValueId id : node.outputs)
        add(id);
    return roots;
}

bool touchesMutated(const Graph& graph, const NodeOrder& order,
                    const std::vector<std::size_t>& nodes)
{
    return std::any_of(nodes.begin(), nodes.end(), [&](std::size_t index) {
        const Node& node = graph.nodes[index];
        const auto inputs = node.inputs();
        const auto mutated = [&](ValueId id) { return id >= 0 && order.isMutated(id); };
        return std::any_of(inputs.begin(), inputs.end(), mutated) ||
               std::any_of(node.outputs.begin(), node.outputs.end(), mutated);
    });
}

Arrangement arrange(const Graph& graph, const NodeOrder& order,
                    const std::vector<NodeGroup>& groups)
{
    Arrangement arrangement;
    std::vector<bool> given(groups.size(), false);
    while (true) {
        Sorted sorted = Units(graph.nodes.size(), groups, given).sorted(order);
        if (!sorted.obstacle) {
            arrangement.order = std::move(sorted.order);
            std::sort(arrangement.separated.begin(), arrangement.separated.end());
            return arrangement;
        }
        given[*sorted.obstacle] = true;
        arrangement.separated.push_back(*sorted.obstacle);
    }
}

}  // namespace qs::core
