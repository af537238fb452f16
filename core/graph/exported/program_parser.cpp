#include "core/graph/exported/program_parser.h"

#include "core/base/clean_text.h"
#include "core/base/excerpt.h"
#include "core/graph/exported/program_arguments.h"
#include "core/graph/exported/schema.h"

#include <array>

namespace qs::core::exported {

namespace {

constexpr std::size_t kMostGraphs = 1000;
constexpr std::size_t kMostDepth = 16;  // of graphs inside graphs

Error missing(std::string_view what)
{
    return {ErrorCode::Format, "models/model.json lacks " + std::string(what)};
}

Result<JsonView> member(const JsonView& json, std::string_view name)
{
    const auto found = json.member(name);
    if (!found)
        return missing(name);
    return *found;
}

Result<std::string> text(const JsonView& json, std::string_view name)
{
    const auto found = json.member(name);
    const auto words = found ? found->text() : std::nullopt;
    if (!words)
        return missing(name);
    return cleanLine(*words);
}

// Calls act(value) for each element until one is refused.
template <typename Act>
Status forEach(const JsonView& list, Act&& act)
{
    if (!list.isList())
        return Error{ErrorCode::Format, "expected a list of inputs, outputs, nodes or sizes"};
    Status status;
    list.forEachItem([&](const JsonView& item) {
        if (status.ok())
            status = act(item);
    });
    return status;
}

// The last entry of "key,path,type;key,path,type": the module that the call stands in.
std::string modulePath(const JsonView& node)
{
    const auto metadata = node.member("metadata");
    const auto stack = metadata ? metadata->member("nn_module_stack") : std::nullopt;
    const auto words = stack ? stack->text() : std::nullopt;
    if (!words)
        return {};
    const std::string_view entry = words->substr(words->rfind(';') + 1);
    const auto begin = entry.find(',');
    if (begin == std::string_view::npos)
        return {};
    std::string path = cleanLine(entry.substr(begin + 1, entry.find(',', begin + 1) - begin - 1));
    return path.starts_with("_empty_nn_module_stack") ? std::string() : path;
}

class GraphParser final
{
public:
    Result<ProgramGraph> parse(const JsonView& json, std::size_t depth)
    {
        if (depth > kMostDepth || ++m_graphs > kMostGraphs)
            return Error{ErrorCode::Format, "graphs are nested too deeply, or too many"};
        ProgramGraph graph;
        QS_TRY(const JsonView inputs, member(json, "inputs"));
        QS_RETURN_IF_ERROR(forEach(inputs, [&](const JsonView& each) -> Status {
            QS_TRY(const ProgramArgument input, parseArgument(each, nested(depth)));
            const auto* tensor = std::get_if<TensorName>(&input);
            const auto* number = std::get_if<NumberName>(&input);
            graph.inputs.push_back(tensor != nullptr   ? tensor->name
                                   : number != nullptr ? number->name
                                                       : std::string());
            return {};
        }));
        QS_TRY(const JsonView outputs, member(json, "outputs"));
        QS_RETURN_IF_ERROR(forEach(outputs, [&](const JsonView& each) -> Status {
            QS_TRY(ProgramArgument output, parseArgument(each, nested(depth)));
            graph.outputs.push_back(std::move(output));
            return {};
        }));
        QS_TRY(const JsonView nodes, member(json, "nodes"));
        QS_RETURN_IF_ERROR(forEach(nodes, [&](const JsonView& each) -> Status {
            QS_TRY(ProgramNode node, parseNode(each, depth));
            graph.nodes.push_back(std::move(node));
            return {};
        }));
        QS_RETURN_IF_ERROR(parseTensors(json, graph));
        return graph;
    }

    [[nodiscard]] const SymbolValues& examples() const { return m_examples; }

private:
    GraphReader nested(std::size_t depth)
    {
        return [this, depth](const JsonView& json) { return parse(json, depth + 1); };
    }

