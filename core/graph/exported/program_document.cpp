#include "core/graph/exported/program_document.h"

#include "core/base/json.h"
#include "core/graph/exported/schema.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
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

// What JSON has no number for is written as torch.export does.
Json floatJson(double number)
{
    if (std::isnan(number))
        return "NaN";
    if (std::isinf(number))
        return number > 0 ? "Infinity" : "-Infinity";
    return number;
}

Json named(const std::string& name)
{
    return {{"name", name}};
}

Json asTensor(const std::string& name)
{
    return {{"as_tensor", named(name)}};
}

Json asInts(const std::vector<std::int64_t>& numbers)
{
    Json list = Json::array();
    for (const std::int64_t number : numbers)
        list.push_back({{"as_int", number}});
    return list;
}

std::vector<std::int64_t> denseStrides(const std::vector<std::int64_t>& shape)
{
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * std::max<std::int64_t>(shape[i], 1);
    return strides;
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

// Key, path and type of the root and of the module, unless its name has what separates them.
std::string moduleStack(const std::string& module)
{
    std::string stack = "L__self__,,torch.nn.modules.module.Module";
    if (module.empty() || module.find_first_of(",;()[]") != std::string::npos)
        return stack;
    std::string key = module;
    std::replace(key.begin(), key.end(), '.', '_');
    return stack + ";L__self___" + key + "," + module + ",torch.nn.modules.module.Module";
}

}  // namespace

ProgramDocument::ProgramDocument(const Graph& graph, std::string_view device,
                                 bool constantsAsBuffers)
    : m_graph(graph),
      m_device({{"type", device}, {"index", nullptr}}),
      m_constantsAsBuffers(constantsAsBuffers)
{
    std::set<std::string> taken;
    for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
        const Value& value = m_graph.values[i];
        const std::string number = std::to_string(i);
        const bool plain = value.kind == ValueKind::Input && isIdentifier(value.name);
        m_names.push_back(plain ? value.name : prefixOf(value.kind) + number);
        // Names of inputs are chosen by others, and may be those of ours.
        if (!taken.insert(m_names.back()).second)
            m_names.back() = "value_of_graph_" + number;
    }
}

ProgramDocument::~ProgramDocument() = default;

const std::string& ProgramDocument::nameOf(ValueId id) const
{
    return m_names[static_cast<std::size_t>(id)];
}

Json ProgramDocument::tensorMeta(const TensorType& type) const
{
    return {{"dtype", scalarTypeOf(type.dtype)},
            {"sizes", asInts(type.shape)},
            {"requires_grad", false},
            {"device", m_device},
            {"strides", asInts(denseStrides(type.shape))},
            {"storage_offset", {{"as_int", 0}}},
            {"layout", kStrided}};
}

Json ProgramDocument::program() const
{
    return {{"graph_module",
             {{"graph", graph()},
              {"signature", signature()},
              {"module_call_graph", Json::array({rootCall()})},
              {"metadata", Json::object()}}},
            {"opset_version", {{"aten", 10}}},
            {"range_constraints", Json::object()},
            {"schema_version", {{"major", kSchemaMajor}, {"minor", kSchemaMinor}}},
            // The dialect that has operations in place.
            {"verifiers", {"TRAINING"}},
            {"torch_version", "2.11.0"}};
}

std::vector<ValueId> ProgramDocument::placeholders() const
{
    std::vector<ValueId> ids;
    for (const ValueKind kind : {ValueKind::Weight, ValueKind::State, ValueKind::Constant}) {
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            if (m_graph.values[i].kind == kind)
                ids.push_back(static_cast<ValueId>(i));
        }
    }
    ids.insert(ids.end(), m_graph.inputs.begin(), m_graph.inputs.end());
    return ids;
}

Json ProgramDocument::graph() const
{
    Json inputs = Json::array();
    for (const ValueId id : placeholders())
        inputs.push_back(asTensor(nameOf(id)));
    Json outputs = Json::array();
    for (const ValueId id : m_graph.outputs)
        outputs.push_back(asTensor(nameOf(id)));
    Json nodes = Json::array();
    for (const Node& each : m_graph.nodes)
        nodes.push_back(node(each));
    Json types = Json::object();
    for (std::size_t i = 0; i < m_graph.values.size(); ++i)
        types[m_names[i]] = tensorMeta(m_graph.values[i].type);
    return {{"inputs", std::move(inputs)},      {"outputs", std::move(outputs)},
            {"nodes", std::move(nodes)},        {"tensor_values", std::move(types)},
            {"sym_int_values", Json::object()}, {"sym_bool_values", Json::object()},
            {"is_single_tensor_return", false}};
}

