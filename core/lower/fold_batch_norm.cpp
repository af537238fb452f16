#include "core/lower/fold_batch_norm.h"

#include "core/lower/graph_rewriter.h"
#include "core/lower/marked_node.h"

#include <algorithm>
#include <map>
#include <utility>

namespace qs::core {

namespace {

// How often each value is read, by nodes or as an output.
std::map<ValueId, int> countUses(const Graph& graph)
{
    std::map<ValueId, int> uses;
    for (const Node& node : graph.nodes) {
        for (const ValueId id : node.inputs())
            ++uses[id];
    }
    for (const ValueId id : graph.outputs)
        ++uses[id];
    return uses;
}

bool asksForIt(const Node& node)
{
    return node.operation->name == kQsConv && schemeOf(node)->foldsBatchNorm;
}

class Folder final
{
public:
    explicit Folder(const Graph& graph) : m_graph(graph), m_uses(countUses(graph)) {}

    // By the index of the batch norm, that of its convolution.
    [[nodiscard]] std::map<std::size_t, std::size_t> pairs() const
    {
        std::map<ValueId, std::size_t> convolutions;
        std::map<std::size_t, std::size_t> found;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const Node& node = m_graph.nodes[i];
            if (asksForIt(node))
                convolutions.emplace(node.outputs.front(), i);
            if (node.operation->name != "aten::batch_norm")
                continue;
            const auto before = convolutions.find(node.tensor("input"));
            if (before != convolutions.end() && canFold(m_graph.nodes[before->second], node))
                found.emplace(i, before->second);
        }
        return found;
    }

    [[nodiscard]] Result<Folding> fold(const Node& convolution, const Node& norm) const
    {
        GraphBuilder b;
        const ModuleScope scope(b, norm.module);
        const auto wide = [&](const Node& node, std::string_view argument) {
            const Value& value = m_graph.value(node.tensor(argument));
            return b.cast(b.weight(value.name, value.type), DType::Float32);
        };
        const Value& weight = m_graph.value(convolution.tensor("weight"));
        const std::int64_t out = weight.type.shape.front();
        const double epsilon = std::get<double>(*norm.find("eps"));
        const ValueId variance = wide(norm, "running_var");
        const ValueId deviation = b.unary("sqrt", b.scalar("add", variance, epsilon));
        const ValueId factor = b.binary("div", wide(norm, "weight"), deviation);
        const ValueId perChannel = b.view(factor, {out, 1, 1, 1});
        const ValueId folded = b.binary("mul", wide(convolution, "weight"), perChannel);
        ValueId shift = b.unary("neg", wide(norm, "running_mean"));
        if (convolution.tensor("bias") >= 0)
            shift = b.binary("add", shift, wide(convolution, "bias"));
        const ValueId moved = b.binary("mul", shift, factor);
        const ValueId bias = b.binary("add", moved, wide(norm, "bias"));
        b.output(b.cast(folded, weight.type.dtype), "weight");
        b.output(b.cast(bias, weight.type.dtype), "bias");
        QS_TRY(Graph graph, b.finish());
        return Folding{weight.name, m_graph.value(norm.tensor("bias")).name, std::move(graph)};
    }

private:
    [[nodiscard]] bool isOwnWeight(ValueId id) const
    {
        return id >= 0 && m_graph.value(id).kind == ValueKind::Weight && m_uses.at(id) == 1;
    }

    [[nodiscard]] bool canFold(const Node& convolution, const Node& norm) const
    {
        const ValueId bias = convolution.tensor("bias");
        const bool plainBias = bias < 0 || m_graph.value(bias).kind == ValueKind::Weight;
        return plainBias && m_uses.at(convolution.outputs.front()) == 1 &&
               isOwnWeight(convolution.tensor("weight")) && isOwnWeight(norm.tensor("weight")) &&
               isOwnWeight(norm.tensor("bias")) && isOwnWeight(norm.tensor("running_mean")) &&
               isOwnWeight(norm.tensor("running_var"));
    }

    const Graph& m_graph;
    std::map<ValueId, int> m_uses;
};

// The convolution with that bias.
void writeWithBias(GraphRewriter& rewriter, const Node& convolution, ValueId bias)
{
    std::vector<NamedArgument> arguments = rewriter.mapped(convolution);
    std::erase_if(arguments, [](const NamedArgument& each) { return each.name == "bias"; });
    arguments.push_back({"bias", ValueRef{rewriter.map(bias)}});
    rewriter.write(convolution, std::move(arguments));
}

}  // namespace

Result<FoldedGraph> foldBatchNorms(const Graph& graph)
{
    const Folder folder(graph);
    const auto pairs = folder.pairs();
    FoldedGraph result;
    if (pairs.empty()) {
        result.graph = graph;
        return result;
    }
    std::map<std::size_t, std::size_t> normOf;
    for (const auto& [norm, convolution] : pairs)
        normOf.emplace(convolution, norm);
    GraphRewriter rewriter(graph);
    rewriter.copyInputs();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (const auto norm = normOf.find(i); norm != normOf.end()) {
            writeWithBias(rewriter, node, graph.nodes[norm->second].tensor("bias"));
        } else if (const auto pair = pairs.find(i); pair != pairs.end()) {
            const Node& convolution = graph.nodes[pair->second];
            rewriter.define(node.outputs.front(), rewriter.map(convolution.outputs.front()));
            QS_TRY(Folding folding, folder.fold(convolution, node));
            result.foldings.push_back(std::move(folding));
        } else {
            rewriter.copy(node);
        }
    }
    QS_TRY(result.graph, rewriter.finish());
    return result;
}

}  // namespace qs::core