    Result<ProgramNode> parseNode(const JsonView& json, std::size_t depth)
    {
        ProgramNode node;
        QS_TRY(node.target, text(json, "target"));
        node.module = modulePath(json);
        QS_TRY(const JsonView inputs, member(json, "inputs"));
        QS_RETURN_IF_ERROR(forEach(inputs, [&](const JsonView& each) -> Status {
            NamedProgramArgument argument;
            QS_TRY(argument.name, text(each, "name"));
            QS_TRY(const JsonView value, member(each, "arg"));
            QS_TRY(argument.value, parseArgument(value, nested(depth)));
            node.arguments.push_back(std::move(argument));
            return {};
        }));
        QS_TRY(const JsonView outputs, member(json, "outputs"));
        QS_RETURN_IF_ERROR(forEach(outputs, [&](const JsonView& each) -> Status {
            QS_TRY(const ProgramArgument output, parseArgument(each, nested(depth)));
            addOutput(output, node.outputs);
            node.returnsList = std::holds_alternative<TensorNames>(output);
            return {};
        }));
        return node;
    }

    static void addOutput(const ProgramArgument& output, std::vector<std::string>& names)
    {
        if (const auto* tensor = std::get_if<TensorName>(&output))
            names.push_back(tensor->name);
        else if (const auto* tensors = std::get_if<TensorNames>(&output))
            names.insert(names.end(), tensors->begin(), tensors->end());
        else if (const auto* number = std::get_if<NumberName>(&output))
            names.push_back(number->name);
        else
            names.emplace_back();
    }

    Status parseTensors(const JsonView& json, ProgramGraph& graph)
    {
        QS_TRY(const JsonView tensors, member(json, "tensor_values"));
        Status status;
        tensors.forEachMember([&](std::string_view name, const JsonView& value) {
            if (!status.ok())
                return;
            auto description = parseDescription(value);
            if (description.ok())
                graph.tensors.emplace(cleanLine(name), std::move(description.value()));
            else
                status = description.error().within("tensor " + excerpt(cleanLine(name)));
        });
        return status;
    }

    Result<TensorDescription> parseDescription(const JsonView& json)
    {
        TensorDescription description;
        const auto dtype = json.member("dtype");
        const auto number = dtype ? dtype->wholeNumber() : std::nullopt;
        if (!number)
            return missing("dtype");
        description.scalarType = *number;
        QS_TRY(const JsonView sizes, member(json, "sizes"));
        QS_RETURN_IF_ERROR(forEach(sizes, [&](const JsonView& each) -> Status {
            // Only sizes of inputs have to be known: others are found when the graph is made.
            const auto read = parseSize(each);
            SizeExpression size = read.ok() ? read.value() : SizeExpression();
            if (const std::string symbol = size.symbol(); !symbol.empty())
                noteExample(symbol, each);
            description.sizes.push_back(std::move(size));
            return {};
        }));
        return description;
    }

    void noteExample(const std::string& symbol, const JsonView& size)
    {
        const auto expression = size.member("as_expr");
        const auto hint = expression ? expression->member("hint") : std::nullopt;
        const auto number = hint ? hint->member("as_int") : std::nullopt;
        if (number && number->wholeNumber())
            m_examples.emplace(symbol, *number->wholeNumber());
    }

