#include "core/lower/fused/token_order.h"

#include "core/lower/fused/row_operations.h"
#include "core/lower/fused/through_view.h"
#include "core/lower/graph_rewriter.h"

#include <algorithm>
#include <set>

namespace qs::core {

namespace {

constexpr std::string_view kAttention = "aten::scaled_dot_product_attention";
constexpr std::size_t kRank = 4;  // sequences, heads, tokens, width
constexpr std::size_t kHeads = 1;
constexpr std::size_t kTokens = 2;

bool swapsHeadsAndTokens(const Graph& graph, const Node& node)
{
    if (node.operation->name != "aten::transpose" ||
        graph.value(node.outputs.front()).type.shape.size() != kRank)
        return false;
    const std::set<std::size_t> axes{axisOf(node, "dim0", kRank, 0),
                                     axisOf(node, "dim1", kRank, 1)};
    return axes == std::set{kHeads, kTokens};
}

bool becomesTokens(const GraphUses& uses, const Node& attention)
{
    const auto& readers = uses.consumers(attention.outputs.front());
    return uses.graph().value(attention.outputs.front()).type.shape.size() == kRank &&
           std::any_of(readers.begin(), readers.end(), [&](std::size_t reader) {
               return swapsHeadsAndTokens(uses.graph(), uses.graph().nodes[reader]);
           });
}

// By a kernel that may as well write it in another order.
bool isComputed(const GraphUses& uses, ValueId id)
{
    const Graph& graph = uses.graph();
    const auto maker = uses.maker(id);
    if (!maker)
        return false;
    const Node& node = graph.nodes[*maker];
    return node.operation->name == "aten::stack" || node.operation->name == "aten::cat" ||
           computesRows(graph, node);
}

}  // namespace

bool feedsAttention(const GraphUses& uses, const Node& view)
{
    const auto& readers = uses.consumers(view.outputs.front());
    return swapsHeadsAndTokens(uses.graph(), view) && !readers.empty() &&
           std::all_of(readers.begin(), readers.end(), [&](std::size_t reader) {
               return uses.graph().nodes[reader].operation->name == kAttention;
           });
}

Result<Graph> inTokenOrder(const Graph& graph)
{
    const GraphUses uses(graph);
    GraphRewriter rewriter(graph);
    rewriter.copyInputs();
    for (const Node& node : graph.nodes) {
        std::vector<NamedArgument> arguments = rewriter.mapped(node);
        if (node.operation->name == kAttention && becomesTokens(uses, node)) {
            const ModuleScope scope(rewriter.builder(), node.module);
            for (NamedArgument& argument : arguments) {
                if ((argument.name != "query" && argument.name != "key") ||
                    !isComputed(uses, node.tensor(argument.name)))
                    continue;
                GraphBuilder& b = rewriter.builder();
                const ValueId heads = std::get<ValueRef>(argument.value).id;
                const ValueId tokens = b.contiguous(b.transpose(heads, kHeads, kTokens));
                argument.value = ValueRef{b.transpose(tokens, kHeads, kTokens)};
            }
        }
        rewriter.write(node, std::move(arguments));
    }
    return rewriter.finish();
}

}  // namespace qs::core
