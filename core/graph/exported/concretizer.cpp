#include "core/graph/exported/concretizer.h"

#include "core/base/excerpt.h"
#include "core/graph/exported/operation_forms.h"
#include "core/graph/exported/schema.h"

#include <algorithm>
#include <utility>

namespace qs::core::exported {

Concretizer::Concretizer(const ConcreteRequest& request, std::set<std::string> written)
    : m_request(request),
      m_workingType(request.workingType),
      m_written(std::move(written)),
      m_scopes(1)
{
}

Result<Graph> Concretizer::run()
{
    QS_RETURN_IF_ERROR(bindInputs());
    QS_RETURN_IF_ERROR(runNodes(m_request.program.graph));
    QS_RETURN_IF_ERROR(writeOutputs());
    return m_builder.finish();
}

Status Concretizer::bindInputs()
{
    const ExportedProgram& program = m_request.program;
    for (const ProgramInput& input : program.inputs) {
        // Constants of Python have no place among the inputs of the graph.
        if (input.role != InputRole::UserConstant)
            QS_RETURN_IF_ERROR(bindInput(input, program.graph));
    }
    return {};
}

Status Concretizer::bindInput(const ProgramInput& input, const ProgramGraph& graph)
{
    ValueId value = -1;
    bool exact = false;
    if (input.role == InputRole::User) {
        const auto found = graph.tensors.find(input.name);
        if (found == graph.tensors.end())
            return Error{ErrorCode::Format, "input " + excerpt(input.name) + " has no type"};
        const auto dtype = dtypeOf(found->second.scalarType);
        if (!dtype)
            return Error{ErrorCode::Unsupported,
                         "input " + excerpt(input.name) + " is of the type " +
                             std::string(scalarTypeName(found->second.scalarType)) +
                             ", which no graph here has"};
        TensorType type{*dtype == m_request.exportType ? m_workingType : *dtype, {}};
        for (const SizeExpression& size : found->second.sizes) {
            QS_TRY(const std::int64_t extent, size.evaluate(m_request.symbols));
            type.shape.push_back(extent);
        }
        value = m_builder.input(input.name, std::move(type));
    } else {
        const auto found = m_request.tensors.find(input.target);
        if (found == m_request.tensors.end())
            return Error{ErrorCode::Format,
                         "the archive has no content of " + excerpt(input.target)};
        const ProgramTensor& tensor = found->second;
        TensorType type = tensor.type;
        exact = !tensor.working;
        if (tensor.working)
            type.dtype = m_workingType;
        // Asking the builder again would look through all of its values.
        const auto [place, fresh] = m_weightsByName.try_emplace(tensor.name, -1);
        if (fresh)
            place->second = m_builder.weight(tensor.name, std::move(type));
        value = place->second;
        m_weights.insert(value);
    }
    if (m_written.contains(input.name))
        value = m_builder.call1("aten::clone", {{"self", ValueRef{value}}});
    else
        m_origins.emplace(value, input.name);
    if (!m_written.contains(input.name))
        m_placeholders.insert(value);
    if (exact)
        m_exact.insert(value);
    m_scopes.back().insert_or_assign(input.name, value);
    return {};
}

Status Concretizer::runNodes(const ProgramGraph& graph)
{
    for (const ProgramNode& node : graph.nodes) {
        const auto within = [&](const Error& error) {
            return error.within(node.target +
                                (node.module.empty() ? "" : " in " + excerpt(node.module)));
        };
        {
            const ModuleScope scope(m_builder, node.module);
            if (m_autocast && !node.outputs.empty())
                m_resultType = statedType(graph, node.outputs.front());
            if (const Status status = runNode(node); !status.ok())
                return within(status.error());
        }
        // The builder keeps its first error; going on would only hide where it happened.
        if (m_builder.failed())
            return within(m_builder.finish().error());
        if (const Status status = checkResults(node, graph); !status.ok())
            return within(status.error());
    }
    return {};
}

Status Concretizer::runNode(const ProgramNode& node)
{
    if (isNumberOperation(node.target))
        return runNumbers(node);
    if (const OperationForm form = findForm(node.target))
        return form(*this, node);
    const std::string operation = catalogueName(node.target);
    if (findOperation(operation) == nullptr)
        return Error{ErrorCode::Unsupported, "is not in the catalogue of operations"};
    QS_TRY(ConcreteCall call, resolve(node));
    bind(node, emit(operation, std::move(call)));
    return {};
}

Status Concretizer::runNumbers(const ProgramNode& node)
{
    std::vector<Number> operands;
    for (const NamedProgramArgument& each : node.arguments) {
        const auto number = numberOf(each.value);
        if (!number)
            return Error{ErrorCode::Unsupported, "computes with a number that depends on the data"};
        operands.push_back(*number);
    }
    QS_TRY(const Number result, computeNumber(node.target, operands));
    bind(node, result);
    return {};
}

Status Concretizer::inlineGraph(const ProgramGraph& graph,
                                const std::vector<ProgramArgument>& operands,
                                const ProgramNode& node)
{
    if (operands.size() != graph.inputs.size())
        return Error{ErrorCode::Format, "its inner graph takes another number of arguments"};
    Scope scope;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto* tensor = std::get_if<TensorName>(&operands[i]);
        const auto number = numberOf(operands[i]);
        const Bound* bound = tensor == nullptr ? nullptr : lookUp(tensor->name);
        if (number)
            scope.insert_or_assign(graph.inputs[i], *number);
        else if (bound != nullptr)
            scope.insert_or_assign(graph.inputs[i], *bound);
        else
            return Error{ErrorCode::Format, "its inner graph takes what is not there"};
    }
    m_scopes.push_back(std::move(scope));
    const Status status = runNodes(graph);
    const Scope inner = std::move(m_scopes.back());
    m_scopes.pop_back();
    QS_RETURN_IF_ERROR(status);
    if (graph.outputs.size() != node.outputs.size())
        return Error{ErrorCode::Format, "its inner graph has another number of results"};
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
        const auto* tensor = std::get_if<TensorName>(&graph.outputs[i]);
        const auto* number = std::get_if<NumberName>(&graph.outputs[i]);
        const std::string& name = tensor != nullptr   ? tensor->name
                                  : number != nullptr ? number->name
                                                      : std::string();
        const auto found = inner.find(name);
        if (found == inner.end())
            return Error{ErrorCode::Format, "its inner graph gives what it does not compute"};
        m_scopes.back().insert_or_assign(node.outputs[i], found->second);
    }
    return {};
}

