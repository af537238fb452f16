#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <set>
#include <vector>

namespace qs::core {

// Node by node the ones that have to run before it: those that make what it reads, and those that
// read or write the memory which it, or another node, writes.
class NodeOrder final
{
public:
    explicit NodeOrder(const Graph& graph);

    [[nodiscard]] const std::vector<std::size_t>& before(std::size_t node) const
    {
        return m_before[node];
    }
    // Whether the memory of a value is written to by any node.
    [[nodiscard]] bool isMutated(ValueId value) const;
    [[nodiscard]] bool shareMemory(ValueId a, ValueId b) const;

private:
    void findRoots(const Graph& graph);
    void chainWriters(const Graph& graph);
    [[nodiscard]] std::set<std::size_t> mutatedRoots(const Node& node) const;

    std::vector<ValueId> m_roots;  // of a value: the one whose memory it shares
    std::vector<bool> m_mutated;   // roots
    std::vector<std::vector<std::size_t>> m_before;
};

// Whether any of the nodes reads or writes memory that a node writes to.
[[nodiscard]] bool touchesMutated(const Graph& graph, const NodeOrder& order,
                                  const std::vector<std::size_t>& nodes);

// Nodes that run one after the other with no other node between them, by index.
using NodeGroup = std::vector<std::size_t>;

struct Arrangement {
    std::vector<NodeGroup> order;        // every node of the graph; most groups are one node
    std::vector<std::size_t> separated;  // of the groups that were asked for: those given up
};

// An order in which the nodes of each group are neighbours. Groups that something outside of them
// has to interrupt are given up: their nodes stand alone. Other nodes stay in their order as far as
// that goes.
[[nodiscard]] Arrangement arrange(const Graph& graph, const NodeOrder& order,
                                  const std::vector<NodeGroup>& groups);

}  // namespace qs::core
