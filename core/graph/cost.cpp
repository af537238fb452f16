#include "core/graph/cost.h"

#include <algorithm>
#include <map>

namespace qs::core {

namespace {

double elements(const Graph& graph, ValueId id)
{
    return static_cast<double>(graph.value(id).type.elementCount());
}

// 2·M·N·K for [.., K] x [K, N]: the result has M·N elements.
double productFlops(const Graph& graph, const Node& node, ValueId left)
{
    return 2.0 * elements(graph, node.outputs.front()) *
           static_cast<double>(graph.value(left).type.shape.back());
}

// 2 · positions · kernel of each of the outputs; of a transposed convolution, whose weight begins
// with the channels that come in, of each of the inputs.
double convolutionFlops(const Graph& graph, const Node& node)
{
    const bool quantized = node.operation->name == kInt8Convolution;
    const auto& weight = graph.value(node.tensor(quantized ? "qw" : "weight")).type;
    if (node.operation->name == "aten::conv_transpose2d")
        return 2.0 * elements(graph, node.tensor("input")) *
               static_cast<double>(weight.elementCount()) /
               static_cast<double>(std::max<std::int64_t>(1, weight.shape.front()));
    const auto outputs = static_cast<double>(std::max<std::int64_t>(1, weight.shape.front()));
    return 2.0 * elements(graph, node.outputs.front()) *
           static_cast<double>(weight.elementCount()) / outputs;
}

// Q·Kᵀ and P·V: 2 · 2 · B·H·Nq·Nk·D, also where half of it is masked: as PyTorch counts.
double attentionFlops(const Graph& graph, const Node& node)
{
    const auto& key = graph.value(node.tensor("key")).type.shape;
    return 4.0 * elements(graph, node.tensor("query")) * static_cast<double>(key[key.size() - 2]);
}

// For each value the weight it is a view of, itself included, or -1. Bytes reached through a view
// are bytes of the weight: a transposed weight must not count as an activation as well.
std::vector<ValueId> weightsBehind(const Graph& graph)
{
    std::vector<ValueId> behind(graph.values.size(), -1);
    for (std::size_t i = 0; i < behind.size(); ++i) {
        if (graph.values[i].kind == ValueKind::Weight)
            behind[i] = static_cast<ValueId>(i);
    }
    for (const Node& node : graph.nodes) {
        if (node.operation->operationClass != OperationClass::View)
            continue;
        for (const ValueId id : node.outputs)
            behind[static_cast<std::size_t>(id)] =
                behind[static_cast<std::size_t>(node.inputs().front())];
    }
    return behind;
}

// addmm adds to the product of the arguments behind the first.
ValueId leftFactor(const Node& node)
{
    const ValueId added = node.tensor("mat1");
    return added >= 0 ? added : node.tensor("self");
}

double bytes(const Graph& graph, ValueId id)
{
    return static_cast<double>(graph.value(id).type.bytes());
}

// What is read of the table, or of a weight, is as much as is written; the indices are read too.
double gatheredBytes(const Graph& graph, const Node& node, const std::vector<ValueId>& behind)
{
    const ValueId result = node.outputs.front();
    const ValueId table = node.inputs().front();
    const bool ofWeight = behind[static_cast<std::size_t>(table)] >= 0;
    double total = (ofWeight ? 1.0 : 2.0) * bytes(graph, result);
    for (const ValueId id : node.inputs())
        total += id == table ? 0.0 : bytes(graph, id);
    return total;
}

// The source is read and written into its place; the rest of the target is not touched.
double scatteredBytes(const Graph& graph, const Node& node)
{
    const ValueId target = node.inputs().front();
    double total = 0.0;
    for (const ValueId id : node.inputs()) {
        const bool source = id == node.tensor("source") || id == node.tensor("values");
        total += id == target ? 0.0 : (source ? 2.0 : 1.0) * bytes(graph, id);
    }
    return total;
}

// Which weights operations read, each counted once, by as much of it as the greediest operation
// reads: an embedding reads the rows that it is asked for.
class WeightsRead final
{
public:
    WeightsRead(const Graph& graph, const std::vector<ValueId>& behind)
        : m_graph(graph), m_behind(behind)
    {
    }

