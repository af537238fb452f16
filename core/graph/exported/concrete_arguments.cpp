#include "core/base/excerpt.h"
#include "core/graph/exported/concretizer.h"
#include "core/graph/exported/schema.h"

#include <algorithm>
#include <array>
#include <utility>

// How names and values of a program become those of its graph.
namespace qs::core::exported {

namespace {

// Where a tensor lies is none of a graph's business.
constexpr std::array<std::string_view, 3> kPlaces{"device", "layout", "pin_memory"};

// The number that ATen has for a format of the schema.
std::int64_t memoryFormat(std::int64_t number)
{
    constexpr std::array<std::int64_t, 5> kAten{0, 0, 2, 3, 1};
    return number >= 0 && number < 5 ? kAten[static_cast<std::size_t>(number)] : 1;
}

Argument argumentOf(const Number& number)
{
    return std::visit([](auto value) { return Argument(value); }, number);
}

}  // namespace

const Concretizer::Bound* Concretizer::lookUp(const std::string& name) const
{
    const auto found = m_scopes.back().find(name);
    return found == m_scopes.back().end() ? nullptr : &found->second;
}

bool Concretizer::isWeight(ValueId value) const
{
    return m_weights.contains(value);
}

std::optional<Number> Concretizer::numberOf(const ProgramArgument& argument) const
{
    if (const auto* flag = std::get_if<bool>(&argument))
        return *flag;
    if (const auto* whole = std::get_if<std::int64_t>(&argument))
        return *whole;
    if (const auto* real = std::get_if<double>(&argument))
        return *real;
    const auto* name = std::get_if<NumberName>(&argument);
    const Bound* bound = name == nullptr ? nullptr : lookUp(name->name);
    const auto* number = bound == nullptr ? nullptr : std::get_if<Number>(bound);
    return number == nullptr ? std::nullopt : std::optional(*number);
}

Result<ValueId> Concretizer::tensorNamed(const std::string& name)
{
    if (name.empty())
        return ValueId{-1};
    const Bound* bound = lookUp(name);
    if (bound == nullptr)
        return Error{ErrorCode::Format, "uses " + excerpt(name) + " before it is defined"};
    if (const auto* value = std::get_if<ValueId>(bound))
        return *value;
    if (const auto* transposed = std::get_if<Transposed>(bound)) {
        ValueId value = m_builder.call1("aten::t", {{"self", ValueRef{transposed->weight}}});
        if (transposed->copies > 0) {
            std::vector<std::int64_t> size{transposed->copies};
            const auto& shape = m_builder.shape(value);
            size.insert(size.end(), shape.begin(), shape.end());
            value = m_builder.call1("aten::expand", {{"self", ValueRef{value}}, {"size", size}});
        }
        m_scopes.back().insert_or_assign(name, value);
        return value;
    }
    return Error{ErrorCode::Format, excerpt(name) + " is a number, not a tensor"};
}

Result<Argument> Concretizer::argument(const ProgramArgument& value)
{
    if (const auto* tensor = std::get_if<TensorName>(&value)) {
        QS_TRY(const ValueId id, tensorNamed(tensor->name));
        return Argument(ValueRef{id});
    }
    if (const auto* tensors = std::get_if<TensorNames>(&value)) {
        ValueRefs refs;
        for (const std::string& name : *tensors) {
            QS_TRY(const ValueId id, tensorNamed(name));
            refs.push_back({id});
        }
        return Argument(std::move(refs));
    }
    if (const auto* wholes = std::get_if<std::vector<Whole>>(&value)) {
        std::vector<std::int64_t> list;
        for (const Whole& each : *wholes) {
            const auto number = std::visit(
                [&](const auto& entry) { return numberOf(ProgramArgument(entry)); }, each);
            if (!number)
                return Error{ErrorCode::Unsupported, "has a size that depends on the data"};
            QS_TRY(const std::int64_t whole, wholeOf(*number));
            list.push_back(whole);
        }
        return Argument(std::move(list));
    }
    if (const auto number = numberOf(value))
        return argumentOf(*number);
    if (std::holds_alternative<NumberName>(value))
        return Error{ErrorCode::Unsupported, "takes a number that depends on the data"};
    if (const auto* text = std::get_if<std::string>(&value))
        return Argument(*text);
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value))
        return Argument(*list);
    if (const auto* list = std::get_if<std::vector<double>>(&value))
        return Argument(*list);
    if (const auto* format = std::get_if<MemoryFormat>(&value))
        return Argument(memoryFormat(format->number));
    if (const auto* type = std::get_if<ScalarType>(&value)) {
        if (const auto dtype = dtypeOf(type->number))
            return Argument(*dtype);
        return Error{ErrorCode::Unsupported, "uses the type " +
                                                 std::string(scalarTypeName(type->number)) +
                                                 ", which no graph here has"};
    }
    if (const auto* foreign = std::get_if<ForeignArgument>(&value))
        return Error{ErrorCode::Unsupported,
                     "takes an argument " + excerpt(foreign->kind) + ", which is not known here"};
    return Argument();
}

Result<ConcreteCall> Concretizer::resolve(const ProgramNode& node, bool keepTransposed)
{
    ConcreteCall call;
    for (const NamedProgramArgument& each : node.arguments) {
        if (std::holds_alternative<Placement>(each.value) ||
            std::find(kPlaces.begin(), kPlaces.end(), each.name) != kPlaces.end())
            continue;
        const auto* tensor = std::get_if<TensorName>(&each.value);
        const Bound* bound = tensor == nullptr ? nullptr : lookUp(tensor->name);
        const auto* transposed = bound == nullptr ? nullptr : std::get_if<Transposed>(bound);
        if (keepTransposed && transposed != nullptr) {
            call.transposed.emplace(each.name, transposed->weight);
            if (transposed->copies > 0)
                call.repeated.insert(each.name);
            continue;
        }
        QS_TRY(Argument value, argument(each.value));
        call.arguments.push_back({each.name, std::move(value)});
    }
    return call;
}

void Concretizer::bind(const ProgramNode& node, const std::vector<ValueId>& values)
{
    for (std::size_t i = 0; i < std::min(values.size(), node.outputs.size()); ++i)
        m_scopes.back().insert_or_assign(node.outputs[i], values[i]);
}

void Concretizer::bind(const ProgramNode& node, const Number& number)
{
    if (!node.outputs.empty())
        m_scopes.back().insert_or_assign(node.outputs.front(), number);
}

Status Concretizer::bindCall(const ProgramNode& node, const std::string& operation,
                             ConcreteCall call)
{
    bind(node, emit(operation, std::move(call)));
    return {};
}

void Concretizer::bindTransposed(const ProgramNode& node, ValueId weight, std::int64_t copies)
{
    if (!node.outputs.empty())
        m_scopes.back().insert_or_assign(node.outputs.front(), Transposed{weight, copies});
}

ValueId Concretizer::numberTensor(const Number& number)
{
    const bool real = std::holds_alternative<double>(number);
    const ValueId value =
        m_builder.constant("number_" + std::to_string(m_numbers++),
                           {real ? DType::Float32 : DType::Int64, {}}, {realOf(number)});
    m_exact.insert(value);
    return value;
}

}  // namespace qs::core::exported
