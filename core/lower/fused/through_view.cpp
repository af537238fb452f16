#include "core/lower/fused/through_view.h"

#include "core/lower/fused/element_operations.h"

#include <algorithm>

namespace qs::core {

namespace {

using Shape = std::vector<std::int64_t>;

std::int64_t numberOf(const Node& node, std::string_view argument, std::int64_t fallback)
{
    const Argument* given = node.find(argument);
    const auto* number = given != nullptr ? std::get_if<std::int64_t>(given) : nullptr;
    return number != nullptr ? *number : fallback;
}

Coordinates permuted(const Coordinates& at, const Shape& order)
{
    Coordinates source(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
        const std::int64_t axis =
            order[i] < 0 ? order[i] + static_cast<std::int64_t>(at.size()) : order[i];
        source[static_cast<std::size_t>(axis)] = at[i];
    }
    return source;
}

Coordinates swapped(Coordinates at, std::size_t first, std::size_t second)
{
    std::swap(at[first], at[second]);
    return at;
}

Coordinates inserted(Coordinates at, std::size_t axis, std::int64_t number)
{
    at.insert(at.begin() + static_cast<std::ptrdiff_t>(axis), numberAt(number));
    return at;
}

// Part `index` of what was divided along an axis.
Coordinates inPart(const Graph& graph, const Node& node, std::size_t index, std::size_t axis,
                   const Coordinates& at)
{
    std::int64_t before = 0;
    for (std::size_t i = 0; i < index; ++i)
        before += graph.value(node.outputs[i]).type.shape[axis];
    Coordinates result = at;
    result[axis] = plus(at[axis], before);
    return result;
}

std::optional<Coordinates> throughSlice(const Node& node, const Coordinates& at,
                                        const Shape& source)
{
    if (numberOf(node, "step", 1) != 1)
        return std::nullopt;
    const std::size_t axis = axisOf(node, "dim", source.size(), 0);
    std::int64_t begin = numberOf(node, "start", 0);
    if (begin < 0)
        begin += source[axis];
    Coordinates result = at;
    result[axis] = plus(at[axis], std::clamp<std::int64_t>(begin, 0, source[axis]));
    return result;
}

}  // namespace

std::size_t axisOf(const Node& node, std::string_view argument, std::size_t rank,
                   std::int64_t fallback)
{
    const std::int64_t axis = numberOf(node, argument, fallback);
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

std::optional<Coordinates> throughView(const Graph& graph, const Node& node, ValueId result,
                                       const Coordinates& at)
{
    const ValueId self = node.tensor("self");
    if (self < 0)
        return std::nullopt;
    const auto index = static_cast<std::size_t>(
        std::find(node.outputs.begin(), node.outputs.end(), result) - node.outputs.begin());
    const Shape& source = graph.value(self).type.shape;
    const Shape& shape = graph.value(result).type.shape;
    const std::string_view name = node.operation->name;
    if (name == "aten::view" || name == "aten::reshape" || name == "aten::flatten" ||
        name == "aten::unsqueeze" || name == "aten::squeeze")
        return reshaped(at, shape, source);
    if (name == "aten::detach" || name == "aten::contiguous" || name == "aten::clone")
        return at;
    if (name == "aten::expand")
        return broadcast(at, source);
    if (name == "aten::permute")
        return permuted(at, std::get<Shape>(*node.find("dims")));
    if (name == "aten::transpose")
        return swapped(at, axisOf(node, "dim0", at.size(), 0), axisOf(node, "dim1", at.size(), 1));
    if (name == "aten::t")
        return at.size() == 2 ? swapped(at, 0, 1) : at;
    if (name == "aten::slice")
        return throughSlice(node, at, source);
    const std::size_t axis = axisOf(node, "dim", source.size(), 0);
    if (name == "aten::select") {
        const std::int64_t place = numberOf(node, "index", 0);
        return inserted(at, axis, place < 0 ? place + source[axis] : place);
    }
    if (name == "aten::unbind")
        return inserted(at, axis, static_cast<std::int64_t>(index));
    if (name == "aten::chunk" || name == "aten::split" || name == "aten::split_with_sizes")
        return inPart(graph, node, index, axis, at);
    return std::nullopt;
}

bool keepsOrder(const Graph& graph, const Node& node)
{
    const TensorType& type = graph.value(node.outputs.front()).type;
    const std::int64_t count = type.elementCount();
    if (count == 0)
        return false;
    const Coordinates at = reshaped({placeAt("i", count)}, {count}, type.shape);
    const auto source = throughView(graph, node, node.outputs.front(), at);
    if (!source)
        return false;
    const auto& before = graph.value(node.tensor("self")).type.shape;
    return toText({linear(*source, denseStrides(before))}) ==
           toText({linear(at, denseStrides(type.shape))});
}

bool movesElements(const Graph& graph, const Node& node)
{
    const std::string_view name = node.operation->name;
    if (name == "aten::cat" || name == "aten::stack" || name == "aten::clone")
        return isHeld(graph.value(node.outputs.front()).type.dtype);
    if (node.outputs.empty())
        return false;
    const Coordinates origin(graph.value(node.outputs.front()).type.shape.size(), numberAt(0));
    return throughView(graph, node, node.outputs.front(), origin).has_value();
}

std::optional<PlaceInInput> placeInInput(const GraphUses& uses, const InputStrides& strides,
                                         ValueId id, Coordinates at)
{
    const Graph& graph = uses.graph();
    while (const auto producer = uses.producer(id)) {
        const Node& node = graph.nodes[*producer];
        const auto source = throughView(graph, node, id, at);
        if (!source)
            return std::nullopt;
        at = *source;
        id = node.tensor("self");
    }
    const auto input = std::find(graph.inputs.begin(), graph.inputs.end(), id);
    if (input == graph.inputs.end())
        return std::nullopt;
    const auto index = static_cast<std::size_t>(input - graph.inputs.begin());
    return PlaceInInput{index, linear(at, strides[index])};
}

}  // namespace qs::core
