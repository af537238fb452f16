#include "core/graph/graph.h"

#include "core/base/format.h"

#include <algorithm>

namespace qs::core {

namespace {

std::string listText(const std::vector<std::int64_t>& list)
{
    std::string text = "[";
    for (std::size_t i = 0; i < list.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(list[i]);
    return text + "]";
}

struct ArgumentText {
    const Graph& graph;

    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(ValueRef ref) const
    {
        return ref.id < 0 ? "None" : "%" + graph.value(ref.id).name;
    }
    std::string operator()(const ValueRefs& refs) const
    {
        std::string text = "[";
        for (std::size_t i = 0; i < refs.size(); ++i)
            text += (i == 0 ? "" : ", ") + (*this)(refs[i]);
        return text + "]";
    }
    std::string operator()(bool flag) const { return flag ? "True" : "False"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return formatExact(number); }
    std::string operator()(const std::string& text) const { return "\"" + text + "\""; }
    std::string operator()(const std::vector<std::int64_t>& list) const { return listText(list); }
    std::string operator()(const std::vector<double>& list) const
    {
        std::string text = "[";
        for (std::size_t i = 0; i < list.size(); ++i)
            text += (i == 0 ? "" : ", ") + formatExact(list[i]);
        return text + "]";
    }
    std::string operator()(DType dtype) const { return std::string(name(dtype)); }
};

}  // namespace

std::int64_t TensorType::elementCount() const
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return count;
}

std::string toText(const TensorType& type)
{
    return std::string(name(type.dtype)) + listText(type.shape);
}

const Argument* Node::find(std::string_view argument) const
{
    for (const NamedArgument& candidate : arguments) {
        if (candidate.name == argument)
            return &candidate.value;
    }
    return nullptr;
}

ValueId Node::tensor(std::string_view argument) const
{
    const Argument* found = find(argument);
    const auto* ref = found == nullptr ? nullptr : std::get_if<ValueRef>(found);
    return ref == nullptr ? -1 : ref->id;
}

std::vector<ValueId> Node::inputs() const
{
    std::vector<ValueId> ids;
    for (const NamedArgument& argument : arguments) {
        if (const auto* ref = std::get_if<ValueRef>(&argument.value))
            ids.push_back(ref->id);
        else if (const auto* refs = std::get_if<ValueRefs>(&argument.value))
            for (const ValueRef& each : *refs) {
                if (each.id >= 0)
                    ids.push_back(each.id);
            }
    }
    return ids;
}

const Value& Graph::value(ValueId id) const
{
    QS_ASSERT(id >= 0 && static_cast<std::size_t>(id) < values.size());
    return values[static_cast<std::size_t>(id)];
}

ValueId Graph::findValue(std::string_view name) const
{
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](const Value& value) { return value.name == name; });
    return found == values.end() ? -1 : static_cast<ValueId>(found - values.begin());
}

double Graph::initialValue(ValueId state) const
{
    QS_ASSERT(value(state).kind == ValueKind::State);
    const auto found = initialValues.find(state);
    return found == initialValues.end() ? 0.0 : found->second;
}

namespace {

Status validateConstants(const Graph& graph)
{
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& value = graph.values[i];
        if (value.kind != ValueKind::Constant)
            continue;
        const auto found = graph.constants.find(static_cast<ValueId>(i));
        if (found == graph.constants.end() ||
            static_cast<std::int64_t>(found->second.size()) != value.type.elementCount())
            return Error{ErrorCode::Format, "constant " + value.name + " lacks its content"};
    }
    return {};
}

}  // namespace

Status validate(const Graph& graph)
{
    QS_RETURN_IF_ERROR(validateConstants(graph));
    std::vector<bool> defined(graph.values.size());
    for (std::size_t i = 0; i < graph.values.size(); ++i)
        defined[i] = graph.values[i].kind != ValueKind::Intermediate;
    const auto known = [&](ValueId id) {
        return id >= 0 && static_cast<std::size_t>(id) < defined.size() &&
               defined[static_cast<std::size_t>(id)];
    };
    for (const Node& node : graph.nodes) {
        if (!isInCatalogue(node.operation))
            return Error{ErrorCode::Unsupported,
                         "module " + node.module + " uses an operation outside the catalogue"};
        for (const ValueId id : node.inputs()) {
            if (!known(id))
                return Error{ErrorCode::Format, node.operation->fullName() + " in module " +
                                                    node.module +
                                                    " uses a value before it is defined"};
        }
        for (const ValueId id : node.outputs) {
            if (id < 0 || static_cast<std::size_t>(id) >= defined.size() || known(id))
                return Error{ErrorCode::Format, node.operation->fullName() + " in module " +
                                                    node.module + " defines a value twice"};
            defined[static_cast<std::size_t>(id)] = true;
        }
    }
    for (const ValueId id : graph.outputs) {
        if (!known(id))
            return Error{ErrorCode::Format, "an output of the graph is never computed"};
    }
    return {};
}

std::string toText(const Graph& graph)
{
    std::string text;
    for (const ValueId id : graph.inputs)
        text += "input %" + graph.value(id).name + ": " + toText(graph.value(id).type) + "\n";
    for (const Node& node : graph.nodes) {
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            text += (i == 0 ? "%" : ", %") + graph.value(node.outputs[i]).name + ": " +
                    toText(graph.value(node.outputs[i]).type);
        text += " = " + node.operation->fullName() + "(";
        for (std::size_t i = 0; i < node.arguments.size(); ++i)
            text += (i == 0 ? "" : ", ") + node.arguments[i].name + "=" +
                    std::visit(ArgumentText{graph}, node.arguments[i].value);
        text += ")  # " + node.module + "\n";
    }
    for (const ValueId id : graph.outputs)
        text += "output %" + graph.value(id).name + "\n";
    return text;
}

}  // namespace qs::core