Json ProgramDocument::node(const Node& node) const
{
    // Without the kind of an argument, the loader passes it as the operation's schema says.
    Json inputs = Json::array();
    for (const NamedArgument& each : node.arguments)
        inputs.push_back({{"name", each.name}, {"arg", argument(each.value)}});
    if (node.inputs().empty() && node.find("device") == nullptr)
        inputs.push_back({{"name", "device"}, {"arg", {{"as_device", m_device}}}});
    Json outputs = Json::array();
    for (const ValueId id : node.outputs)
        outputs.push_back(node.operation->returnsList ? named(nameOf(id)) : asTensor(nameOf(id)));
    if (node.operation->returnsList)
        outputs = Json::array({{{"as_tensors", std::move(outputs)}}});
    const std::string_view name = node.operation->name.substr(6);  // behind "aten::"
    const std::string_view overload =
        node.operation->overload.empty() ? "default" : node.operation->overload;
    return {{"target", "torch.ops.aten." + std::string(name) + "." + std::string(overload)},
            {"inputs", std::move(inputs)},
            {"outputs", std::move(outputs)},
            {"metadata", {{"nn_module_stack", moduleStack(node.module)}}}};
}

Json ProgramDocument::argument(const Argument& argument) const
{
    struct Visitor {
        const ProgramDocument& document;

        Json operator()(std::monostate) const { return {{"as_none", true}}; }
        Json operator()(ValueRef ref) const
        {
            return ref.id < 0 ? Json{{"as_none", true}} : asTensor(document.nameOf(ref.id));
        }
        Json operator()(const ValueRefs& refs) const
        {
            const bool some = std::any_of(refs.begin(), refs.end(),
                                          [](const ValueRef& ref) { return ref.id < 0; });
            Json list = Json::array();
            for (const ValueRef& ref : refs)
                list.push_back(some ? (*this)(ref) : named(document.nameOf(ref.id)));
            return {{some ? "as_optional_tensors" : "as_tensors", std::move(list)}};
        }
        Json operator()(bool flag) const { return {{"as_bool", flag}}; }
        Json operator()(std::int64_t number) const { return {{"as_int", number}}; }
        Json operator()(double number) const { return {{"as_float", floatJson(number)}}; }
        Json operator()(const std::string& text) const { return {{"as_string", text}}; }
        Json operator()(const std::vector<std::int64_t>& list) const { return {{"as_ints", list}}; }
        Json operator()(const std::vector<double>& list) const
        {
            Json numbers = Json::array();
            for (const double number : list)
                numbers.push_back(floatJson(number));
            return {{"as_floats", std::move(numbers)}};
        }
        Json operator()(DType dtype) const { return {{"as_scalar_type", scalarTypeOf(dtype)}}; }
    };
    return std::visit(Visitor{*this}, argument);
}

Json ProgramDocument::inputSpec(ValueId id) const
{
    const Value& value = m_graph.value(id);
    const Json place = named(nameOf(id));
    switch (value.kind) {
    case ValueKind::Weight:
        return {{"parameter", {{"arg", place}, {"parameter_name", value.name}}}};
    case ValueKind::State:
        return {{"buffer", {{"arg", place}, {"buffer_name", value.name}, {"persistent", true}}}};
    case ValueKind::Constant:
        if (m_constantsAsBuffers)
            return {
                {"buffer", {{"arg", place}, {"buffer_name", nameOf(id)}, {"persistent", false}}}};
        return {{"tensor_constant", {{"arg", place}, {"tensor_constant_name", nameOf(id)}}}};
    case ValueKind::Input:
    case ValueKind::Intermediate:
        break;
    }
    return {{"user_input", {{"arg", asTensor(nameOf(id))}}}};
}

Json ProgramDocument::signature() const
{
    Json inputs = Json::array();
    for (const ValueId id : placeholders())
        inputs.push_back(inputSpec(id));
    Json outputs = Json::array();
    for (const ValueId id : m_graph.outputs)
        outputs.push_back({{"user_output", {{"arg", asTensor(nameOf(id))}}}});
    return {{"input_specs", std::move(inputs)}, {"output_specs", std::move(outputs)}};
}

// How arguments and results are nested, in the words of torch.utils._pytree.
Json ProgramDocument::rootCall() const
{
    const Json leaf{{"type", nullptr}, {"context", nullptr}, {"children_spec", Json::array()}};
    const auto tuple = [](std::vector<Json> children) {
        return Json{{"type", "builtins.tuple"},
                    {"context", "null"},
                    {"children_spec", std::move(children)}};
    };
    const Json noKeywords{
        {"type", "builtins.dict"}, {"context", "[]"}, {"children_spec", Json::array()}};
    const Json arguments =
        tuple({tuple(std::vector<Json>(m_graph.inputs.size(), leaf)), noKeywords});
    const Json results =
        m_graph.outputs.size() == 1 ? leaf : tuple(std::vector<Json>(m_graph.outputs.size(), leaf));
    Json names = Json::array();
    for (const ValueId id : m_graph.inputs)
        names.push_back(nameOf(id));
    return {{"fqn", ""},
            {"signature",
             {{"inputs", Json::array()},
              {"outputs", Json::array()},
              {"in_spec", jsonText(Json::array({1, arguments}))},
              {"out_spec", jsonText(Json::array({1, results}))},
              {"forward_arg_names", std::move(names)}}}};
}

}  // namespace qs::core::exported
