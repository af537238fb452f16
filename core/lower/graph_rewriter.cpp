#include "core/lower/graph_rewriter.h"

#include "core/lower/mapped_arguments.h"

#include <utility>

namespace qs::core {

namespace {

std::size_t at(ValueId id)
{
    return static_cast<std::size_t>(id);
}

}  // namespace

GraphRewriter::GraphRewriter(const Graph& source)
    : m_source(source), m_mapped(source.values.size(), -1)
{
}

ValueId GraphRewriter::map(ValueId source)
{
    if (source < 0 || m_mapped[at(source)] >= 0)
        return source < 0 ? -1 : m_mapped[at(source)];
    const Value& value = m_source.value(source);
    ValueId& mapped = m_mapped[at(source)];
    if (value.kind == ValueKind::Weight)
        mapped = m_builder.weight(value.name, value.type);
    else if (value.kind == ValueKind::State)
        mapped = m_builder.state(value.name, value.type, m_source.initialValue(source));
    else if (value.kind == ValueKind::Constant)
        mapped = m_builder.constant(value.name, value.type, m_source.constants.at(source));
    QS_ASSERT(mapped >= 0);
    return mapped;
}

void GraphRewriter::define(ValueId source, ValueId mapped)
{
    m_mapped[at(source)] = mapped;
}

void GraphRewriter::copyInputs()
{
    for (const ValueId id : m_source.inputs)
        define(id, m_builder.input(m_source.value(id).name, m_source.value(id).type));
}

void GraphRewriter::copy(const Node& node)
{
    write(node, mapped(node));
}

std::vector<NamedArgument> GraphRewriter::mapped(const Node& node)
{
    return mappedArguments(node, [this](ValueId id) { return map(id); });
}

void GraphRewriter::write(const Node& node, std::vector<NamedArgument> arguments)
{
    const ModuleScope scope(m_builder, node.module);
    const auto outputs = m_builder.call(node.operation->fullName(), std::move(arguments));
    if (!m_builder.failed() && outputs.size() != node.outputs.size())
        m_builder.fail({ErrorCode::Format, node.operation->fullName() +
                                               " has another number of results than the graph"});
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        define(node.outputs[i], m_builder.failed() ? 0 : outputs[i]);
}

Result<Graph> GraphRewriter::finish()
{
    for (const ValueId id : m_source.outputs)
        m_builder.output(map(id), m_source.value(id).name);
    QS_TRY(Graph graph, m_builder.finish());
    graph.allowTf32 = m_source.allowTf32;
    return graph;
}

}  // namespace qs::core
