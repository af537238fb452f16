#include "core/engine/convert/recorded_program.h"

#include "core/engine/internal/torch_types.h"
#include "core/graph/exported/program_of_graph.h"
#include "core/graph/exported/schema.h"

#include <algorithm>
#include <array>
#include <optional>

namespace qs::engine {

namespace exported = core::exported;

using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;
using exported::ProgramArgument;
using exported::ProgramNode;

namespace {

// Arguments of ATen's own bookkeeping, which say nothing about what is computed.
constexpr std::array<std::string_view, 3> kLeftOut{"pin_memory", "generator", "layout"};

void addTensors(const c10::IValue& value, std::vector<at::Tensor>& tensors)
{
    if (value.isTensor() && value.toTensor().defined()) {
        tensors.push_back(value.toTensor());
    } else if (value.isList()) {
        for (const c10::IValue& each : value.toListRef())
            addTensors(each, tensors);
    } else if (value.isTuple()) {
        for (const c10::IValue& each : value.toTupleRef().elements())
            addTensors(each, tensors);
    }
}

std::vector<at::Tensor> tensorsIn(const std::vector<c10::IValue>& values)
{
    std::vector<at::Tensor> tensors;
    for (const c10::IValue& value : values)
        addTensors(value, tensors);
    return tensors;
}

// To a list is another matter: the interpreter has done that.
bool writesToTensor(const c10::FunctionSchema& schema, const std::vector<c10::IValue>& arguments)
{
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto* alias = schema.arguments()[i].alias_info();
        if (alias != nullptr && alias->isWrite() && arguments[i].isTensor())
            return true;
    }
    return false;
}

// The kind of an argument behind "optional": a type, a device and a memory format are numbers to
// those who run the code.
c10::TypeKind kindOf(const c10::Argument& argument)
{
    c10::TypePtr type = argument.real_type();
    if (const auto optional = type->cast<c10::OptionalType>())
        type = optional->getElementType();
    return type->kind();
}

Result<exported::TensorDescription> describe(const at::Tensor& tensor)
{
    if (!hasDType(tensor.scalar_type()))
        return Error{ErrorCode::Unsupported, std::string("a tensor has the type ") +
                                                 c10::toString(tensor.scalar_type()) +
                                                 ", which no graph of ours has"};
    return exported::describe({fromTorch(tensor.scalar_type()), tensor.sizes().vec()});
}

ProgramArgument typeArgument(c10::ScalarType type)
{
    return exported::ScalarType{exported::scalarTypeOf(fromTorch(type))};
}

std::string targetOf(const c10::FunctionSchema& schema)
{
    std::string name = schema.name();
    if (const auto colons = name.find("::"); colons != std::string::npos)
        name.replace(colons, 2, ".");
    return "torch.ops." + name + "." +
           (schema.overload_name().empty() ? "default" : schema.overload_name());
}

// By factors where they are given, else to a size, as the overload of lists has it.
void resizeByList(ProgramNode& node)
{
    std::vector<double> factors;
    ProgramNode lists = node;
    lists.arguments.clear();
    lists.target.replace(lists.target.rfind('.') + 1, std::string::npos, "vec");
    for (exported::NamedProgramArgument& each : node.arguments) {
        if (const auto* factor = std::get_if<double>(&each.value))
            factors.push_back(*factor);
        else if (each.name == "self")
            lists.arguments.push_back({"input", each.value});
        else
            lists.arguments.push_back(std::move(each));
    }
    if (!factors.empty()) {
        for (exported::NamedProgramArgument& each : lists.arguments) {
            if (each.name == "output_size")
                each.value = ProgramArgument();
        }
    }
    lists.arguments.push_back(
        {"scale_factors", factors.empty() ? ProgramArgument() : ProgramArgument(factors)});
    node = std::move(lists);
}

// Calls that only the interpreter of TorchScript has, as torch.export writes them.
void renameCall(ProgramNode& node, const at::Tensor& result)
{
    const auto keepOnly = [&](std::initializer_list<std::string_view> names) {
        std::erase_if(node.arguments, [&](const exported::NamedProgramArgument& each) {
            return std::find(names.begin(), names.end(), each.name) == names.end();
        });
    };
    if (node.target.starts_with("torch.ops.aten.to.") ||
        node.target == "torch.ops.aten.type_as.default") {
        node.target = "torch.ops.aten.to.dtype";
        node.arguments.front().name = "self";
        keepOnly({"self"});
        node.arguments.push_back({"dtype", typeArgument(result.scalar_type())});
    } else if (node.target.starts_with("torch.ops.aten._convolution.")) {
        const auto* flag = node.find("transposed");
        const bool transposed = flag != nullptr && std::get<bool>(*flag);
        const std::string dimensions = std::to_string(result.dim() - 2) + "d";
        node.target = transposed ? "torch.ops.aten.conv_transpose" + dimensions + ".input"
                                 : "torch.ops.aten.conv" + dimensions + ".default";
        keepOnly({"input", "weight", "bias", "stride", "padding", "dilation", "groups",
                  transposed ? "output_padding" : "groups"});
    } else if (node.target.starts_with("torch.ops.aten.upsample_") &&
               node.target.ends_with(".default")) {
        resizeByList(node);
    } else if (node.target == "torch.ops.aten._convolution_mode.default") {
        // Padding by word: "same", "valid".
        node.target = "torch.ops.aten.conv" + std::to_string(result.dim() - 2) + "d.padding";
    }
}

// The numbers of the schema's enumeration.
std::int64_t memoryFormatOf(c10::MemoryFormat format)
{
    switch (format) {
    case c10::MemoryFormat::Contiguous:
        return 1;
    case c10::MemoryFormat::ChannelsLast:
        return 2;
    case c10::MemoryFormat::ChannelsLast3d:
        return 3;
    case c10::MemoryFormat::Preserve:
    case c10::MemoryFormat::NumOptions:
        break;
    }
    return 4;
}

std::string place(const std::string& operation, const std::string& module)
{
    return operation + (module.empty() ? "" : " in " + module);
}

}  // namespace

