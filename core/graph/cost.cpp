#include "core/graph/cost.h"

#include <map>
#include <set>

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

// Q·Kᵀ and P·V: 2 · 2 · B·H·Nq·Nk·D.
double attentionFlops(const Graph& graph, const Node& node)
{
    const auto& key = graph.value(node.tensor("key")).type.shape;
    return 4.0 * elements(graph, node.tensor("query")) * static_cast<double>(key[key.size() - 2]);
}

void addWeight(Cost& cost, const Value& value)
{
    cost.weightBytes += static_cast<double>(value.type.bytes());
    cost.parameters += value.type.elementCount();
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

Cost costWithoutWeights(const Graph& graph, const Node& node, const std::vector<ValueId>& behind)
{
    Cost cost;
    switch (node.operation->operationClass) {
    case OperationClass::View:
        return cost;
    case OperationClass::Linear:
        cost.matmulFlops = productFlops(graph, node, node.tensor("input"));
        break;
    case OperationClass::Matmul:
        cost.matmulFlops = productFlops(graph, node, node.tensor("self"));
        break;
    case OperationClass::Attention:
        cost.attentionFlops = attentionFlops(graph, node);
        break;
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
    if (node.operation->operationClass == OperationClass::View)
        return cost;
    for (const ValueId id : node.inputs()) {
        if (const ValueId weight = behind[static_cast<std::size_t>(id)]; weight >= 0)
            addWeight(cost, graph.value(weight));
    }
    return cost;
}

Cost costOf(const Graph& graph)
{
    Cost total;
    const std::vector<ValueId> behind = weightsBehind(graph);
    for (const Node& node : graph.nodes)
        total += costWithoutWeights(graph, node, behind);
    for (const Value& value : graph.values) {
        if (value.kind == ValueKind::Weight)
            addWeight(total, value);
    }
    return total;
}

std::vector<LayerCost> costPerModule(const Graph& graph)
{
    std::vector<LayerCost> layers;
    std::map<std::string, std::size_t> index;
    std::set<ValueId> counted;
    const std::vector<ValueId> behind = weightsBehind(graph);
    for (const Node& node : graph.nodes) {
        const auto [found, fresh] = index.emplace(node.module, layers.size());
        if (fresh)
            layers.push_back({node.module, {}});
        Cost& cost = layers[found->second].cost;
        cost += costWithoutWeights(graph, node, behind);
        for (const ValueId id : node.inputs()) {
            if (graph.value(id).kind == ValueKind::Weight && counted.insert(id).second)
                addWeight(cost, graph.value(id));
        }
    }
    return layers;
}

}  // namespace qs::core
