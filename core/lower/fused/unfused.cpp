#include "core/lower/fused/unfused.h"

#include "core/lower/fused/memory_write.h"
#include "core/lower/fused/product_groups.h"
#include "core/lower/fused/row_operations.h"
#include "core/lower/fused/skinny_product.h"
#include "core/lower/fused/through_view.h"
#include "core/lower/fused/weight_chain.h"
#include "core/lower/region_writer.h"

#include <algorithm>

namespace qs::core {

namespace {

// Whether a group of its own has made it of codes.
bool isWidened(const GraphUses& uses, ValueId id)
{
    const auto maker = uses.maker(id);
    if (!maker)
        return false;
    const auto inputs = uses.graph().nodes[*maker].inputs();
    return std::any_of(inputs.begin(), inputs.end(), [&](ValueId input) {
        return input >= 0 && holdsCodes(uses.graph().value(input));
    });
}

Unfused whyNoProduct(const GraphUses& uses, const Node& node, const ProductCall& call,
                     const ProductChip& chip)
{
    const Unfused limit = productLimit(uses.graph(), node, call, chip);
    if (limit != Unfused::No)
        return limit;
    return !readsWholeCodes(call) && isWidened(uses, call.b) ? Unfused::Shape : Unfused::Layout;
}

bool reducesAll(const Graph& graph, const Node& node)
{
    return (node.operation->name == "aten::amax" || node.operation->name == "aten::amin") &&
           graph.value(node.outputs.front()).type.shape.empty();
}

// Whether a kernel is made for its sake, not for what only moves elements.
bool computes(const Graph& graph, const Node& node)
{
    return computesRows(graph, node) || memoryWrite(graph, node);
}

bool isMadeBeside(const GraphUses& uses, ValueId id)
{
    const auto maker = uses.maker(id);
    return maker && computes(uses.graph(), uses.graph().nodes[*maker]);
}

bool isReadBeside(const GraphUses& uses, ValueId id)
{
    const Graph& graph = uses.graph();
    const auto& readers = uses.consumers(id);
    return std::any_of(readers.begin(), readers.end(), [&](std::size_t reader) {
        const Node& node = graph.nodes[reader];
        return isView(node) ? std::any_of(node.outputs.begin(), node.outputs.end(),
                                          [&](ValueId seen) { return isReadBeside(uses, seen); })
                            : computes(graph, node);
    });
}

}  // namespace

Unfused productLimit(const Graph& graph, const Node& node, const ProductCall& call,
                     const ProductChip& chip)
{
    if (elementBytes(call.type) > 1 && call.m > kFewRows)
        return Unfused::Library;
    if (!hasElements(call) || !hasWholeRows(call) || !hasWholeColumns(call))
        return Unfused::Shape;
    if (!multipliesMatrices(graph, node))
        return Unfused::Operation;
    return chip.multiplies(call.type) ? Unfused::No : Unfused::Units;
}

Unfused whyUnfused(const GraphUses& uses, std::size_t index, const ProductChip& chip)
{
    const Graph& graph = uses.graph();
    const Node& node = graph.nodes[index];
    if (const auto call = productCall(graph, node))
        return whyNoProduct(uses, node, *call, chip);
    if (node.operation->operationClass == OperationClass::Attention)
        return Unfused::Attention;
    if (reducesAll(graph, node))
        return Unfused::Rows;
    if (!computes(graph, node))
        return movesElements(graph, node) ? Unfused::Alone : Unfused::Operation;
    const auto inputs = node.inputs();
    const bool hasNeighbour = std::any_of(inputs.begin(), inputs.end(),
                                          [&](ValueId id) { return isMadeBeside(uses, id); }) ||
                              std::any_of(node.outputs.begin(), node.outputs.end(),
                                          [&](ValueId id) { return isReadBeside(uses, id); });
    return hasNeighbour ? Unfused::Group : Unfused::Alone;
}

}  // namespace qs::core
