#include "core/lower/fused/skinny_product.h"

#include "core/lower/fused/through_view.h"
#include "core/lower/fused/weight_chain.h"

namespace qs::core {

namespace {

bool isSkinny(const ProductCall& call)
{
    return call.m <= kSkinnyRows &&
           (call.type == ProductType::BFloat16 || call.type == ProductType::Float16);
}

}  // namespace

bool multipliesCodes(const DeviceDescription& device)
{
    return device.kind == DeviceKind::Cpu || device.atLeast(8, 0);
}

bool readsWholeCodes(const ProductCall& call)
{
    return !isSkinny(call) || call.k % kByteCodes == 0;
}

NodeGroup codesOf(const GraphUses& uses, const NodeOrder& order, const std::vector<bool>& taken,
                  std::size_t product)
{
    const Graph& graph = uses.graph();
    const auto call = productCall(graph, graph.nodes[product]);
    if (!call || !isSkinny(*call))
        return {};
    const auto chain = weightChain(uses, order, taken, call->b, {product});
    return chain && chain->hasCodes ? chain->nodes : NodeGroup{};
}

std::optional<SkinnyProduct> skinnyProduct(const Graph& group, const InputStrides& strides)
{
    const GraphUses uses(group);
    std::optional<SkinnyProduct> found;
    for (std::size_t i = 0; i < group.nodes.size(); ++i) {
        const auto call = productCall(group, group.nodes[i]);
        if (!call)
            continue;
        const auto a = firstOperand(uses, strides, *call);
        const bool isComputed =
            !placeInInput(uses, strides, call->b, {rowAt("r", call->n), placeAt("k", call->k)});
        if (found || !a || !isSkinny(*call) || !isComputed)
            return std::nullopt;
        found =
            SkinnyProduct{{i, call->type, *a, {0, call->n, 0}, call->k}, call->b, !call->rowsOfB};
    }
    if (found)
        found->product.halves = halvesOf(found->product, group);
    return found && found->product.halves > 0 ? found : std::nullopt;
}

}  // namespace qs::core
