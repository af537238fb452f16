#include "core/lower/fused/fused_groups.h"

#include "core/lower/fused/coordinates.h"
#include "core/lower/fused/element_operations.h"
#include "core/lower/fused/memory_write.h"
#include "core/lower/fused/row_operations.h"
#include "core/lower/fused/through_view.h"
#include "core/lower/fused/token_order.h"
#include "core/lower/fused/weight_chain.h"
#include "core/lower/region_writer.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace qs::core {

namespace {

// What is made of weights alone, in every pass anew; larger ones keep the layout that PyTorch gives
// them, unless they are widened codes.
constexpr std::int64_t kLargestOfWeights = 65536;

enum class Role { Alone, Moves, Computes, Writes };

class Grouping final
{
public:
    Grouping(const GraphUses& uses, const NodeOrder& order, const std::vector<NodeGroup>& products)
        : m_graph(uses.graph()),
          m_uses(uses),
          m_order(order),
          m_parent(m_graph.nodes.size()),
          m_turns(m_graph.nodes.size(), 0)
    {
        std::iota(m_parent.begin(), m_parent.end(), std::size_t{0});
        findRoles();
        std::vector<bool> within(m_graph.nodes.size(), false);
        for (const NodeGroup& product : products) {
            for (const std::size_t node : product) {
                m_roles[node] = Role::Alone;
                within[node] = node != product.back();
            }
        }
        findLayers(within);
    }

    [[nodiscard]] std::vector<NodeGroup> groups()
    {
        for (std::size_t node = 0; node < m_graph.nodes.size(); ++node) {
            if (m_roles[node] == Role::Writes)
                joinWhatItWrites(node);
            else if (m_roles[node] != Role::Alone)
                joinWhatItReads(node);
        }
        std::map<std::size_t, NodeGroup> members;
        const std::vector<std::size_t> homes = homesOfNodes();
        for (std::size_t node = 0; node < m_graph.nodes.size(); ++node) {
            if (m_roles[node] != Role::Alone && !feedsAttention(m_uses, m_graph.nodes[node]))
                members[homes[node]].push_back(node);
        }
        std::vector<NodeGroup> result;
        for (auto& member : members) {
            NodeGroup& nodes = member.second;
            dropSharedWrites(nodes);
            dropFirstViews(nodes);
            dropLastViews(nodes);
            const auto countOf = [&](Role role) {
                return std::count_if(nodes.begin(), nodes.end(),
                                     [&](std::size_t node) { return m_roles[node] == role; });
            };
            const auto computing = countOf(Role::Computes);
            // PyTorch casts bytes one by one.
            const bool widens = std::any_of(nodes.begin(), nodes.end(),
                                            [&](std::size_t node) { return m_widens[node]; });
            if (computing > 1 || (computing == 1 && (widens || countOf(Role::Writes) > 0)))
                result.push_back(std::move(nodes));
        }
        return result;
    }

private:
    // Of memory that something else in the group touches, too.
    void dropSharedWrites(NodeGroup& nodes) const
    {
        const auto touches = [&](std::size_t node, ValueId memory) {
            const auto shares = [&](ValueId id) {
                return id >= 0 && m_order.shareMemory(id, memory);
            };
            const std::vector<ValueId> read = m_graph.nodes[node].inputs();
            return std::any_of(read.begin(), read.end(), shares);
        };
        const NodeGroup all = nodes;
        std::erase_if(nodes, [&](std::size_t node) {
            if (m_roles[node] != Role::Writes)
                return false;
            const ValueId into = memoryWrite(m_graph, m_graph.nodes[node])->into;
            return std::any_of(all.begin(), all.end(), [&](std::size_t other) {
                return other != node && touches(other, into);
            });
        });
    }

    // Views of what is not made here are made anew wherever they are read: as part of the group,
    // one that others read too would be a result, and a copy.
    void dropFirstViews(NodeGroup& nodes) const
    {
        const std::set<std::size_t> all(nodes.begin(), nodes.end());
        std::set<std::size_t> dropped;
        for (const std::size_t node : nodes) {
            const std::vector<ValueId> read = m_graph.nodes[node].inputs();
            const bool ofOthers = std::none_of(read.begin(), read.end(), [&](ValueId id) {
                const auto producer = id < 0 ? std::nullopt : m_uses.producer(id);
                return producer && all.count(*producer) > 0 && dropped.count(*producer) == 0;
            });
            if (ofOthers && isView(m_graph.nodes[node]))
                dropped.insert(node);
        }
        std::erase_if(nodes, [&](std::size_t node) { return dropped.count(node) > 0; });
    }

