#include "core/graph/exported/concretizer.h"

#include <algorithm>
#include <utility>

// Which types the values of a program have in its graph, and what is written to.
namespace qs::core::exported {

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
            ref.id = m_builder.cast(ref.id, m_request.workingType);
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
            *dtype = m_request.workingType;
    }
    return target >= 0 ? isExact(target) : !activation;
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