    SymbolValues m_examples;
    std::size_t m_graphs = 0;
};

Result<ProgramInput> parseInput(const JsonView& json)
{
    struct Kind {
        std::string_view name;
        InputRole role;
        std::string_view target;
    };
    static constexpr std::array<Kind, 3> kKinds{
        {{"parameter", InputRole::Parameter, "parameter_name"},
         {"buffer", InputRole::Buffer, "buffer_name"},
         {"tensor_constant", InputRole::Constant, "tensor_constant_name"}}};
    ProgramInput input;
    for (const Kind& kind : kKinds) {
        const auto found = json.member(kind.name);
        if (!found)
            continue;
        input.role = kind.role;
        QS_TRY(const JsonView argument, member(*found, "arg"));
        QS_TRY(input.name, text(argument, "name"));
        QS_TRY(input.target, text(*found, kind.target));
        const auto persistent = found->member("persistent");
        input.persistent = !persistent || persistent->flag().value_or(true);
        return input;
    }
    if (const auto user = json.member("user_input")) {
        QS_TRY(const JsonView value, member(*user, "arg"));
        QS_TRY(const ProgramArgument argument, parseArgument(value, {}));
        const auto* tensor = std::get_if<TensorName>(&argument);
        if (tensor == nullptr && std::holds_alternative<NumberName>(argument))
            return Error{ErrorCode::Unsupported,
                         "an input of the program is a number: export it with that number as a "
                         "constant, or as a tensor"};
        input.role = tensor == nullptr ? InputRole::UserConstant : InputRole::User;
        input.name = tensor == nullptr ? std::string() : tensor->name;
        return input;
    }
    if (json.member("constant_input")) {
        input.role = InputRole::UserConstant;
        return input;
    }
    return Error{ErrorCode::Unsupported,
                 "an input of the program is an object of Python or a token of effects"};
}

Result<ProgramOutput> parseOutput(const JsonView& json)
{
    ProgramOutput output;
    if (const auto user = json.member("user_output")) {
        QS_TRY(const JsonView value, member(*user, "arg"));
        output.user = true;
        QS_TRY(output.value, parseArgument(value, {}));
        return output;
    }
    for (const char* mutation : {"buffer_mutation", "user_input_mutation", "parameter_mutation"}) {
        if (json.member(mutation))
            return output;
    }
    return Error{ErrorCode::Unsupported,
                 "an output of the program is a loss, a gradient or a token: export it for "
                 "inference"};
}

Status parseRanges(const JsonView& json, ExportedProgram& program)
{
    QS_TRY(const JsonView ranges, member(json, "range_constraints"));
    constexpr std::int64_t kMost = std::int64_t{1} << 31U;
    Status status;
    ranges.forEachMember([&](std::string_view name, const JsonView& range) {
        SymbolRange read{0, kMost};
        const auto bound = [&](std::string_view which, std::int64_t& value) {
            const auto found = range.member(which);
            const auto whole = found ? found->wholeNumber() : std::nullopt;
            value = std::clamp(whole.value_or(value), std::int64_t{0}, kMost);
            return !found || found->isNull() || whole.has_value();
        };
        const bool whole = bound("min_val", read.lowest) && bound("max_val", read.highest);
        if (status.ok() && (!whole || read.lowest > read.highest))
            status = Error{ErrorCode::Format,
                           "the range of " + cleanLine(name) + " is none of whole numbers"};
        program.ranges[cleanLine(name)] = read;
    });
    return status;
}

}  // namespace

Result<ExportedProgram> parseProgram(const JsonView& json)
{
    QS_TRY(const JsonView version, member(json, "schema_version"));
    const auto major = version.member("major");
    if (!major || major->wholeNumber() != kSchemaMajor)
        return Error{ErrorCode::Unsupported,
                     "is written in another version of the format of torch.export than 8: export "
                     "it again with torch 2.8 to 2.11"};
    ExportedProgram program;
    if (const auto torch = json.member("torch_version"))
        program.torchVersion = cleanLine(torch->text().value_or(""));
    QS_TRY(const JsonView module, member(json, "graph_module"));
    QS_TRY(const JsonView graph, member(module, "graph"));
    GraphParser parser;
    QS_TRY(program.graph, parser.parse(graph, 0));
    program.examples = parser.examples();
    QS_TRY(const JsonView signature, member(module, "signature"));
    QS_TRY(const JsonView inputs, member(signature, "input_specs"));
    QS_RETURN_IF_ERROR(forEach(inputs, [&](const JsonView& each) -> Status {
        QS_TRY(ProgramInput input, parseInput(each));
        program.inputs.push_back(std::move(input));
        return {};
    }));
    QS_TRY(const JsonView outputs, member(signature, "output_specs"));
    QS_RETURN_IF_ERROR(forEach(outputs, [&](const JsonView& each) -> Status {
        QS_TRY(ProgramOutput output, parseOutput(each));
        program.outputs.push_back(std::move(output));
        return {};
    }));
    QS_RETURN_IF_ERROR(parseRanges(json, program));
    return program;
}

Result<std::vector<std::int64_t>> plainSizes(const JsonView& list)
{
    std::vector<std::int64_t> sizes;
    QS_RETURN_IF_ERROR(forEach(list, [&](const JsonView& each) -> Status {
        QS_TRY(const SizeExpression size, parseSize(each));
        QS_TRY(const std::int64_t value, size.evaluate({}));
        sizes.push_back(value);
        return {};
    }));
    return sizes;
}

}  // namespace qs::core::exported