std::string RecordedProgram::freshName()
{
    std::string name;
    do {
        name = "v_" + std::to_string(m_count++);
    } while (m_program.graph.tensors.contains(name));
    return name;
}

const RecordedProgram::Known* RecordedProgram::find(const at::Tensor& tensor) const
{
    const auto found = m_known.find(tensor.unsafeGetTensorImpl());
    return found == m_known.end() ? nullptr : &found->second;
}

bool RecordedProgram::knows(const at::Tensor& tensor) const
{
    return find(tensor) != nullptr;
}

bool RecordedProgram::dependsOnData(const at::Tensor& tensor) const
{
    const Known* known = find(tensor);
    return known == nullptr || known->dependsOnData;
}

Status RecordedProgram::remember(const at::Tensor& tensor, const std::string& name,
                                 bool dependsOnData)
{
    QS_TRY(exported::TensorDescription type, describe(tensor));
    m_program.graph.tensors[name] = std::move(type);
    m_known.insert_or_assign(
        tensor.unsafeGetTensorImpl(),
        Known{c10::weak_intrusive_ptr<c10::TensorImpl>(tensor.getIntrusivePtr()), name,
              dependsOnData});
    return {};
}

Status RecordedProgram::addHeld(const std::string& path, const at::Tensor& tensor,
                                exported::InputRole role)
{
    if (knows(tensor))
        return {};
    const std::string name = "held_" + std::to_string(m_held.size());
    if (const Status status = remember(tensor, name, role != exported::InputRole::Constant);
        !status.ok())
        return status.error().within(path);
    m_program.inputs.push_back({role, name, path, role != exported::InputRole::Constant});
    m_held.push_back({path, tensor, role});
    return {};
}

Status RecordedProgram::addConstant(const at::Tensor& tensor)
{
    return addHeld("constant_" + std::to_string(m_held.size()), tensor,
                   exported::InputRole::Constant);
}

Status RecordedProgram::addInput(const std::string& name, const at::Tensor& tensor)
{
    QS_RETURN_IF_ERROR(remember(tensor, name, true));
    m_program.inputs.push_back({exported::InputRole::User, name, {}, true});
    return {};
}

