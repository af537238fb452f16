#include "core/engine/convert/script_recorder.h"

#include "core/base/clean_text.h"
#include "core/engine/convert/recorded_program.h"
#include "core/engine/internal/torch_types.h"

#include <ATen/core/function.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace qs::engine {

namespace jit = torch::jit;
namespace exported = core::exported;

using c10::IValue;
using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

namespace {

constexpr int kMostDepth = 200;             // of calls inside calls
constexpr std::int64_t kMostTurns = 65536;  // of one loop

// What makes a number, a list or a decision of the content of a tensor.
constexpr std::array<std::string_view, 12> kReadsContent{"aten::item",
                                                         "aten::_local_scalar_dense",
                                                         "aten::Int",
                                                         "aten::Float",
                                                         "aten::Bool",
                                                         "aten::is_nonzero",
                                                         "aten::ScalarImplicit",
                                                         "aten::FloatImplicit",
                                                         "aten::IntImplicit",
                                                         "aten::equal",
                                                         "aten::allclose",
                                                         "prim::tolist"};
// What makes a tensor of numbers of the code.
constexpr std::array<std::string_view, 3> kMakesTensors{"aten::tensor", "aten::as_tensor",
                                                        "aten::scalar_tensor"};

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

class Recorder final
{
public:
    explicit Recorder(const jit::Module& module) : m_module(module) {}

    Result<ScriptRecording> record(const std::vector<ScriptInput>& inputs)
    {
        QS_RETURN_IF_ERROR(nameTensors());
        std::vector<IValue> arguments{IValue(m_module._ivalue())};
        for (const ScriptInput& input : inputs) {
            QS_RETURN_IF_ERROR(m_program.addInput(input.name, input.tensor));
            arguments.emplace_back(input.tensor);
        }
        const jit::Method method = m_module.get_method("forward");
        addDefaults(method.function().getSchema(), arguments);
        QS_TRY(const IValue result, callFunction(method.function(), std::move(arguments), {}));
        std::vector<at::Tensor> outputs;
        QS_RETURN_IF_ERROR(addOutputs(result, outputs));
        if (outputs.empty())
            return Error{ErrorCode::Unsupported, "forward() returns no tensor"};
        return m_program.finish(outputs);
    }

private:
    using Frame = std::unordered_map<const jit::Value*, IValue>;

    Status nameTensors()
    {
        for (const auto& module : m_module.named_modules())
            m_paths.emplace(module.value._ivalue().get(), module.name);
        for (const auto& parameter : m_module.named_parameters())
            QS_RETURN_IF_ERROR(
                m_program.addHeld(parameter.name, parameter.value, exported::InputRole::Parameter));
        for (const auto& buffer : m_module.named_buffers())
            QS_RETURN_IF_ERROR(
                m_program.addHeld(buffer.name, buffer.value, exported::InputRole::Buffer));
        return {};
    }

    static void addDefaults(const c10::FunctionSchema& schema, std::vector<IValue>& arguments)
    {
        for (std::size_t i = arguments.size(); i < schema.arguments().size(); ++i) {
            if (const auto& usual = schema.arguments()[i].default_value())
                arguments.push_back(*usual);
        }
    }

    // In the order of their nesting.
    Status addOutputs(const IValue& value, std::vector<at::Tensor>& outputs) const
    {
        if (value.isTensor()) {
            outputs.push_back(value.toTensor());
        } else if (value.isTuple()) {
            for (const IValue& each : value.toTupleRef().elements())
                QS_RETURN_IF_ERROR(addOutputs(each, outputs));
        } else if (value.isList()) {
            for (const IValue& each : value.toListRef())
                QS_RETURN_IF_ERROR(addOutputs(each, outputs));
        } else if (value.isGenericDict()) {
            for (const auto& each : value.toGenericDict())
                QS_RETURN_IF_ERROR(addOutputs(each.value(), outputs));
        }
        return {};
    }

    Result<IValue> callFunction(jit::Function& function, std::vector<IValue> arguments,
                                const std::string& path)
    {
        if (!function.isGraphFunction())
            return Error{ErrorCode::Unsupported, "calls " + core::cleanLine(function.name()) +
                                                     ", which is not TorchScript"};
        if (++m_depth > kMostDepth)
            return Error{ErrorCode::Unsupported, "its functions call each other without end"};
        const auto graph = jit::toGraphFunction(function).graph();
        if (graph->inputs().size() != arguments.size())
            return Error{ErrorCode::InvalidArgument,
                         "forward() takes " + std::to_string(graph->inputs().size() - 1) +
                             " inputs, and " + std::to_string(arguments.size() - 1) +
                             " were given"};
        Frame frame;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            frame[graph->inputs()[i]] = std::move(arguments[i]);
        QS_RETURN_IF_ERROR(runBlock(*graph->block(), frame, path));
        --m_depth;
        return frame.at(graph->outputs().at(0));
    }

