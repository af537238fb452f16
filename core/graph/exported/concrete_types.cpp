#include "core/graph/exported/concretizer.h"
#include "core/graph/exported/schema.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

// Which types the values of a program have in its graph, and what is written to.
namespace qs::core::exported {

namespace {

// What torch.autocast runs in the lower type, or in float32, on one device or another: the type of
// the result tells which.
constexpr std::array<std::string_view, 21> kAutocast{
    "aten::linear",      "aten::matmul",      "aten::mm",
    "aten::bmm",         "aten::addmm",       "aten::baddbmm",
    "aten::convolution", "aten::conv2d",      "aten::scaled_dot_product_attention",
    "aten::softmax",     "aten::log_softmax", "aten::layer_norm",
    "aten::group_norm",  "aten::pow",         "aten::exp",
    "aten::log",         "aten::rsqrt",       "aten::sum",
    "aten::cumsum",      "aten::gelu",        "aten::norm"};

}  // namespace

bool Concretizer::unifyTypes(const Operation& operation, ConcreteCall& call)
{
    const auto isReal = [&](ValueId id) { return id >= 0 && isFloating(m_builder.type(id).dtype); };
    bool activation = false;
    const auto look = [&](ValueRef ref) {
        activation = activation || (isReal(ref.id) && !isExact(ref.id));
    };
    const ValueId target = operation.mutates.empty() ? -1 : call.tensor(operation.mutates);
    // What is exact and of the export's type becomes what activations are. What is written to keeps
    // its type, and what is written into it gets that.
    const auto adapt = [&](std::string_view name, ValueRef& ref) {
        if (!isReal(ref.id) || name == operation.mutates)
            return;
        if (target >= 0 && isExact(target) && isReal(target))
            ref.id = m_builder.cast(ref.id, m_builder.type(target).dtype);
        else if (isExact(ref.id) && m_builder.type(ref.id).dtype == m_request.exportType)
            ref.id = m_builder.cast(ref.id, m_workingType);
    };
    for (NamedArgument& each : call.arguments) {
        if (const auto* ref = std::get_if<ValueRef>(&each.value))
            look(*ref);
        else if (const auto* refs = std::get_if<ValueRefs>(&each.value))
            std::for_each(refs->begin(), refs->end(), look);
    }
    for (NamedArgument& each : call.arguments) {
        if (auto* ref = std::get_if<ValueRef>(&each.value); activation && ref != nullptr)
            adapt(each.name, *ref);
        else if (auto* refs = std::get_if<ValueRefs>(&each.value); activation && refs != nullptr)
            std::for_each(refs->begin(), refs->end(),
                          [&](ValueRef& ref) { adapt(each.name, ref); });
        else if (auto* dtype = std::get_if<DType>(&each.value);
                 activation && dtype != nullptr && *dtype == m_request.exportType)
            *dtype = m_workingType;
    }
    return target >= 0 ? isExact(target) : !activation;
}

std::optional<DType> Concretizer::statedType(const ProgramGraph& graph,
                                             const std::string& name) const
{
    const auto stated = graph.tensors.find(name);
    const auto dtype =
        stated == graph.tensors.end() ? std::nullopt : dtypeOf(stated->second.scalarType);
    return dtype == m_request.exportType ? m_workingType : dtype;
}

void Concretizer::autocastInputs(const Operation& operation, ConcreteCall& call)
{
    if (!m_resultType || !isFloating(*m_resultType) ||
        std::find(kAutocast.begin(), kAutocast.end(), operation.name) == kAutocast.end())
        return;
    for (NamedArgument& each : call.arguments) {
        auto* ref = std::get_if<ValueRef>(&each.value);
        if (ref != nullptr && ref->id >= 0 && isFloating(m_builder.type(ref->id).dtype))
            ref->id = m_builder.cast(ref->id, *m_resultType);
    }
}

Status Concretizer::inlineRegion(const ProgramGraph& graph,
                                 const std::vector<ProgramArgument>& operands,
                                 const ProgramNode& node, bool autocast)
{
    const bool outside = std::exchange(m_autocast, autocast);
    const DType working = m_workingType;
    std::vector<std::pair<std::string, Bound>> hidden;
    if (!autocast && m_workingType != m_request.exportType) {
        for (std::size_t i = 0; i < std::min(operands.size(), graph.inputs.size()); ++i) {
            const auto* tensor = std::get_if<TensorName>(&operands[i]);
            if (tensor == nullptr || statedType(graph, graph.inputs[i]) != m_workingType)
                continue;
            QS_TRY(const ValueId value, tensorNamed(tensor->name));
            hidden.emplace_back(tensor->name, value);
            m_scopes.back().insert_or_assign(tensor->name,
                                             m_builder.cast(value, m_request.exportType));
        }
        m_workingType = m_request.exportType;
    }
    const Status status = inlineGraph(graph, operands, node);
    m_workingType = working;
    m_autocast = outside;
    m_resultType.reset();
    for (auto& [name, bound] : hidden)
        m_scopes.back().insert_or_assign(name, std::move(bound));
    QS_RETURN_IF_ERROR(status);
    if (!autocast)
        castResults(graph, node);
    return {};
}

void Concretizer::castResults(const ProgramGraph& graph, const ProgramNode& node)
{
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
        const auto* tensor = std::get_if<TensorName>(&graph.outputs[i]);
        const Bound* bound = tensor == nullptr ? nullptr : lookUp(node.outputs[i]);
        const auto* value = bound == nullptr ? nullptr : std::get_if<ValueId>(bound);
        const bool stated = tensor != nullptr && statedType(graph, tensor->name) == m_workingType;
        if (value != nullptr && stated && m_builder.type(*value).dtype == m_request.exportType)
            m_scopes.back().insert_or_assign(node.outputs[i],
                                             m_builder.cast(*value, m_workingType));
    }
}

void Concretizer::noteAliases(const Operation& operation, const ConcreteCall& call,
                              const std::vector<ValueId>& results)
{
    if (!operation.mutates.empty()) {
        const auto origin = m_origins.find(call.tensor(operation.mutates));
        if (origin != m_origins.end())
            m_newlyWritten.insert(origin->second);
    }
    if (operation.aliases.empty())
        return;
    const auto origin = m_origins.find(call.tensor(operation.aliases));
    if (origin == m_origins.end())
        return;
    const std::string name = origin->second;
    for (const ValueId result : results)
        m_origins.emplace(result, name);
}

std::vector<ValueId> Concretizer::emit(const std::string& operation, ConcreteCall call)
{
    std::string name = operation;
    // A number that stands for a tensor of one value.
    if (name.ends_with(".Tensor") && call.number("other"))
        name.replace(name.size() - 6, 6, "Scalar");
    const Operation* found = findOperation(name);
    if (found == nullptr) {
        m_builder.fail({ErrorCode::Unsupported, name + " is not in the catalogue of operations"});
        return {};
    }
    const bool exact = unifyTypes(*found, call);
    if (m_autocast)
        autocastInputs(*found, call);
    const std::vector<ValueId> results = m_builder.call(name, call.arguments);
    if (m_builder.failed())
        return {};
    noteAliases(*found, call, results);
    for (const ValueId result : results) {
        if (exact)
            m_exact.insert(result);
    }
    return results;
}

}  // namespace qs::core::exported
