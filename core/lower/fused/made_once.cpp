#include "core/lower/fused/made_once.h"

#include "core/graph/graph_uses.h"
#include "core/lower/arrangement.h"
#include "core/lower/graph_rewriter.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace qs::core {

namespace {

// Operations whose results are the same in every pass, and that change nothing.
std::set<std::size_t> independentNodes(const Graph& graph, const GraphUses& uses)
{
    const NodeOrder order(graph);
    std::set<std::size_t> nodes;
    const auto isKnown = [&](ValueId id) {
        const auto producer = uses.producer(id);
        return producer ? nodes.count(*producer) > 0 : graph.value(id).kind == ValueKind::Constant;
    };
    const auto leaves = [&](ValueId id) { return uses.leavesGraph(id); };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        const std::vector<ValueId> inputs = node.inputs();
        if (!multiplies(*node.operation) && !touchesMutated(graph, order, {i}) &&
            std::all_of(inputs.begin(), inputs.end(), isKnown) &&
            std::none_of(node.outputs.begin(), node.outputs.end(), leaves))
            nodes.insert(i);
    }
    return nodes;
}

}  // namespace

Result<MadeOnce> madeOnce(const Graph& graph)
{
    const GraphUses uses(graph);
    const std::set<std::size_t> nodes = independentNodes(graph, uses);
    if (nodes.empty())
        return MadeOnce{{}, graph};
    GraphRewriter once(graph);
    GraphRewriter rest(graph);
    rest.copyInputs();
    std::size_t count = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (nodes.count(i) == 0) {
            rest.copy(node);
            continue;
        }
        once.copy(node);
        for (const ValueId id : node.outputs) {
            if (uses.isReadOnlyBy(nodes, id))
                continue;
            const std::string name = fmt::format("once:{}", count++);
            once.builder().output(once.map(id), name);
            rest.define(id, rest.builder().weight(name, graph.value(id).type));
        }
    }
    QS_TRY(Graph independent, once.builder().finish());
    QS_TRY(Graph remaining, rest.finish());
    return MadeOnce{std::move(independent), std::move(remaining)};
}

}  // namespace qs::core
