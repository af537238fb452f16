#include "core/lower/fused/memory_write.h"

#include "core/lower/fused/through_view.h"

#include <algorithm>

namespace qs::core {

std::optional<MemoryWrite> memoryWrite(const Graph& graph, const Node& node)
{
    const bool places = node.operation->name == "aten::index_copy_";
    if (!places && node.operation->name != "aten::copy_")
        return std::nullopt;
    MemoryWrite write{node.tensor("self"), node.tensor(places ? "source" : "src")};
    const TensorType& into = graph.value(write.into).type;
    const TensorType& source = graph.value(write.source).type;
    if (source.dtype != into.dtype)
        return std::nullopt;
    if (!places)
        return source.shape == into.shape ? std::optional(write) : std::nullopt;
    write.index = node.tensor("index");
    write.axis = axisOf(node, "dim", into.shape.size(), 0);
    return graph.value(write.index).type.dtype == DType::Int64 ? std::optional(write)
                                                               : std::nullopt;
}

ValueId storedBy(const GraphUses& uses, ValueId output)
{
    const auto producer = uses.producer(output);
    const auto write =
        producer ? memoryWrite(uses.graph(), uses.graph().nodes[*producer]) : std::nullopt;
    return write ? write->source : output;
}

std::optional<std::size_t> writtenInput(const Graph& group, std::size_t output)
{
    for (const Node& node : group.nodes) {
        if (node.outputs.empty() || node.outputs.front() != group.outputs[output])
            continue;
        const auto write = memoryWrite(group, node);
        const auto input = write ? std::find(group.inputs.begin(), group.inputs.end(), write->into)
                                 : group.inputs.end();
        if (input != group.inputs.end())
            return static_cast<std::size_t>(input - group.inputs.begin());
    }
    return std::nullopt;
}

std::vector<bool> writtenInputs(const Graph& group)
{
    std::vector<bool> written(group.inputs.size(), false);
    for (std::size_t i = 0; i < group.outputs.size(); ++i) {
        if (const auto input = writtenInput(group, i))
            written[*input] = true;
    }
    return written;
}

}  // namespace qs::core