    Status runBlock(jit::Block& block, Frame& frame, const std::string& path)
    {
        for (jit::Node* node : block.nodes())
            QS_RETURN_IF_ERROR(runNode(*node, frame, path));
        return {};
    }

    Status runNode(jit::Node& node, Frame& frame, const std::string& path)
    {
        switch (node.kind()) {
        case c10::prim::Constant:
            return constant(node, frame);
        case c10::prim::GetAttr:
            frame[node.output()] =
                frame.at(node.input()).toObjectRef().getAttr(node.s(c10::attr::name));
            return noteAttribute(frame.at(node.output()));
        case c10::prim::SetAttr:
            return refuse(node, path, "changes an attribute of its module");
        case c10::prim::CallMethod:
        case c10::prim::CallFunction:
            return call(node, frame, path);
        case c10::prim::If:
            return branch(node, frame, path);
        case c10::prim::Loop:
            return loop(node, frame, path);
        case c10::prim::RaiseException:
            return refuse(node, path, "raises an exception for these inputs");
        case c10::prim::Uninitialized:
            frame[node.output()] = IValue();
            return {};
        case c10::prim::Print:
        case c10::aten::warn:
            return {};
        case c10::prim::unchecked_cast:
            frame[node.output()] = frame.at(node.input());
            return {};
        default:
            return structure(node, frame, path);
        }
    }

    static Status refuse(const jit::Node& node, const std::string& path, const std::string& why)
    {
        return Error{ErrorCode::Unsupported,
                     core::cleanLine(node.kind().toQualString()) +
                         (path.empty() ? "" : " in " + core::cleanLine(path)) + ": " + why};
    }

    Status constant(jit::Node& node, Frame& frame)
    {
        const auto value = jit::toIValue(node.output());
        // A function as a value: it is asked by its type.
        frame[node.output()] = value ? *value : IValue();
        return noteAttribute(frame.at(node.output()));
    }

    // A tensor that stands in the code, or an attribute that is neither parameter nor buffer.
    Status noteAttribute(const IValue& value)
    {
        if (value.isTensor() && value.toTensor().defined() && !m_program.knows(value.toTensor()))
            return m_program.addConstant(value.toTensor());
        if (value.isTensorList()) {
            for (const IValue& each : value.toListRef())
                QS_RETURN_IF_ERROR(noteAttribute(each));
        }
        return {};
    }

    std::vector<IValue> inputsOf(const jit::Node& node, const Frame& frame) const
    {
        std::vector<IValue> values;
        for (const jit::Value* input : node.inputs())
            values.push_back(frame.at(input));
        return values;
    }

    Status call(jit::Node& node, Frame& frame, const std::string& path)
    {
        std::vector<IValue> arguments = inputsOf(node, frame);
        jit::Function* function = nullptr;
        std::string inner = path;
        if (node.kind() == c10::prim::CallMethod) {
            const auto& object = arguments.front().toObjectRef();
            function = object.type()->findMethod(node.s(c10::attr::name));
            const auto found = m_paths.find(&object);
            inner = found == m_paths.end() ? path : found->second;
        } else {
            const auto type = node.input(0)->type()->cast<c10::FunctionType>();
            function = type ? type->function() : nullptr;
            arguments.erase(arguments.begin());
        }
        if (function == nullptr)
            return refuse(node, path, "calls a function that is not there");
        QS_TRY(frame[node.output()], callFunction(*function, std::move(arguments), inner));
        return {};
    }

    Status branch(jit::Node& node, Frame& frame, const std::string& path)
    {
        jit::Block& taken = *node.blocks().at(frame.at(node.input()).toBool() ? 0 : 1);
        QS_RETURN_IF_ERROR(runBlock(taken, frame, path));
        for (std::size_t i = 0; i < node.outputs().size(); ++i)
            frame[node.outputs()[i]] = frame.at(taken.outputs()[i]);
        return {};
    }

    Status loop(jit::Node& node, Frame& frame, const std::string& path)
    {
        jit::Block& body = *node.blocks().at(0);
        const std::int64_t most = frame.at(node.input(0)).toInt();
        bool on = frame.at(node.input(1)).toBool();
        std::vector<IValue> carried;
        for (std::size_t i = 2; i < node.inputs().size(); ++i)
            carried.push_back(frame.at(node.input(i)));
        for (std::int64_t turn = 0; on && turn < most; ++turn) {
            if (turn >= kMostTurns)
                return refuse(node, path, "does not end");
            frame[body.inputs()[0]] = turn;
            for (std::size_t i = 0; i < carried.size(); ++i)
                frame[body.inputs()[i + 1]] = carried[i];
            QS_RETURN_IF_ERROR(runBlock(body, frame, path));
            on = frame.at(body.outputs()[0]).toBool();
            for (std::size_t i = 0; i < carried.size(); ++i)
                carried[i] = frame.at(body.outputs()[i + 1]);
        }
        for (std::size_t i = 0; i < carried.size(); ++i)
            frame[node.outputs()[i]] = carried[i];
        return {};
    }

