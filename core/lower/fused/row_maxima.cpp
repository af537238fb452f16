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
constexpr std::int64_t kMostTogether = 1024;  // rows, of more than that

// Of how many rows a block compares the largest, before one compares what is left; 0: there is no
// such number that divides them.
std::int64_t rowsTogether(std::int64_t count)
{
    if (count <= kMostRows)
        return 1;
    for (std::int64_t together = kMostTogether; together >= kShortestRow; --together) {
        if (count % together == 0 && count / together <= kMostRows)
            return together;
    }
    return 0;
}

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
           rowsTogether(from.elementCount() / length) > 0;
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
            std::int64_t count = b.type(rows).elementCount() / shape.back();
            rows = compare(b, node, rows, {-1});
            if (const std::int64_t together = rowsTogether(count); together > 1) {
                count /= together;
                rows = compare(b, node, b.reshape(rows, {count, together}), {-1});
            }
            rows = b.reshape(rows, {count});
        }
        const ValueId all = compare(b, node, rows, {-1});
        rewriter.define(node.outputs.front(), b.reshape(all, {}));
    }
    return rewriter.finish();
}

}  // namespace qs::core
