#include "core/lower/fused/weight_reader.h"

#include "core/lower/fused/kernel_writer.h"
#include "core/lower/fused/nibble_weight.h"

#include <optional>
#include <set>

namespace qs::core {

namespace {

// Neighbours in their order, and what the first operand has beside them.
constexpr const char* kInOrder = R"(
__device__ __forceinline__ void qs_order(const qs_four& x, unsigned (&pairs)[4])
{
    #pragma unroll
    for (int p = 0; p < 4; ++p) pairs[p] = x.at[p];
}
)";

// Only what makes the weight; inputs keep their numbers.
Graph graphOf(const Graph& group, ValueId weight)
{
    const GraphUses uses(group);
    std::set<std::size_t> nodes;
    std::vector<ValueId> open{weight};
    while (!open.empty()) {
        const ValueId id = open.back();
        open.pop_back();
        const auto producer = id >= 0 ? uses.producer(id) : std::nullopt;
        if (!producer || !nodes.insert(*producer).second)
            continue;
        for (const ValueId input : group.nodes[*producer].inputs())
            open.push_back(input);
    }
    Graph graph = group;
    graph.nodes.clear();
    for (const std::size_t node : nodes)
        graph.nodes.push_back(group.nodes[node]);
    return graph;
}

std::vector<std::size_t> inputsOf(const Graph& graph)
{
    const GraphUses uses(graph);
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
        if (!uses.consumers(graph.inputs[i]).empty())
            inputs.push_back(i);
    }
    return inputs;
}

}  // namespace

Result<WeightReader> weightReader(const Graph& group, const InputStrides& strides,
                                  Division division, const SkinnyProduct& skinny)
{
    const Graph graph = graphOf(group, skinny.weight);
    const Rows rows{skinny.product.b.rows, skinny.product.k};
    KernelShape shape;
    shape.width = kNibblesAtOnce;
    if (rows.length % kNibblesAtOnce == 0) {
        const auto chain = codeChain(graph, strides, skinny);
        auto text =
            chain ? nibbleText({graph, shape, rows, rows.length, {}}, *chain, skinny.product.type)
                  : std::nullopt;
        if (text)
            return WeightReader{std::move(*text), kNibblesAtOnce, inputsOf(graph)};
    }
    if (rows.length % kByteCodes != 0)
        return Error{ErrorCode::Unsupported, "rows of weights that are not read in whole pieces"};
    shape.width = kByteCodes;
    const KernelFrame frame{graph, shape, rows, rows.length, {}};
    QS_TRY(std::string text,
           KernelWriter(frame, strides, division).writeWeight(skinny.weight, skinny.turned));
    return WeightReader{kInOrder + std::move(text), kByteCodes, inputsOf(graph)};
}

}  // namespace qs::core
