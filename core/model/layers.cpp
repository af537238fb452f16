#include "core/model/layers.h"

#include <map>

namespace qs::core {

namespace {

bool isWeight(const Graph& graph, ValueId id)
{
    return id >= 0 && graph.value(id).kind == ValueKind::Weight;
}

// Nothing to multiply by, or what it is multiplied by is computed: no layer. No scheme has a
// transposed convolution, whose weight has its channels the other way round.
bool isLayer(const Graph& graph, const Node& node)
{
    const OperationClass kind = node.operation->operationClass;
    if (node.operation->name == "aten::conv_transpose2d")
        return false;
    return (kind == OperationClass::Linear || kind == OperationClass::Convolution) &&
           isWeight(graph, node.tensor("weight"));
}

LayerSpec layerOf(const Graph& graph, const Node& node)
{
    const Value& weight = graph.value(node.tensor("weight"));
    LayerSpec layer;
    layer.module = node.module;
    layer.weight = weight.name;
    if (const ValueId bias = node.tensor("bias"); isWeight(graph, bias))
        layer.bias = graph.value(bias).name;
    if (node.operation->operationClass == OperationClass::Convolution)
        layer.kind = LayerKind::Convolution;
    layer.weightShape = weight.type.shape;
    layer.outFeatures = weight.type.shape.front();
    layer.inFeatures = 1;
    for (std::size_t i = 1; i < layer.weightShape.size(); ++i)
        layer.inFeatures *= layer.weightShape[i];
    return layer;
}

}  // namespace

std::vector<LayerSpec> findLayers(const Graph& graph)
{
    std::vector<LayerSpec> layers;
    std::map<ValueId, std::size_t> places;
    for (const Node& node : graph.nodes) {
        if (!isLayer(graph, node))
            continue;
        const auto [place, fresh] = places.try_emplace(node.tensor("weight"), layers.size());
        if (fresh)
            layers.push_back(layerOf(graph, node));
        ++layers[place->second].calls;
    }
    for (const Node& node : graph.nodes) {
        const ValueId own = isLayer(graph, node) ? node.tensor("weight") : -1;
        for (const ValueId id : node.inputs()) {
            if (const auto place = places.find(id); place != places.end() && id != own)
                layers[place->second].readElsewhere = true;
        }
    }
    return layers;
}

}  // namespace qs::core