    // Lists, tuples and dictionaries, which the interpreter has instructions of its own for.
    Status structure(jit::Node& node, Frame& frame, const std::string& path)
    {
        std::vector<IValue> values = inputsOf(node, frame);
        switch (node.kind()) {
        case c10::prim::ListConstruct: {
            c10::impl::GenericList list(
                node.output()->type()->expectRef<c10::ListType>().getElementType());
            for (IValue& value : values)
                list.push_back(std::move(value));
            frame[node.output()] = std::move(list);
            return {};
        }
        case c10::prim::TupleConstruct:
            frame[node.output()] = c10::ivalue::Tuple::create(std::move(values));
            return {};
        case c10::prim::DictConstruct: {
            const auto& type = node.output()->type()->expectRef<c10::DictType>();
            c10::impl::GenericDict dict(type.getKeyType(), type.getValueType());
            for (std::size_t i = 0; i + 1 < values.size(); i += 2)
                dict.insert_or_assign(values[i], values[i + 1]);
            frame[node.output()] = std::move(dict);
            return {};
        }
        case c10::prim::TupleUnpack:
        case c10::prim::ListUnpack: {
            const auto& parts = values.front().isTuple()
                                    ? values.front().toTupleRef().elements().vec()
                                    : values.front().toListRef().vec();
            if (parts.size() != node.outputs().size())
                return refuse(node, path, "takes another number of values");
            for (std::size_t i = 0; i < parts.size(); ++i)
                frame[node.outputs()[i]] = parts[i];
            return {};
        }
        default:
            return operation(node, std::move(values), frame, path);
        }
    }

    Status operation(jit::Node& node, std::vector<IValue> values, Frame& frame,
                     const std::string& path)
    {
        const auto* schema = node.maybeSchema();
        if (schema == nullptr || node.maybeOperator() == nullptr)
            return refuse(node, path, "is no operation that can be recorded");
        const std::string name = schema->name();
        if (!name.starts_with("aten::") && !name.starts_with("prim::") &&
            !name.starts_with("quantized::"))
            return refuse(node, path, "is an operation of another library");
        if (name == "aten::from_file" || name == "aten::save")
            return refuse(node, path, "touches files");
        if (isOneOf(kReadsContent, name)) {
            for (const IValue& value : values) {
                if (value.isTensor() && m_program.dependsOnData(value.toTensor()))
                    return refuse(node, path,
                                  "makes a number of the content of a tensor, so that what runs "
                                  "depends on the data");
            }
        }
        jit::Stack stack(values.begin(), values.end());
        if (schema->is_vararg())
            stack.emplace_back(static_cast<std::int64_t>(values.size()));
        node.getOperation()(stack);
        std::vector<IValue> results(
            stack.end() - static_cast<std::ptrdiff_t>(node.outputs().size()), stack.end());
        QS_RETURN_IF_ERROR(note(node, name, values, results, path));
        for (std::size_t i = 0; i < results.size(); ++i)
            frame[node.outputs()[i]] = std::move(results[i]);
        return {};
    }

    Status note(const jit::Node& node, const std::string& name, const std::vector<IValue>& values,
                const std::vector<IValue>& results, const std::string& path)
    {
        const bool number = node.kind() == c10::prim::NumToTensor || isOneOf(kMakesTensors, name);
        if (number) {
            const at::Tensor& tensor = results.front().toTensor();
            if (values.front().isScalar())
                return m_program.addNumber(values.front(), tensor, path);
            return m_program.knows(tensor) ? Status() : m_program.addConstant(tensor);
        }
        if (!name.starts_with("aten::"))
            return {};
        return m_program.addCall(node.schema(), values, results, path);
    }

    const jit::Module& m_module;
    RecordedProgram m_program;
    std::unordered_map<const c10::ivalue::Object*, std::string> m_paths;
    int m_depth = 0;
};

}  // namespace

Result<ScriptRecording> recordScript(const jit::Module& module,
                                     const std::vector<ScriptInput>& inputs)
{
    std::optional<Result<ScriptRecording>> recording;
    QS_RETURN_IF_ERROR(catching([&]() -> Status {
        const c10::InferenceMode inference;
        recording = Recorder(module).record(inputs);
        return {};
    }));
    return std::move(*recording);
}

}  // namespace qs::engine