    void add(Cost& cost, const Node& node)
    {
        if (node.operation->operationClass == OperationClass::View)
            return;
        for (const ValueId id : node.inputs()) {
            const ValueId weight = m_behind[static_cast<std::size_t>(id)];
            if (weight < 0)
                continue;
            double reads = bytes(m_graph, weight);
            if (node.operation->operationClass == OperationClass::Gather)
                reads = std::min(reads, bytes(m_graph, node.outputs.front()));
            const auto [read, fresh] = m_bytes.try_emplace(weight, 0.0);
            if (fresh)
                cost.parameters += m_graph.value(weight).type.elementCount();
            cost.weightBytes += std::max(0.0, reads - read->second);
            read->second = std::max(read->second, reads);
        }
    }

private:
    const Graph& m_graph;
    const std::vector<ValueId>& m_behind;
    std::map<ValueId, double> m_bytes;
};

Cost costWithoutWeights(const Graph& graph, const Node& node, const std::vector<ValueId>& behind)
{
    Cost cost;
    switch (node.operation->operationClass) {
    case OperationClass::View:
        return cost;
    case OperationClass::Linear:
        cost.matmulFlops = productFlops(graph, node, node.tensor("input"));
        break;
    case OperationClass::Convolution:
        cost.matmulFlops = convolutionFlops(graph, node);
        break;
    case OperationClass::Matmul:
        cost.matmulFlops = productFlops(graph, node, leftFactor(node));
        break;
    case OperationClass::Attention:
        cost.attentionFlops = attentionFlops(graph, node);
        break;
    case OperationClass::Gather:
        cost.activationBytes = gatheredBytes(graph, node, behind);
        return cost;
    case OperationClass::Scatter:
        cost.activationBytes = scatteredBytes(graph, node);
        return cost;
    case OperationClass::Elementwise:
    case OperationClass::Reduction:
    case OperationClass::Copy:
        break;
    }
    for (const ValueId id : node.inputs()) {
        if (behind[static_cast<std::size_t>(id)] < 0)
            cost.activationBytes += static_cast<double>(graph.value(id).type.bytes());
    }
    for (const ValueId id : node.outputs)
        cost.activationBytes += static_cast<double>(graph.value(id).type.bytes());
    return cost;
}

}  // namespace

Cost& Cost::operator+=(const Cost& other)
{
    matmulFlops += other.matmulFlops;
    attentionFlops += other.attentionFlops;
    weightBytes += other.weightBytes;
    activationBytes += other.activationBytes;
    parameters += other.parameters;
    return *this;
}

Cost costOf(const Graph& graph, const Node& node)
{
    const std::vector<ValueId> behind = weightsBehind(graph);
    Cost cost = costWithoutWeights(graph, node, behind);
    WeightsRead(graph, behind).add(cost, node);
    return cost;
}

Cost costOf(const Graph& graph)
{
    Cost total;
    const std::vector<ValueId> behind = weightsBehind(graph);
    WeightsRead weights(graph, behind);
    for (const Node& node : graph.nodes) {
        total += costWithoutWeights(graph, node, behind);
        weights.add(total, node);
    }
    return total;
}

std::vector<LayerCost> costPerModule(const Graph& graph)
{
    std::vector<LayerCost> layers;
    std::map<std::string, std::size_t> index;
    const std::vector<ValueId> behind = weightsBehind(graph);
    WeightsRead weights(graph, behind);
    for (const Node& node : graph.nodes) {
        const auto [found, fresh] = index.emplace(node.module, layers.size());
        if (fresh)
            layers.push_back({node.module, {}});
        Cost& cost = layers[found->second].cost;
        cost += costWithoutWeights(graph, node, behind);
        weights.add(cost, node);
    }
    return layers;
}

}  // namespace qs::core
