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

std::optional<MemoryWrite> writeOf(const Graph& group, ValueId output)
{
    const auto node = std::find_if(group.nodes.begin(), group.nodes.end(), [&](const Node& each) {
        return !each.outputs.empty() && each.outputs.front() == output;
    });
    return node != group.nodes.end() ? memoryWrite(group, *node) : std::nullopt;
}

ValueId storedBy(const Graph& group, ValueId output)
{
    const auto write = writeOf(group, output);
    return write ? write->source : output;
}

std::optional<std::size_t> writtenInput(const Graph& group, std::size_t output)
{
    const auto write = writeOf(group, group.outputs[output]);
    const auto input = write ? std::find(group.inputs.begin(), group.inputs.end(), write->into)
                             : group.inputs.end();
    if (input == group.inputs.end())
        return std::nullopt;
    return static_cast<std::size_t>(input - group.inputs.begin());
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
