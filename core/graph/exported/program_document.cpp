#include "core/graph/exported/program_document.h"

#include "core/base/json.h"
#include "core/graph/exported/schema.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace qs::core::exported {

namespace {

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

Json deviceJson(std::string_view device)
{
    return {{"type", device}, {"index", nullptr}};
}

// What depends on symbols comes with its value in the example that the export was made with.
Json sizeJson(const SizeExpression& size, const SymbolValues& examples)
{
    if (const auto number = size.evaluate({}); number.ok())
        return {{"as_int", number.value()}};
    const auto example = size.evaluate(examples);
    const Json hint = example.ok() ? Json{{"as_int", example.value()}} : Json(nullptr);
    return {{"as_expr", {{"expr_str", size.text()}, {"hint", hint}}}};
}

// Strides of a row-major tensor; those before a size that is not known have that size in them.
Json denseStrides(const std::vector<SizeExpression>& sizes, const SymbolValues& examples)
{
    Json strides = Json::array();
    SizeExpression stride(1);
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
        strides.insert(strides.begin(), sizeJson(stride, examples));
        const auto number = size->evaluate({});
        stride = number.ok() && number.value() == 0 ? stride : stride.times(*size);
    }
    return strides;
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

struct ArgumentVisitor {
    std::string_view device;