    // Widened codes stay in the order of the codes: who reads them in another one reads a view.
    void dropLastViews(NodeGroup& nodes) const
    {
        const auto isLastView = [&](std::size_t node) {
            const std::vector<ValueId>& made = m_graph.nodes[node].outputs;
            return m_widens[node] && isView(m_graph.nodes[node]) &&
                   std::none_of(made.begin(), made.end(), [&](ValueId id) {
                       const auto& readers = m_uses.consumers(id);
                       return std::any_of(readers.begin(), readers.end(), [&](std::size_t reader) {
                           return std::find(nodes.begin(), nodes.end(), reader) != nodes.end();
                       });
                   });
        };
        for (auto last = nodes.rbegin(); last != nodes.rend();) {
            if (isLastView(*last)) {
                nodes.erase(std::next(last).base());
                last = nodes.rbegin();
            } else {
                ++last;
            }
        }
    }

    [[nodiscard]] bool writesMemory(const Node& node) const
    {
        return !node.operation->mutates.empty() ||
               std::any_of(node.outputs.begin(), node.outputs.end(),
                           [&](ValueId id) { return m_order.isMutated(id); });
    }

    [[nodiscard]] Role roleOf(const Node& node) const
    {
        const auto empty = [&](ValueId id) { return m_graph.value(id).type.elementCount() == 0; };
        if (const auto write = memoryWrite(m_graph, node))
            return empty(write->source) ? Role::Alone : Role::Writes;
        if (writesMemory(node) || std::any_of(node.outputs.begin(), node.outputs.end(), empty))
            return Role::Alone;
        if (movesElements(m_graph, node))
            return Role::Moves;
        return computesRows(m_graph, node) ? Role::Computes : Role::Alone;
    }

    void findRoles()
    {
        std::vector<bool> ofInputs(m_graph.values.size(), false);
        std::vector<bool> ofCodes(m_graph.values.size(), false);
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const ValueKind kind = m_graph.values[i].kind;
            ofInputs[i] = kind == ValueKind::Input || kind == ValueKind::State;
            ofCodes[i] = holdsCodes(m_graph.values[i]);
        }
        for (const Node& node : m_graph.nodes) {
            const auto inputs = node.inputs();
            const auto isAny = [&](const std::vector<bool>& values) {
                return std::any_of(inputs.begin(), inputs.end(),
                                   [&](ValueId id) { return id >= 0 && values[std::size_t(id)]; });
            };
            const bool reads = isAny(ofInputs);
            const bool widens = isAny(ofCodes);
            std::int64_t most = 0;
            for (const ValueId id : node.outputs) {
                ofInputs[std::size_t(id)] = reads;
                ofCodes[std::size_t(id)] = widens;
                most = std::max(most, m_graph.value(id).type.elementCount());
            }
            const bool mayJoin = reads || widens || most <= kLargestOfWeights;
            m_roles.push_back(mayJoin ? roleOf(node) : Role::Alone);
            m_widens.push_back(widens && !reads);
            const auto call = rowCallOf(m_graph, node);
            m_rows.push_back(call ? std::optional(call->rows) : std::nullopt);
        }
    }

    // What reads it belongs to a later layer.
    [[nodiscard]] bool endsLayer(std::size_t node) const
    {
        return m_roles[node] == Role::Alone || m_roles[node] == Role::Writes;
    }

    // The earliest layer of each operation, then the one next to its readers. No layer ends within
    // a product and what follows it.
    void findLayers(const std::vector<bool>& within)
    {
        const std::size_t count = m_graph.nodes.size();
        std::vector<std::vector<std::size_t>> after(count);
        m_layers.assign(count, 0);
        for (std::size_t node = 0; node < count; ++node) {
            for (const std::size_t before : m_order.before(node)) {
                after[before].push_back(node);
                const std::size_t ends = endsLayer(before) && !within[before] ? 1 : 0;
                m_layers[node] = std::max(m_layers[node], m_layers[before] + ends);
            }
        }
        for (std::size_t node = count; node-- > 0;) {
            if (endsLayer(node) || after[node].empty())
                continue;
            const std::size_t next = m_layers[after[node].front()];
            if (std::all_of(after[node].begin(), after[node].end(),
                            [&](std::size_t reader) { return m_layers[reader] == next; }))
                m_layers[node] = next;
        }
    }

    [[nodiscard]] std::size_t rootOf(std::size_t node)
    {
        while (m_parent[node] != node)
            node = m_parent[node] = m_parent[m_parent[node]];
        return node;
    }

