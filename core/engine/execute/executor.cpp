#include "core/engine/execute/executor.h"

#include "core/engine/internal/torch_types.h"

#include <ATen/Context.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/stack.h>

#include <optional>

namespace qs::engine {

using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;
using core::ValueKind;

namespace {

c10::IValue boxed(const core::Argument& argument)
{
    struct Visitor {
        c10::IValue operator()(std::monostate) const { return {}; }
        c10::IValue operator()(core::ValueRef) const { return {}; }
        c10::IValue operator()(const core::ValueRefs&) const { return {}; }
        c10::IValue operator()(bool flag) const { return flag; }
        c10::IValue operator()(std::int64_t number) const { return number; }
        c10::IValue operator()(double number) const { return number; }
        c10::IValue operator()(const std::string& text) const { return text; }
        c10::IValue operator()(const std::vector<std::int64_t>& list) const
        {
            return c10::List<std::int64_t>(list);
        }
        c10::IValue operator()(const std::vector<double>& list) const
        {
            return c10::List<double>(list);
        }
        c10::IValue operator()(core::DType dtype) const { return toTorch(dtype); }
    };
    return std::visit(Visitor{}, argument);
}

// Whether the entries of a list of tensors may be None.
bool takesNone(const c10::Argument& parameter)
{
    const auto list = parameter.type()->cast<c10::ListType>();
    return list != nullptr && list->getElementType()->kind() == c10::TypeKind::OptionalType;
}

// An empty list of numbers that may be None has a type of its own.
bool takesNumbersOrNone(const c10::Argument& parameter)
{
    return takesNone(parameter) && parameter.type()
                                           ->expectRef<c10::ListType>()
                                           .getElementType()
                                           ->expectRef<c10::OptionalType>()
                                           .getElementType()
                                           ->kind() == c10::TypeKind::NumberType;
}

c10::IValue constantFor(const c10::Argument& parameter, const core::Argument& argument)
{
    const auto* list = std::get_if<std::vector<std::int64_t>>(&argument);
    if (list != nullptr && takesNumbersOrNone(parameter)) {
        c10::List<std::optional<at::Scalar>> numbers;
        for (const std::int64_t number : *list)
            numbers.push_back(at::Scalar(number));
        return numbers;
    }
    c10::IValue constant = boxed(argument);
    // A whole number where a schema has a floating one, as files write it.
    if (parameter.type()->kind() == c10::TypeKind::FloatType && constant.isInt())
        return static_cast<double>(constant.toInt());
    return constant;
}

// Products look at the global flags. Setting them costs nothing when they do not change.
void setTf32(bool allowed)
{
    at::Context& context = at::globalContext();
    if (context.allowTF32CuBLAS() != allowed)
        context.setAllowTF32CuBLAS(allowed);
    if (context.allowTF32CuDNN() != allowed)
        context.setAllowTF32CuDNN(allowed);
}

}  // namespace

Result<Executor> Executor::create(const core::Graph& graph, const NamedTensors& tensors,
                                  c10::Device device)
{
    QS_RETURN_IF_ERROR(core::validate(graph));
    Executor executor;
    executor.m_graph = &graph;
    QS_RETURN_IF_ERROR(executor.bind(tensors, device));
    QS_RETURN_IF_ERROR(executor.translate(device));
    executor.markLastUses();
    return executor;
}

Status Executor::bind(const NamedTensors& tensors, c10::Device device)
{
    m_initial.resize(m_graph->values.size());
    for (std::size_t i = 0; i < m_graph->values.size(); ++i) {
        const core::Value& value = m_graph->values[i];
        if (value.kind == ValueKind::Constant) {
            m_initial[i] = constantTensor(
                value.type, m_graph->constants.at(static_cast<core::ValueId>(i)), device);
            continue;
        }
        if (value.kind != ValueKind::Weight && value.kind != ValueKind::State)
            continue;
        const auto found = tensors.find(value.name);
        if (found == tensors.end())
            return Error{ErrorCode::NotFound,
                         "the graph needs " + value.name + ", which is not loaded"};
        const at::Tensor& tensor = found->second;
        if (tensor.sizes() != at::IntArrayRef(value.type.shape) ||
            tensor.scalar_type() != toTorch(value.type.dtype))
            return Error{ErrorCode::InvalidArgument, value.name +
                                                         " is loaded as another type than " +
                                                         core::toText(value.type)};
        m_initial[i] = tensor;
    }
    return {};
}

Status Executor::translate(c10::Device device)
{
    for (const core::Node& node : m_graph->nodes) {
        QS_TRY(Instruction instruction, translate(node, device));
        m_instructions.push_back(std::move(instruction));
    }
    return {};
}

// A list of tensors, and nothing that could run.
Executor::Instruction Executor::regionInstruction(const core::Node& node)
{
    Operand operand;
    operand.kind = Operand::Kind::SlotList;
    for (const core::ValueId id : node.inputs())
        operand.slots.push_back(id);
    return {{}, {std::move(operand)}, node.outputs, {}, false};
}

Result<Executor::Instruction> Executor::translate(const core::Node& node, c10::Device device)
{
    if (node.operation->name == core::kQsRegion)
        return regionInstruction(node);
    const auto handle = c10::Dispatcher::singleton().findSchema(
        {std::string(node.operation->name), std::string(node.operation->overload)});
    if (!handle)
        return Error{ErrorCode::Unsupported,
                     node.operation->fullName() + " is unknown to this version of PyTorch"};
    Instruction instruction{handle, {}, node.outputs, {}, false};
    std::size_t used = 0;
    for (const c10::Argument& parameter : handle->schema().arguments()) {
        const core::Argument* argument = node.find(parameter.name());
        Operand operand;
        if (argument == nullptr && parameter.name() == "device") {
            // What makes a tensor out of nothing makes it where the program runs.
            operand.constant = device;
        } else if (argument == nullptr) {
            if (!parameter.default_value() &&
                parameter.type()->kind() != c10::TypeKind::OptionalType)
                return Error{ErrorCode::Format, node.operation->fullName() + " in " + node.module +
                                                    " lacks its argument " + parameter.name()};
            operand.constant = parameter.default_value().value_or(c10::IValue());
        } else {
            ++used;
            if (const auto* ref = std::get_if<core::ValueRef>(argument)) {
                operand.kind = Operand::Kind::Slot;
                operand.slot = ref->id;
            } else if (const auto* refs = std::get_if<core::ValueRefs>(argument)) {
                operand.kind = takesNone(parameter) ? Operand::Kind::OptionalSlotList
                                                    : Operand::Kind::SlotList;
                for (const core::ValueRef& each : *refs)
                    operand.slots.push_back(each.id);
            } else {
                operand.constant = constantFor(parameter, *argument);
            }
        }
        instruction.operands.push_back(std::move(operand));
    }
    if (used != node.arguments.size())
        return Error{ErrorCode::Format, node.operation->fullName() + " in " + node.module +
                                            " has an unknown argument"};
    const auto& returns = handle->schema().returns();
    instruction.returnsList =
        returns.size() == 1 && returns[0].type()->kind() == c10::TypeKind::ListType;
    if (!instruction.returnsList && returns.size() != node.outputs.size())
        return Error{ErrorCode::Format, node.operation->fullName() + " in " + node.module +
                                            " has another number of results"};
    return instruction;
}

void Executor::markLastUses()
{
    // Weights, states and constants stay in their slots; outputs stay until the end of the run.
    std::vector<bool> done(m_graph->values.size(), false);
    for (std::size_t i = 0; i < done.size(); ++i) {
        const ValueKind kind = m_graph->values[i].kind;
        done[i] = kind != ValueKind::Intermediate && kind != ValueKind::Input;
    }
    for (const core::ValueId id : m_graph->outputs)
        done[static_cast<std::size_t>(id)] = true;
    const auto claim = [&](std::int32_t slot) {
        const bool last = !done[static_cast<std::size_t>(slot)];
        done[static_cast<std::size_t>(slot)] = true;
        return last;
    };
    for (auto instruction = m_instructions.rbegin(); instruction != m_instructions.rend();
         ++instruction) {
        for (const std::int32_t result : instruction->results) {
            if (claim(result))
                instruction->releases.push_back(result);  // never used
        }
        for (auto operand = instruction->operands.rbegin(); operand != instruction->operands.rend();
             ++operand) {
            if (operand->kind == Operand::Kind::Slot && claim(operand->slot))
                operand->kind = Operand::Kind::LastUse;
            for (const std::int32_t slot : operand->slots) {
                if (slot >= 0 && claim(slot))
                    instruction->releases.push_back(slot);
            }
        }
    }
}

void Executor::execute(const Instruction& instruction, Values& values,
                       torch::jit::Stack& stack) const
{
    for (const Operand& operand : instruction.operands) {
        switch (operand.kind) {
        case Operand::Kind::Constant:
            stack.push_back(operand.constant);
            break;
        case Operand::Kind::Slot:
            stack.push_back(values[static_cast<std::size_t>(operand.slot)]);
            break;
        case Operand::Kind::LastUse:
            stack.push_back(std::move(values[static_cast<std::size_t>(operand.slot)]));
            break;
        case Operand::Kind::SlotList: {
            c10::List<at::Tensor> list;
            list.reserve(operand.slots.size());
            for (const std::int32_t slot : operand.slots)
                list.push_back(values[static_cast<std::size_t>(slot)].toTensor());
            stack.emplace_back(std::move(list));
            break;
        }
        case Operand::Kind::OptionalSlotList: {
            c10::List<std::optional<at::Tensor>> list;
            list.reserve(operand.slots.size());
            for (const std::int32_t slot : operand.slots)
                list.push_back(slot < 0 ? std::optional<at::Tensor>()
                                        : values[static_cast<std::size_t>(slot)].toTensor());
            stack.emplace_back(std::move(list));
            break;
        }
        }
    }
    instruction.operation->callBoxed(stack);
    if (instruction.returnsList) {
        const c10::IValue list = std::move(stack.front());
        const auto& elements = list.toListRef();
        QS_ASSERT(elements.size() == instruction.results.size());
        for (std::size_t i = 0; i < elements.size(); ++i)
            values[static_cast<std::size_t>(instruction.results[i])] = elements[i];
    } else {
        for (std::size_t i = 0; i < instruction.results.size(); ++i)
            values[static_cast<std::size_t>(instruction.results[i])] = std::move(stack[i]);
    }
    stack.clear();
}

Executor::Values Executor::begin(const std::vector<at::Tensor>& inputs) const
{
    QS_ASSERT(inputs.size() == m_graph->inputs.size());
    setTf32(m_graph->allowTf32);  // also for what runs in place of its first operation
    Values values = m_initial;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        values[static_cast<std::size_t>(m_graph->inputs[i])] = inputs[i];
    return values;
}

void Executor::runRange(std::size_t first, std::size_t last, Values& values,
                        const Observer& observer) const
{
    QS_ASSERT(first <= last && last <= m_instructions.size());
    setTf32(m_graph->allowTf32);
    torch::jit::Stack stack;
    std::vector<at::Tensor> results;
    for (std::size_t i = first; i < last; ++i) {
        const Instruction& instruction = m_instructions[i];
        QS_ASSERT(instruction.operation);
        execute(instruction, values, stack);
        if (observer) {
            for (const std::int32_t result : instruction.results)
                results.push_back(values[static_cast<std::size_t>(result)].toTensor());
            observer(m_graph->nodes[i], results);
            results.clear();
        }
        for (const std::int32_t slot : instruction.releases)
            values[static_cast<std::size_t>(slot)] = c10::IValue();
    }
}

std::vector<at::Tensor> Executor::arguments(std::size_t instruction, const Values& values) const
{
    std::vector<at::Tensor> tensors;
    for (const Operand& operand : m_instructions.at(instruction).operands) {
        if (operand.slot >= 0)
            tensors.push_back(values[static_cast<std::size_t>(operand.slot)].toTensor());
        for (const std::int32_t slot : operand.slots) {
            if (slot >= 0)
                tensors.push_back(values[static_cast<std::size_t>(slot)].toTensor());
        }
    }
    return tensors;
}

void Executor::replace(std::size_t instruction, Values& values,
                       const std::vector<at::Tensor>& results) const
{
    const Instruction& replaced = m_instructions.at(instruction);
    QS_ASSERT(results.size() == replaced.results.size());
    for (const Operand& operand : replaced.operands) {
        if (operand.kind == Operand::Kind::LastUse)
            values[static_cast<std::size_t>(operand.slot)] = c10::IValue();
    }
    for (std::size_t i = 0; i < results.size(); ++i)
        values[static_cast<std::size_t>(replaced.results[i])] = results[i];
    for (const std::int32_t slot : replaced.releases)
        values[static_cast<std::size_t>(slot)] = c10::IValue();
}

std::vector<at::Tensor> Executor::outputs(const Values& values) const
{
    std::vector<at::Tensor> tensors;
    for (const core::ValueId id : m_graph->outputs)
        tensors.push_back(values[static_cast<std::size_t>(id)].toTensor());
    return tensors;
}

std::vector<at::Tensor> Executor::run(const std::vector<at::Tensor>& inputs) const
{
    Values values = begin(inputs);
    runRange(0, m_instructions.size(), values, {});
    return outputs(values);
}

}  // namespace qs::engine
