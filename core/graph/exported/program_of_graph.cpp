#include "core/graph/exported/program_of_graph.h"

#include "core/graph/exported/schema.h"

#include <algorithm>
#include <array>
#include <set>
#include <type_traits>
#include <utility>

namespace qs::core::exported {

namespace {

// Reserved words of Python, which no argument of a function can be called.
constexpr std::array kPythonWords{
    "and",  "as",     "assert", "async",  "await",  "break",   "class",    "continue", "def",
    "del",  "elif",   "else",   "except", "false",  "finally", "for",      "from",     "global",
    "if",   "import", "in",     "is",     "lambda", "none",    "nonlocal", "not",      "or",
    "pass", "raise",  "return", "self",   "true",   "try",     "while",    "with",     "yield"};

bool isIdentifier(std::string_view name)
{
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    return !name.empty() && (name.front() < '0' || name.front() > '9') &&
           std::all_of(name.begin(), name.end(), fits) &&
           std::find(kPythonWords.begin(), kPythonWords.end(), name) == kPythonWords.end();
}

std::string prefixOf(ValueKind kind)
{
    switch (kind) {
    case ValueKind::Input:
        return "input_";
    case ValueKind::Weight:
        return "p_";
    case ValueKind::State:
        return "b_";
    case ValueKind::Constant:
        return "c_";
    case ValueKind::Intermediate:
        break;
    }
    return "v_";
}

std::vector<std::string> namesOf(const Graph& graph)
{
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& value = graph.values[i];
        const std::string number = std::to_string(i);
        const bool plain = value.kind == ValueKind::Input && isIdentifier(value.name);
        names.push_back(plain ? value.name : prefixOf(value.kind) + number);
        // Names of inputs are chosen by others, and may be those of ours.
        if (!taken.insert(names.back()).second)
            names.back() = "value_of_graph_" + number;
    }
    return names;
}

class Writer final
{
public:
    Writer(const Graph& graph, bool constantsAsBuffers)
        : m_graph(graph), m_constantsAsBuffers(constantsAsBuffers), m_names(namesOf(graph))
    {
    }

    ProgramOfGraph write()
    {
        ExportedProgram program;
        program.torchVersion = "2.11.0";
        for (const ValueKind kind : {ValueKind::Weight, ValueKind::State, ValueKind::Constant}) {
            for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
                if (m_graph.values[i].kind == kind)
                    program.inputs.push_back(input(static_cast<ValueId>(i)));
            }
        }
        for (const ValueId id : m_graph.inputs)
            program.inputs.push_back(input(id));
        for (const ProgramInput& each : program.inputs)
            program.graph.inputs.push_back(each.name);
        for (const ValueId id : m_graph.outputs) {
            program.graph.outputs.emplace_back(TensorName{nameOf(id)});
            program.outputs.push_back({true, program.graph.outputs.back()});
        }
        for (const Node& each : m_graph.nodes)
            program.graph.nodes.push_back(node(each));
        for (std::size_t i = 0; i < m_graph.values.size(); ++i)
            program.graph.tensors.emplace(m_names[i], describe(m_graph.values[i].type));
        return {std::move(program), std::move(m_names)};
    }

private:
    [[nodiscard]] const std::string& nameOf(ValueId id) const
    {
        return m_names[static_cast<std::size_t>(id)];
    }

    [[nodiscard]] ProgramInput input(ValueId id) const
    {
        const Value& value = m_graph.value(id);
        ProgramInput input;
        input.name = nameOf(id);
        if (value.kind == ValueKind::Weight || value.kind == ValueKind::State) {
            input.role = value.kind == ValueKind::Weight ? InputRole::Parameter : InputRole::Buffer;
            input.target = value.name;
        } else if (value.kind == ValueKind::Constant) {
            input.role = m_constantsAsBuffers ? InputRole::Buffer : InputRole::Constant;
            input.target = input.name;
            input.persistent = false;
        }
        return input;
    }

    [[nodiscard]] ProgramNode node(const Node& node) const
    {
        ProgramNode written;
        const std::string_view name = node.operation->name.substr(6);  // behind "aten::"
        const std::string_view overload =
            node.operation->overload.empty() ? "default" : node.operation->overload;
        written.target = "torch.ops.aten." + std::string(name) + "." + std::string(overload);
        written.module = node.module;
        written.returnsList = node.operation->returnsList;
        for (const NamedArgument& each : node.arguments)
            written.arguments.push_back({each.name, argument(each.value)});
        if (node.inputs().empty() && node.find("device") == nullptr)
            written.arguments.push_back({"device", Placement{}});
        for (const ValueId id : node.outputs)
            written.outputs.push_back(nameOf(id));
        return written;
    }

    [[nodiscard]] ProgramArgument argument(const Argument& argument) const
    {
        if (const auto* ref = std::get_if<ValueRef>(&argument))
            return ref->id < 0 ? ProgramArgument() : TensorName{nameOf(ref->id)};
        if (const auto* refs = std::get_if<ValueRefs>(&argument)) {
            TensorNames tensors;
            for (const ValueRef& ref : *refs)
                tensors.push_back(ref.id < 0 ? std::string() : nameOf(ref.id));
            return tensors;
        }
        if (const auto* dtype = std::get_if<DType>(&argument))
            return ScalarType{scalarTypeOf(*dtype)};
        return plainArgument(argument);
    }

    // What is the same in both.
    static ProgramArgument plainArgument(const Argument& argument)
    {
        return std::visit(
            [](const auto& plain) -> ProgramArgument {
                using Plain = std::decay_t<decltype(plain)>;
                if constexpr (std::is_constructible_v<ProgramArgument, Plain> &&
                              !std::is_same_v<Plain, DType>)
                    return plain;
                else
                    return {};
            },
            argument);
    }

    const Graph& m_graph;
    bool m_constantsAsBuffers;
    std::vector<std::string> m_names;
};

}  // namespace

TensorDescription describe(const TensorType& type)
{
    TensorDescription description;
    description.scalarType = scalarTypeOf(type.dtype);
    for (const std::int64_t size : type.shape)
        description.sizes.emplace_back(size);
    return description;
}

ProgramOfGraph programOf(const Graph& graph, bool constantsAsBuffers)
{
    return Writer(graph, constantsAsBuffers).write();
}

}  // namespace qs::core::exported