Result<ProgramArgument> RecordedProgram::argumentOf(const c10::Argument& declared,
                                                    const c10::IValue& value) const
{
    const auto nameOf = [&](const at::Tensor& tensor) {
        const Known* known = tensor.defined() ? find(tensor) : nullptr;
        return known == nullptr ? std::string() : known->name;
    };
    const c10::TypeKind kind = kindOf(declared);
    if (kind == c10::TypeKind::DeviceObjType)
        return ProgramArgument(exported::Placement{});
    if (value.isNone())
        return ProgramArgument();
    if (kind == c10::TypeKind::ScalarTypeType) {
        const auto type = static_cast<c10::ScalarType>(value.toInt());
        if (!hasDType(type))
            return Error{ErrorCode::Unsupported, std::string("the type ") + c10::toString(type)};
        return typeArgument(type);
    }
    if (kind == c10::TypeKind::MemoryFormatType)
        return ProgramArgument(exported::MemoryFormat{memoryFormatOf(value.toMemoryFormat())});
    if (value.isTensor()) {
        std::string name = nameOf(value.toTensor());
        if (name.empty() && value.toTensor().defined())
            return Error{ErrorCode::Unsupported, "reads a tensor that no recorded call has made"};
        return name.empty() ? ProgramArgument() : ProgramArgument(exported::TensorName{name});
    }
    if (value.isBool())
        return ProgramArgument(value.toBool());
    if (value.isInt())
        return ProgramArgument(value.toInt());
    if (value.isDouble())
        return ProgramArgument(value.toDouble());
    if (value.isString())
        return ProgramArgument(std::string(value.toStringRef()));
    if (value.isIntList())
        return ProgramArgument(value.toIntVector());
    if (value.isDoubleList())
        return ProgramArgument(value.toDoubleVector());
    if (value.isList()) {
        exported::TensorNames names;
        for (const c10::IValue& each : value.toListRef()) {
            if (!each.isTensor() && !each.isNone())
                return Error{ErrorCode::Unsupported, "has a list of " + each.tagKind()};
            names.push_back(each.isTensor() ? nameOf(each.toTensor()) : std::string());
        }
        return ProgramArgument(std::move(names));
    }
    return Error{ErrorCode::Unsupported, "has an argument of the kind " + value.tagKind()};
}

Status RecordedProgram::addResults(ProgramNode node, const std::vector<at::Tensor>& tensors,
                                   bool data)
{
    for (const at::Tensor& tensor : tensors) {
        const std::string name = freshName();
        node.outputs.push_back(name);
        // What is written in place keeps the name that it has.
        if (!knows(tensor)) {
            if (const Status status = remember(tensor, name, data); !status.ok())
                return status.error().within(place(node.target, node.module));
        } else {
            QS_TRY(exported::TensorDescription type, describe(tensor));
            m_program.graph.tensors[name] = std::move(type);
        }
    }
    m_program.graph.nodes.push_back(std::move(node));
    return {};
}

Status RecordedProgram::addCall(const c10::FunctionSchema& schema,
                                const std::vector<c10::IValue>& arguments,
                                const std::vector<c10::IValue>& results, const std::string& module)
{
    const std::vector<at::Tensor> made = tensorsIn(results);
    const bool writes = writesToTensor(schema, arguments);
    const bool allKnown =
        std::all_of(made.begin(), made.end(), [&](const at::Tensor& each) { return knows(each); });
    if (made.empty() || (allKnown && !writes))
        return {};
    ProgramNode node;
    node.target = targetOf(schema);
    node.module = module;
    node.returnsList = schema.returns().size() == 1 &&
                       schema.returns().front().type()->kind() == c10::TypeKind::ListType;
    bool data = false;
    for (const at::Tensor& each : tensorsIn(arguments))
        data = data || dependsOnData(each);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const c10::Argument& declared = schema.arguments()[i];
        const bool usual = declared.default_value() && !arguments[i].isTensor() &&
                           *declared.default_value() == arguments[i];
        if (usual || std::find(kLeftOut.begin(), kLeftOut.end(), declared.name()) != kLeftOut.end())
            continue;
        auto argument = argumentOf(declared, arguments[i]);
        if (!argument.ok())
            return argument.error().within(place(node.target, module));
        node.arguments.push_back({declared.name(), std::move(argument.value())});
    }
    renameCall(node, made.front());
    if (writes)
        m_writing.insert(m_program.graph.nodes.size());
    return addResults(std::move(node), made, data);
}