    // Whether a node makes more elements than the rows of a group have, or others than its only
    // row: what is known of all of a tensor is computed before the tensor is read again.
    [[nodiscard]] bool isBeyond(std::size_t node, const Rows& rows) const
    {
        const auto& made = m_graph.nodes[node].outputs;
        return std::any_of(made.begin(), made.end(), [&](ValueId id) {
            const std::int64_t count = m_graph.value(id).type.elementCount();
            return rows.count == 1 ? count != 1 && count != rows.length
                                   : count > rows.count * rows.length;
        });
    }

    // The group of each node, by its last one. What a node only widens for one later group is
    // computed there: fewer bytes are kept until then.
    [[nodiscard]] std::vector<std::size_t> homesOfNodes()
    {
        std::vector<std::size_t> homes(m_graph.nodes.size());
        for (std::size_t node = homes.size(); node-- > 0;) {
            homes[node] = rootOf(node);
            if (const auto later = onlyReader(node, homes); later && widensElements(node))
                homes[node] = *later;
        }
        return homes;
    }

    // The group of all readers of a node, where it is another one of the same layer.
    [[nodiscard]] std::optional<std::size_t> onlyReader(std::size_t node,
                                                        const std::vector<std::size_t>& homes) const
    {
        const ValueId made = m_graph.nodes[node].outputs.front();
        const auto& readers = m_uses.consumers(made);
        if (m_roles[node] != Role::Computes || readers.empty() || m_uses.leavesGraph(made))
            return std::nullopt;
        const std::size_t home = homes[readers.front()];
        const bool all = std::all_of(readers.begin(), readers.end(), [&](std::size_t reader) {
            return m_roles[reader] != Role::Alone && homes[reader] == home &&
                   m_layers[reader] == m_layers[node];
        });
        return all ? std::optional(home) : std::nullopt;
    }

    [[nodiscard]] bool widensElements(std::size_t node) const
    {
        const Node& cast = m_graph.nodes[node];
        const ValueId from = cast.tensor("self");
        return cast.operation->name == "aten::to" && from >= 0 &&
               m_graph.value(from).type.elementCount() > 1 &&
               m_graph.value(from).type.bytes() < m_graph.value(cast.outputs.front()).type.bytes();
    }

    // What a node reads in its layer, and what lies before it there: a group of another kind of
    // rows is complete before what reads it begins, so that no two groups wait for each other.
    void joinWhatItReads(std::size_t node)
    {
        std::vector<std::size_t> read;
        for (const ValueId id : m_graph.nodes[node].inputs()) {
            const auto producer = id >= 0 ? m_uses.producer(id) : std::nullopt;
            if (producer && m_roles[*producer] != Role::Alone &&
                m_layers[*producer] == m_layers[node]) {
                read.push_back(rootOf(*producer));
                m_turns[node] = std::max(m_turns[node], m_turns[read.back()]);
            }
        }
        std::optional<Rows> rows = m_rows[node];
        for (const std::size_t group : read) {
            if (m_turns[group] != m_turns[node] || !m_rows[group])
                continue;
            if (rows ? *rows != *m_rows[group] : isBeyond(node, *m_rows[group])) {
                ++m_turns[node];
                return;
            }
            rows = m_rows[group];
        }
        for (const std::size_t group : read) {
            if (m_turns[group] == m_turns[node])
                m_parent[rootOf(group)] = rootOf(node);
        }
        m_rows[rootOf(node)] = rows;
    }

    // The last of the group that computes what it writes.
    void joinWhatItWrites(std::size_t node)
    {
        const auto producer = m_uses.producer(memoryWrite(m_graph, m_graph.nodes[node])->source);
        if (!producer || m_layers[*producer] != m_layers[node] || endsLayer(*producer))
            return;
        m_turns[node] = m_turns[rootOf(*producer)];
        m_rows[node] = m_rows[rootOf(*producer)];
        m_parent[rootOf(*producer)] = node;
    }

    const Graph& m_graph;
    const GraphUses& m_uses;
    const NodeOrder& m_order;
    std::vector<Role> m_roles;   // of each node
    std::vector<bool> m_widens;  // whether it makes more of codes alone
    std::vector<std::size_t> m_layers;
    std::vector<std::size_t> m_parent;        // of each node: towards the last of its group
    std::vector<std::size_t> m_turns;         // within a layer
    std::vector<std::optional<Rows>> m_rows;  // of the group of each last node
};

}  // namespace

std::vector<NodeGroup> fusedGroups(const GraphUses& uses, const NodeOrder& order,
                                   const std::vector<NodeGroup>& products)
{
    return Grouping(uses, order, products).groups();
}

}  // namespace qs::core
