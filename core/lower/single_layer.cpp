#include "core/lower/single_layer.h"

#include "core/graph/builder.h"
#include "core/lower/marked_node.h"

#include <algorithm>
#include <utility>

namespace qs::core {

Graph withoutSchemes(Graph graph)
{
    for (Node& node : graph.nodes) {
        if (!isMarked(node))
            continue;
        node.operation =
            findOperation(node.operation->name == kQsLinear ? "aten::linear" : "aten::conv2d");
        std::erase_if(node.arguments,
                      [](const NamedArgument& argument) { return argument.name == "scheme"; });
    }
    return graph;
}

std::vector<MarkedLayer> markedLayers(const Graph& graph)
{
    std::vector<MarkedLayer> layers;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (isMarked(node))
            layers.push_back(
                {i, graph.value(node.tensor("weight")).name, node.tensor("input"), schemeOf(node)});
    }
    return layers;
}

Result<StageProgram> layerAlone(const StageProgram& stage, std::size_t node)
{
    const Node& source = stage.graph.nodes.at(node);
    QS_ASSERT(isMarked(source));
    GraphBuilder builder;
    const ModuleScope scope(builder, source.module);
    std::vector<NamedArgument> arguments = source.arguments;
    for (NamedArgument& argument : arguments) {
        auto* ref = std::get_if<ValueRef>(&argument.value);
        if (ref == nullptr || ref->id < 0)
            continue;
        const Value& value = stage.graph.value(ref->id);
        if (value.kind == ValueKind::Weight)
            ref->id = builder.weight(value.name, value.type);
        else
            ref->id = builder.input(argument.name == "input" ? "x" : argument.name, value.type);
    }
    builder.output(builder.call1(source.operation->fullName(), std::move(arguments)), "y");
    StageProgram alone;
    alone.name = stage.name;
    alone.workingType = stage.workingType;
    QS_TRY(alone.graph, builder.finish());
    alone.graph.allowTf32 = stage.graph.allowTf32;
    return alone;
}

}  // namespace qs::core
