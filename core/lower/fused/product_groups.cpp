#include "core/lower/fused/product_groups.h"

#include "core/lower/fused/followers.h"
#include "core/lower/fused/matrix_product.h"
#include "core/lower/fused/skinny_product.h"
#include "core/lower/fused/weight_chain.h"

#include <set>
#include <utility>

namespace qs::core {

namespace {

constexpr std::int64_t kRowsOfSmallestTile = 64;  // of the smallest tile

// What makes second operands of what follows a product of weights alone: a scale in another type.
void addOperands(const GraphUses& uses, const NodeOrder& order, const std::vector<bool>& taken,
                 const NodeGroup& product, std::set<std::size_t>& group)
{
    for (std::size_t i = 1; i < product.size(); ++i) {
        for (const ValueId operand : uses.graph().nodes[product[i]].inputs()) {
            const auto producer = operand >= 0 ? uses.producer(operand) : std::nullopt;
            if (!producer || group.count(*producer) > 0)
                continue;
            const NodeGroup readers(group.begin(), group.end());
            if (const auto chain = weightChain(uses, order, taken, operand, readers))
                group.insert(chain->nodes.begin(), chain->nodes.end());
        }
    }
}

// Empty where no kernel computes it, or none needs to.
NodeGroup groupOf(const GraphUses& uses, const NodeOrder& order, const std::vector<bool>& taken,
                  std::size_t product, const DeviceDescription& device, ProductUnits most)
{
    NodeGroup widened =
        multipliesCodes(device) ? codesOf(uses, order, taken, product) : NodeGroup{};
    const bool isSkinny = !widened.empty();
    const ProductCall call = *productCall(uses.graph(), uses.graph().nodes[product]);
    const bool hasUnits = productChip(device, most).multiplies(call.type);
    if (!isSkinny && device.kind == DeviceKind::Cuda && !hasUnits)
        return {};
    ProductGroup group = withFollowers(uses, order, taken, product);
    // The library multiplies 16 bits as fast where there are many rows, and what follows goes into
    // the next kernel; with few, a kernel of ours is tried beside the library's, and has what
    // follows unless most of a tile is empty, where the library's is the likelier one.
    if (!isSkinny && elementBytes(call.type) > 1 && !group.isGate) {
        if (call.m > kFewRows || !hasUnits)
            return {};
        if (call.m < kRowsOfSmallestTile)
            return {product};
    }
    std::set<std::size_t> all(widened.begin(), widened.end());
    all.insert(group.nodes.begin(), group.nodes.end());
    addOperands(uses, order, taken, group.nodes, all);
    return NodeGroup(all.begin(), all.end());
}

}  // namespace

std::vector<NodeGroup> productGroups(const GraphUses& uses, const NodeOrder& order,
                                     const DeviceDescription& device, ProductUnits most)
{
    std::vector<NodeGroup> groups;
    const Graph& graph = uses.graph();
    std::vector<bool> taken(graph.nodes.size(), false);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!multipliesMatrices(graph, graph.nodes[i]) || touchesMutated(graph, order, {i}))
            continue;
        NodeGroup group = groupOf(uses, order, taken, i, device, most);
        for (const std::size_t node : group)
            taken[node] = true;
        if (!group.empty())
            groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace qs::core
