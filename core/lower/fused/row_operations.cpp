#include "core/lower/fused/row_operations.h"

#include "core/lower/fused/element_operations.h"

#include <map>
#include <string_view>
#include <vector>

namespace qs::core {

namespace {

using Axes = std::vector<std::int64_t>;

const std::map<std::string_view, RowOperation>& reductions()
{
    static const std::map<std::string_view, RowOperation> all{
        {"aten::sum", RowOperation::Sum},
        {"aten::mean", RowOperation::Mean},
        {"aten::amax", RowOperation::Maximum},
        {"aten::amin", RowOperation::Minimum},
    };
    return all;
}

bool isLastAxis(const Node& node, std::string_view argument, std::size_t rank)
{
    const Argument* given = node.find(argument);
    const auto* axes = given != nullptr ? std::get_if<Axes>(given) : nullptr;
    return axes != nullptr && axes->size() == 1 &&
           (axes->front() == -1 || axes->front() == static_cast<std::int64_t>(rank) - 1);
}

std::optional<RowOperation> operationOf(const Node& node, const std::vector<std::int64_t>& shape)
{
    const std::string_view name = node.operation->name;
    if (const auto found = reductions().find(name); found != reductions().end())
        return isLastAxis(node, "dim", shape.size()) ? std::optional(found->second) : std::nullopt;
    if (name != "aten::layer_norm" && name != "aten::rms_norm")
        return std::nullopt;
    const Argument* extents = node.find("normalized_shape");
    const auto* list = extents != nullptr ? std::get_if<Axes>(extents) : nullptr;
    if (list == nullptr || list->size() != 1 || node.find("eps") == nullptr ||
        !std::holds_alternative<double>(*node.find("eps")))
        return std::nullopt;
    return name == "aten::layer_norm" ? RowOperation::LayerNorm : RowOperation::RmsNorm;
}

}  // namespace

std::optional<RowCall> rowCallOf(const Graph& graph, const Node& node)
{
    ValueId source = node.tensor("self");
    if (source < 0)
        source = node.tensor("input");
    if (source < 0 || node.outputs.size() != 1)
        return std::nullopt;
    const TensorType& type = graph.value(source).type;
    if (type.shape.empty() || !isFloating(type.dtype) || type.dtype == DType::Float64 ||
        graph.value(node.outputs.front()).type.dtype != type.dtype)
        return std::nullopt;
    const auto operation = operationOf(node, type.shape);
    if (!operation || type.elementCount() == 0)
        return std::nullopt;
    const std::int64_t length = type.shape.back();
    return RowCall{*operation, source, {type.elementCount() / length, length}};
}

bool computesRows(const Graph& graph, const Node& node)
{
    return isElementwise(graph, node) || rowCallOf(graph, node);
}

}  // namespace qs::core
