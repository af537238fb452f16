#include "core/lower/expand_schemes.h"

#include "core/graph/builder.h"

namespace qs::core {

namespace {

// Copies a graph operation by operation into a builder, so that some of them can be written
// differently.
class GraphRewriter final
{
public:
    // Inputs that arrive in another type than the source says are cast to it.
    explicit GraphRewriter(const Graph& source, const std::map<std::string, DType>& arriving = {})
        : m_source(source), m_mapped(source.values.size(), -1)
    {
        for (const ValueId id : source.inputs) {
            const auto& [name, type, kind] = source.value(id);
            const auto found = arriving.find(name);
            const DType arrives = found == arriving.end() ? type.dtype : found->second;
            m_mapped[at(id)] =
                m_builder.cast(m_builder.input(name, {arrives, type.shape}), type.dtype);
        }
    }

    GraphBuilder& builder() { return m_builder; }

    // Weights, states and constants come over when they are first used: unused ones vanish.
    ValueId map(ValueId id)
    {
        if (id < 0 || m_mapped[at(id)] >= 0)
            return id < 0 ? -1 : m_mapped[at(id)];
        const Value& value = m_source.value(id);
        ValueId& mapped = m_mapped[at(id)];
        if (value.kind == ValueKind::Weight)
            mapped = m_builder.weight(value.name, value.type);
        else if (value.kind == ValueKind::State)
            mapped = m_builder.state(value.name, value.type);
        else if (value.kind == ValueKind::Constant)
            mapped = m_builder.constant(value.name, value.type, m_source.constants.at(id));
        QS_ASSERT(mapped >= 0);
        return mapped;
    }

    void define(ValueId source, ValueId mapped) { m_mapped[at(source)] = mapped; }

    void copy(const Node& node)
    {
        std::vector<NamedArgument> arguments = node.arguments;
        for (NamedArgument& argument : arguments) {
            if (auto* ref = std::get_if<ValueRef>(&argument.value))
                ref->id = map(ref->id);
            else if (auto* refs = std::get_if<ValueRefs>(&argument.value))
                for (ValueRef& each : *refs)
                    each.id = map(each.id);
        }
        std::vector<TensorType> results;
        for (const ValueId id : node.outputs)
            results.push_back(m_source.value(id).type);
        const auto outputs =
            m_builder.call(node.operation->fullName(), std::move(arguments), std::move(results));
        for (std::size_t i = 0; i < outputs.size(); ++i)
            define(node.outputs[i], outputs[i]);
    }

    Graph finish()
    {
        for (const ValueId id : m_source.outputs)
            m_builder.output(map(id), m_source.value(id).name);
        return m_builder.finish();
    }

private:
    static std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }

    const Graph& m_source;
    std::vector<ValueId> m_mapped;
    GraphBuilder m_builder;
};

}  // namespace

Graph expandSchemes(const Graph& graph, const CompositionTarget& target,
                    std::vector<std::string>& notes, const std::map<std::string, DType>& arriving)
{
    GraphRewriter rewriter(graph, arriving);
    for (const Node& node : graph.nodes) {
        const ModuleScope scope(rewriter.builder(), node.module);
        if (node.operation->name != kQsLinear) {
            rewriter.copy(node);
            continue;
        }
        const Value& weight = graph.value(node.tensor("weight"));
        const Scheme scheme = parseScheme(std::get<std::string>(*node.find("scheme"))).value();
        rewriter.define(node.outputs.front(),
                        composeLinear(rewriter.builder(), scheme,
                                      rewriter.map(node.tensor("input")), weight.name, weight.type,
                                      rewriter.map(node.tensor("bias")), target, notes));
    }
    return rewriter.finish();
}

Graph narrowAttention(const Graph& graph)
{
    GraphRewriter rewriter(graph);
    GraphBuilder& builder = rewriter.builder();
    for (const Node& node : graph.nodes) {
        const ModuleScope scope(builder, node.module);
        if (node.operation->operationClass != OperationClass::Attention) {
            rewriter.copy(node);
            continue;
        }
        const auto narrow = [&](std::string_view argument) {
            return builder.cast(rewriter.map(node.tensor(argument)), DType::BFloat16);
        };
        const ValueId query = narrow("query");
        const ValueId key = narrow("key");
        const ValueId result = builder.attention(query, key, narrow("value"));
        rewriter.define(node.outputs.front(),
                        builder.cast(result, graph.value(node.outputs.front()).type.dtype));
    }
    return rewriter.finish();
}

Graph prepareWeight(const LayerRow& row, DType workingType)
{
    GraphBuilder builder;
    const ModuleScope scope(builder, row.module);
    const std::string name = row.module + ".weight";
    const ValueId weight = builder.weight(name, {workingType, {row.outFeatures, row.inFeatures}});
    composeWeight(builder, row.scheme, name, weight);
    return builder.finish();
}

}  // namespace qs::core
