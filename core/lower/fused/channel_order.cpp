#include "core/lower/fused/channel_order.h"

#include "core/graph/graph_uses.h"
#include "core/graph/layer_operations.h"
#include "core/lower/arrangement.h"
#include "core/lower/graph_rewriter.h"

#include <algorithm>
#include <set>

namespace qs::core {

namespace {

constexpr std::string_view kConvolution = "aten::conv2d";

bool isConvolution(const Node& node)
{
    return node.operation->name == kConvolution;
}

// Whether each channel is convolved by itself, in 16 bits.
bool isByChannel(const Graph& graph, const Node& node)
{
    const TensorType& input = graph.value(node.tensor("input")).type;
    const Argument* groups = node.find("groups");
    const auto* count = groups != nullptr ? std::get_if<std::int64_t>(groups) : nullptr;
    return count != nullptr && *count > 1 && *count == input.shape[1] &&
           (input.dtype == DType::BFloat16 || input.dtype == DType::Float16);
}

// What such convolutions read; what leaves the graph keeps its order, and so does what is written
// into, by whatever name, for a copy would not be.
std::set<ValueId> readByChannel(const Graph& graph)
{
    const GraphUses uses(graph);
    const NodeOrder order(graph);
    std::set<ValueId> values;
    for (const Node& node : graph.nodes) {
        if (isConvolution(node) && isByChannel(graph, node) &&
            !uses.leavesGraph(node.tensor("input")) && !order.isMutated(node.tensor("input")))
            values.insert(node.tensor("input"));
    }
    return values;
}

ValueId channelsLast(GraphBuilder& b, ValueId x)
{
    return permute(b, b.contiguous(permute(b, x, {0, 2, 3, 1})), {0, 3, 1, 2});
}

// The convolution, and its bias behind it.
void writeConvolution(GraphRewriter& rewriter, const Node& node)
{
    std::vector<NamedArgument> arguments = rewriter.mapped(node);
    const ValueId bias = rewriter.map(node.tensor("bias"));
    std::erase_if(arguments, [](const NamedArgument& each) { return each.name == "bias"; });
    rewriter.write(node, std::move(arguments));
    if (bias < 0)
        return;
    GraphBuilder& b = rewriter.builder();
    const ModuleScope scope(b, node.module);
    const ValueId result = node.outputs.front();
    const ValueId ofChannels = b.reshape(bias, {1, b.type(bias).elementCount(), 1, 1});
    rewriter.define(result, b.binary("add", rewriter.map(result), ofChannels));
}

}  // namespace

Result<Graph> inChannelOrder(const Graph& graph, const DeviceDescription& device)
{
    if (device.kind != DeviceKind::Cuda ||
        std::none_of(graph.nodes.begin(), graph.nodes.end(), isConvolution))
        return graph;
    const std::set<ValueId> values = readByChannel(graph);
    GraphRewriter rewriter(graph);
    rewriter.copyInputs();
    const auto turn = [&](const std::vector<ValueId>& made) {
        for (const ValueId id : made) {
            if (values.count(id) > 0)
                rewriter.define(id, channelsLast(rewriter.builder(), rewriter.map(id)));
        }
    };
    turn(graph.inputs);
    for (const Node& node : graph.nodes) {
        if (isConvolution(node))
            writeConvolution(rewriter, node);
        else
            rewriter.copy(node);
        turn(node.outputs);
    }
    return rewriter.finish();
}

}  // namespace qs::core