// The sizes that the program states for the results must be those that were found.
Status Concretizer::checkResults(const ProgramNode& node, const ProgramGraph& graph)
{
    for (const std::string& name : node.outputs) {
        const Bound* bound = name.empty() ? nullptr : lookUp(name);
        const auto* value = bound == nullptr ? nullptr : std::get_if<ValueId>(bound);
        const auto stated = graph.tensors.find(name);
        if (value == nullptr || stated == graph.tensors.end())
            continue;
        const auto& shape = m_builder.shape(*value);
        bool same = shape.size() == stated->second.sizes.size();
        for (std::size_t i = 0; same && i < shape.size(); ++i) {
            const auto extent = stated->second.sizes[i].evaluate(m_request.symbols);
            same = !extent.ok() || extent.value() == shape[i];
        }
        if (!same)
            return Error{ErrorCode::Format, "gives " + toText(m_builder.type(*value)) +
                                                ", which is not what the program states"};
    }
    return {};
}

Status Concretizer::writeOutputs()
{
    std::vector<ValueId> values;
    for (const ProgramOutput& output : m_request.program.outputs) {
        const auto* tensor = std::get_if<TensorName>(&output.value);
        if (!output.user || tensor == nullptr)
            continue;
        QS_TRY(ValueId value, tensorNamed(tensor->name));
        // What is given twice, or is an input, becomes a value of its own.
        const bool given = std::find(values.begin(), values.end(), value) != values.end();
        if (given || m_placeholders.contains(value))
            value = m_builder.call1("aten::clone", {{"self", ValueRef{value}}});
        values.push_back(value);
    }
    if (values.empty())
        return Error{ErrorCode::Unsupported, "the program gives no tensor"};
    std::set<std::string> taken;
    for (const ProgramInput& input : m_request.program.inputs)
        taken.insert(input.name);
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::string name = values.size() == 1 ? "output" : "output_" + std::to_string(i);
        while (taken.contains(name))
            name += "_";
        m_builder.output(values[i], name);
    }
    return {};
}

Result<Graph> concreteGraph(const ConcreteRequest& request)
{
    // What a program writes to is known when it has been read.
    std::set<std::string> written;
    for (;;) {
        Concretizer concretizer(request, written);
        Result<Graph> graph = concretizer.run();
        if (!graph.ok() || concretizer.newlyWritten().empty())
            return graph;
        written.insert(concretizer.newlyWritten().begin(), concretizer.newlyWritten().end());
    }
}

}  // namespace qs::core::exported
