#include "core/lower/fused/group_rows.h"

#include "core/lower/fused/element_operations.h"
#include "core/lower/graph_rewriter.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

constexpr std::int64_t kFewestRows = 32;

// How many groups, of what has enough rows.
std::int64_t groupsOfRows(const Graph& graph, const Node& node)
{
    if (node.operation->name != "aten::group_norm")
        return 0;
    const TensorType& type = graph.value(node.tensor("input")).type;
    const Argument* groups = node.find("num_groups");
    const auto* count = groups != nullptr ? std::get_if<std::int64_t>(groups) : nullptr;
    const bool isKnown = isFloating(type.dtype) && type.dtype != DType::Float64;
    if (count == nullptr || !isKnown || type.elementCount() == 0 ||
        type.shape[0] * *count < kFewestRows)
        return 0;
    return *count;
}

// One number for each channel, beside an image.
ValueId ofChannels(GraphBuilder& b, ValueId numbers, std::size_t rank)
{
    std::vector<std::int64_t> shape(rank, 1);
    shape[1] = b.type(numbers).elementCount();
    return b.reshape(b.cast(numbers, DType::Float32), std::move(shape));
}

void writeRows(GraphRewriter& rewriter, const Node& node, std::int64_t groups)
{
    GraphBuilder& b = rewriter.builder();
    const ModuleScope scope(b, node.module);
    const ValueId x = rewriter.map(node.tensor("input"));
    const TensorType type = b.type(x);
    const std::int64_t images = type.shape[0];
    const std::int64_t length = type.elementCount() / (images * groups);
    ValueId y = b.reshape(b.cast(x, DType::Float32), {images, groups, length});
    y = b.reshape(b.layerNorm(y, {length}, numberOf(node, "eps").value_or(1e-5)), type.shape);
    if (const ValueId weight = rewriter.map(node.tensor("weight")); weight >= 0)
        y = b.binary("mul", y, ofChannels(b, weight, type.shape.size()));
    if (const ValueId bias = rewriter.map(node.tensor("bias")); bias >= 0)
        y = b.binary("add", y, ofChannels(b, bias, type.shape.size()));
    rewriter.define(node.outputs.front(), b.cast(y, type.dtype));
}

}  // namespace

Result<Graph> withGroupRows(const Graph& graph)
{
    if (std::none_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const Node& node) { return groupsOfRows(graph, node) > 0; }))
        return graph;
    GraphRewriter rewriter(graph);
    rewriter.copyInputs();
    for (const Node& node : graph.nodes) {
        if (const std::int64_t groups = groupsOfRows(graph, node); groups > 0)
            writeRows(rewriter, node, groups);
        else
            rewriter.copy(node);
    }
    return rewriter.finish();
}

}  // namespace qs::core
