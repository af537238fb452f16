#pragma once

#include "core/graph/graph.h"

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace qs::core {

// Which node of a graph makes a value, and which ones read it. The graph must outlive it.
class GraphUses final
{
public:
    explicit GraphUses(const Graph& graph);

    [[nodiscard]] const Graph& graph() const { return m_graph; }
    // Nothing for what no node makes: inputs, weights, states, constants.
    [[nodiscard]] std::optional<std::size_t> producer(ValueId value) const;
    // The same, seen through views: which node computes what they show.
    [[nodiscard]] std::optional<std::size_t> maker(ValueId value) const;
    // In order of execution; a node that reads it twice is there once.
    [[nodiscard]] const std::vector<std::size_t>& consumers(ValueId value) const;
    // The only node that reads the value; nothing if there are more, or if it leaves the graph.
    [[nodiscard]] std::optional<std::size_t> onlyConsumer(ValueId value) const;
    [[nodiscard]] bool leavesGraph(ValueId value) const;
    // Whether neither another node nor who runs the graph reads the value; true if nobody does.
    [[nodiscard]] bool isReadOnlyBy(const std::set<std::size_t>& nodes, ValueId value) const;

private:
    const Graph& m_graph;
    std::vector<std::optional<std::size_t>> m_producers;
    std::vector<std::vector<std::size_t>> m_consumers;
    std::vector<bool> m_outputs;
};

}  // namespace qs::core
