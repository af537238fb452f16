#include "core/lower/fused/row_maxima.h"

#include "core/lower/graph_rewriter.h"

#include <algorithm>
#include <vector>

namespace qs::core {

namespace {

using Axes = std::vector<std::int64_t>;

// A block compares a row, and one block the largest of all rows: neither may take long, and short
// rows would leave that one most of the work. Else PyTorch's own launches are faster.
constexpr std::int64_t kShortestRow = 64;
constexpr std::int64_t kLongestRow = 65'536;
constexpr std::int64_t kMostRows = 65'536;

// Whether a node compares all elements of a tensor with rows.
bool comparesAll(const Graph& graph, const Node& node)
{
    if (node.operation->name != "aten::amax" && node.operation->name != "aten::amin")
        return false;
    const TensorType& from = graph.value(node.tensor("self")).type;
    const TensorType& to = graph.value(node.outputs.front()).type;
    if (!to.shape.empty() || from.shape.empty())
        return false;
    const std::int64_t length = from.shape.back();
    return length >= kShortestRow && length <= kLongestRow &&
           from.elementCount() / length <= kMostRows;
}

ValueId compare(GraphBuilder& b, const Node& node, ValueId x, Axes axes)
{
    return node.operation->name == "aten::amax" ? b.maximum(x, std::move(axes))
                                                : b.minimum(x, std::move(axes));
}

}  // namespace

Result<Graph> byRowMaxima(const Graph& graph)
{
    if (std::none_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const Node& node) { return comparesAll(graph, node); }))
        return graph;
    GraphRewriter rewriter(graph);
    rewriter.copyInputs();
    for (const Node& node : graph.nodes) {
        if (!comparesAll(graph, node)) {
            rewriter.copy(node);
            continue;
        }
        GraphBuilder& b = rewriter.builder();
        const ModuleScope scope(b, node.module);
        ValueId rows = rewriter.map(node.tensor("self"));
        if (const auto& shape = b.type(rows).shape; shape.size() > 1) {
            const std::int64_t count = b.type(rows).elementCount() / shape.back();
            rows = b.reshape(compare(b, node, rows, {-1}), {count});
        }
        const ValueId all = compare(b, node, rows, {-1});
        rewriter.define(node.outputs.front(), b.reshape(all, {}));
    }
    return rewriter.finish();
}

}  // namespace qs::core