Status RecordedProgram::addNumber(const c10::IValue& number, const at::Tensor& tensor,
                                  const std::string& module)
{
    ProgramNode node;
    node.target = "torch.ops.aten.scalar_tensor.default";
    node.module = module;
    const ProgramArgument value = number.isInt()    ? ProgramArgument(number.toInt())
                                  : number.isBool() ? ProgramArgument(number.toBool())
                                                    : ProgramArgument(number.toDouble());
    node.arguments.push_back({"s", value});
    if (!hasDType(tensor.scalar_type()))
        return Error{ErrorCode::Unsupported, "a number of a type that no graph of ours has"};
    node.arguments.push_back({"dtype", typeArgument(tensor.scalar_type())});
    node.arguments.push_back({"device", exported::Placement{}});
    return addResults(std::move(node), {tensor}, false);
}

// Backwards from the results: what is read, and whatever writes to what is there.
std::set<std::string> RecordedProgram::neededNames()
{
    std::set<std::string> needed;
    for (const ProgramArgument& output : m_program.graph.outputs)
        needed.insert(std::get<exported::TensorName>(output).name);
    auto& nodes = m_program.graph.nodes;
    std::vector<ProgramNode> kept;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const bool used =
            std::any_of(nodes[i].outputs.begin(), nodes[i].outputs.end(),
                        [&](const std::string& each) { return needed.contains(each); });
        if (!used && !m_writing.contains(i))
            continue;
        for (const auto& argument : nodes[i].arguments) {
            if (const auto* tensor = std::get_if<exported::TensorName>(&argument.value))
                needed.insert(tensor->name);
            else if (const auto* tensors = std::get_if<exported::TensorNames>(&argument.value))
                needed.insert(tensors->begin(), tensors->end());
        }
        needed.insert(nodes[i].outputs.begin(), nodes[i].outputs.end());
        kept.push_back(std::move(nodes[i]));
    }
    std::reverse(kept.begin(), kept.end());
    nodes = std::move(kept);
    return needed;
}

Result<ScriptRecording> RecordedProgram::finish(const std::vector<at::Tensor>& outputs)
{
    for (const at::Tensor& output : outputs) {
        const Known* known = find(output);
        if (known == nullptr)
            return Error{ErrorCode::Unsupported, "a result is a tensor that no call has made"};
        m_program.graph.outputs.emplace_back(exported::TensorName{known->name});
        m_program.outputs.push_back({true, m_program.graph.outputs.back()});
    }
    const std::set<std::string> needed = neededNames();
    ScriptRecording recording;
    for (std::size_t i = 0; i < m_held.size(); ++i) {
        if (needed.contains("held_" + std::to_string(i)))
            recording.held.push_back(m_held[i]);
    }
    std::erase_if(m_program.inputs, [&](const exported::ProgramInput& input) {
        return input.role != exported::InputRole::User && !needed.contains(input.name);
    });
    // What the archive holds stands before what a user gives.
    std::stable_partition(m_program.inputs.begin(), m_program.inputs.end(),
                          [](const exported::ProgramInput& input) {
                              return input.role != exported::InputRole::User;
                          });
    for (const exported::ProgramInput& input : m_program.inputs)
        m_program.graph.inputs.push_back(input.name);
    std::erase_if(m_program.graph.tensors, [&](const auto& each) {
        return !needed.contains(each.first) &&
               std::find(m_program.graph.inputs.begin(), m_program.graph.inputs.end(),
                         each.first) == m_program.graph.inputs.end();
    });
    m_program.torchVersion = "2.11.0";
    recording.program = std::move(m_program);
    recording.outputs = outputs;
    return recording;
}

}  // namespace qs::engine