    Json operator()(std::monostate) const { return {{"as_none", true}}; }
    Json operator()(const TensorName& tensor) const { return asTensor(tensor.name); }
    Json operator()(const TensorNames& tensors) const
    {
        const bool some = std::any_of(tensors.begin(), tensors.end(),
                                      [](const std::string& name) { return name.empty(); });
        Json list = Json::array();
        for (const std::string& name : tensors)
            list.push_back(!some          ? named(name)
                           : name.empty() ? Json{{"as_none", true}}
                                          : asTensor(name));
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
    Json operator()(const std::vector<Whole>& list) const
    {
        Json numbers = Json::array();
        for (const Whole& each : list) {
            const auto* number = std::get_if<std::int64_t>(&each);
            numbers.push_back(number != nullptr
                                  ? Json{{"as_int", *number}}
                                  : Json{{"as_name", std::get<NumberName>(each).name}});
        }
        return {{"as_sym_ints", std::move(numbers)}};
    }
    Json operator()(const NumberName& number) const
    {
        return {{"as_sym_int", {{"as_name", number.name}}}};
    }
    Json operator()(ScalarType type) const { return {{"as_scalar_type", type.number}}; }
    Json operator()(MemoryFormat format) const { return {{"as_memory_format", format.number}}; }
    Json operator()(Placement) const { return {{"as_device", deviceJson(device)}}; }
    // Kinds that no program of ours has.
    Json operator()(const ForeignArgument&) const { return {{"as_none", true}}; }
    Json operator()(const std::shared_ptr<const ProgramGraph>&) const
    {
        return {{"as_none", true}};
    }
};

Json nodeJson(const ProgramNode& node, const ProgramGraph& graph, std::string_view device)
{
    // Without the kind of an argument, the loader passes it as the operation's schema says.
    Json inputs = Json::array();
    for (const NamedProgramArgument& each : node.arguments)
        inputs.push_back(
            {{"name", each.name}, {"arg", std::visit(ArgumentVisitor{device}, each.value)}});
    Json outputs = Json::array();
    for (const std::string& name : node.outputs) {
        if (node.returnsList)
            outputs.push_back(named(name));
        else if (graph.numbers.contains(name))
            outputs.push_back({{"as_sym_int", {{"as_name", name}}}});
        else
            outputs.push_back(asTensor(name));
    }
    if (node.returnsList)
        outputs = Json::array({{{"as_tensors", std::move(outputs)}}});
    return {{"target", node.target},
            {"inputs", std::move(inputs)},
            {"outputs", std::move(outputs)},
            {"metadata", {{"nn_module_stack", moduleStack(node.module)}}}};
}

Json metaJson(const TensorDescription& type, std::string_view device, const SymbolValues& examples)
{
    Json sizes = Json::array();
    for (const SizeExpression& size : type.sizes)
        sizes.push_back(sizeJson(size, examples));
    return {{"dtype", type.scalarType},
            {"sizes", std::move(sizes)},
            {"requires_grad", false},
            {"device", deviceJson(device)},
            {"strides", denseStrides(type.sizes, examples)},
            {"storage_offset", {{"as_int", 0}}},
            {"layout", kStrided}};
}

Json graphJson(const ProgramGraph& graph, std::string_view device, const SymbolValues& examples)
{
    Json inputs = Json::array();
    for (const std::string& name : graph.inputs)
        inputs.push_back(asTensor(name));
    Json outputs = Json::array();
    for (const ProgramArgument& output : graph.outputs)
        outputs.push_back(std::visit(ArgumentVisitor{device}, output));
    Json nodes = Json::array();
    for (const ProgramNode& each : graph.nodes)
        nodes.push_back(nodeJson(each, graph, device));
    Json types = Json::object();
    for (const auto& [name, type] : graph.tensors)
        types[name] = metaJson(type, device, examples);
    Json numbers = Json::object();
    for (const auto& [name, number] : graph.numbers)
        numbers[name] = sizeJson(number, examples);
    return {{"inputs", std::move(inputs)},
            {"outputs", std::move(outputs)},
            {"nodes", std::move(nodes)},
            {"tensor_values", std::move(types)},
            {"sym_int_values", std::move(numbers)},
            {"sym_bool_values", Json::object()},
            {"is_single_tensor_return", false}};
}

Json inputSpec(const ProgramInput& input)
{
    const Json place = named(input.name);
    switch (input.role) {
    case InputRole::Parameter:
        return {{"parameter", {{"arg", place}, {"parameter_name", input.target}}}};
    case InputRole::Buffer:
        return {
            {"buffer",
             {{"arg", place}, {"buffer_name", input.target}, {"persistent", input.persistent}}}};
    case InputRole::Constant:
        return {{"tensor_constant", {{"arg", place}, {"tensor_constant_name", input.target}}}};
    case InputRole::User:
    case InputRole::UserConstant:
        break;
    }
    return {{"user_input", {{"arg", asTensor(input.name)}}}};
}

Json signature(const ExportedProgram& program)
{
    Json inputs = Json::array();
    for (const ProgramInput& input : program.inputs)
        inputs.push_back(inputSpec(input));
    Json outputs = Json::array();
    for (const ProgramOutput& output : program.outputs)
        outputs.push_back(
            {{"user_output", {{"arg", std::visit(ArgumentVisitor{}, output.value)}}}});
    return {{"input_specs", std::move(inputs)}, {"output_specs", std::move(outputs)}};
}

// How arguments and results are nested, in the words of torch.utils._pytree.
Json rootCall(const ExportedProgram& program)
{
    const Json leaf{{"type", nullptr}, {"context", nullptr}, {"children_spec", Json::array()}};
    const auto tuple = [](std::vector<Json> children) {
        return Json{{"type", "builtins.tuple"},
                    {"context", "null"},
                    {"children_spec", std::move(children)}};
    };
    const Json noKeywords{
        {"type", "builtins.dict"}, {"context", "[]"}, {"children_spec", Json::array()}};
    Json names = Json::array();
    for (const ProgramInput& input : program.inputs) {
        if (input.role == InputRole::User)
            names.push_back(input.name);
    }
    const Json arguments = tuple({tuple(std::vector<Json>(names.size(), leaf)), noKeywords});
    const Json results =
        program.outputs.size() == 1 ? leaf : tuple(std::vector<Json>(program.outputs.size(), leaf));
    return {{"fqn", ""},
            {"signature",
             {{"inputs", Json::array()},
              {"outputs", Json::array()},
              {"in_spec", jsonText(Json::array({1, arguments}))},
              {"out_spec", jsonText(Json::array({1, results}))},
              {"forward_arg_names", std::move(names)}}}};
}

Json rangesJson(const ExportedProgram& program)
{
    Json ranges = Json::object();
    for (const auto& [symbol, range] : program.ranges)
        ranges[symbol] = {{"min_val", range.lowest}, {"max_val", range.highest}};
    return ranges;
}

}  // namespace

Json tensorMeta(const TensorDescription& type, std::string_view device)
{
    return metaJson(type, device, {});
}

Json programJson(const ExportedProgram& program, std::string_view device)
{
    return {{"graph_module",
             {{"graph", graphJson(program.graph, device, program.examples)},
              {"signature", signature(program)},
              {"module_call_graph", Json::array({rootCall(program)})},
              {"metadata", Json::object()}}},
            {"opset_version", {{"aten", 10}}},
            {"range_constraints", rangesJson(program)},
            {"schema_version", {{"major", kSchemaMajor}, {"minor", kSchemaMinor}}},
            // The dialect that has operations in place.
            {"verifiers", {"TRAINING"}},
            {"torch_version", program.torchVersion}};
}

}  // namespace qs::core::exported
