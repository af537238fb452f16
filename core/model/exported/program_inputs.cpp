#include "core/model/exported/program_inputs.h"

#include "core/graph/exported/schema.h"

#include <algorithm>
#include <array>
#include <set>

namespace qs::core::exported {

namespace {

constexpr std::string_view kHeight = "height";
constexpr std::string_view kWidth = "width";
constexpr std::string_view kTokens = "tokens";
constexpr std::array<std::string_view, 2> kFurther{"size_1", "size_2"};
constexpr std::int64_t kFallback = 64;

struct UserInput {
    std::string name;
    const TensorDescription* tensor;
    std::optional<DType> dtype;
};

std::vector<UserInput> userInputs(const ExportedProgram& program)
{
    std::vector<UserInput> inputs;
    for (const ProgramInput& input : program.inputs) {
        const auto found = program.graph.tensors.find(input.name);
        if (input.role == InputRole::User && found != program.graph.tensors.end())
            inputs.push_back({input.name, &found->second, dtypeOf(found->second.scalarType)});
    }
    return inputs;
}

bool isReal(const UserInput& input)
{
    return input.dtype && isFloating(*input.dtype);
}

std::optional<std::int64_t> fixedExtent(const TensorDescription& tensor, std::size_t dimension)
{
    if (dimension >= tensor.sizes.size())
        return std::nullopt;
    const auto value = tensor.sizes[dimension].evaluate({});
    return value.ok() ? std::optional(value.value()) : std::nullopt;
}

bool isImage(const UserInput& input)
{
    return isReal(input) && input.tensor->sizes.size() == 4 && fixedExtent(*input.tensor, 1) == 3;
}

// The batch is the first dimension of the first input that has several.
void findBatch(const std::vector<UserInput>& inputs, ProgramSizes& sizes)
{
    for (const UserInput& input : inputs) {
        if (input.tensor->sizes.size() < 2)
            continue;
        sizes.batchSymbol = input.tensor->sizes.front().symbol();
        sizes.fixedBatch = fixedExtent(*input.tensor, 0).value_or(1);
        return;
    }
}

// What the size of that dimension is called, of names that are not taken.
std::string nameOf(const UserInput& input, std::size_t dimension, const ProgramSizes& sizes)
{
    const std::size_t rank = input.tensor->sizes.size();
    const auto isFree = [&](std::string_view name) {
        return !sizes.symbols.contains(std::string(name));
    };
    std::string_view wish;
    if (isReal(input) && rank == 4 && dimension >= 2) {
        const auto& extents = input.tensor->sizes;
        const bool square =
            !extents[2].symbol().empty() && extents[2].symbol() == extents[3].symbol();
        wish = square ? kImageSize : dimension == 2 ? kHeight : kWidth;
    } else if (rank <= 3 && dimension == 1) {
        wish = kTokens;
    }
    if (!wish.empty() && isFree(wish))
        return std::string(wish);
    const auto further = std::find_if(kFurther.begin(), kFurther.end(), isFree);
    return further == kFurther.end() ? std::string() : std::string(*further);
}

// Bounds beyond which nobody goes are none.
void setRange(const ExportedProgram& program, const std::string& symbol, std::int64_t& least,
              std::int64_t& largest)
{
    constexpr std::int64_t kNoBound = std::int64_t{1} << 31U;
    const auto found = program.ranges.find(symbol);
    least = found == program.ranges.end() ? 1 : std::max<std::int64_t>(found->second.lowest, 1);
    largest = found == program.ranges.end() || found->second.highest >= kNoBound
                  ? 0
                  : found->second.highest;
}

Status nameSymbols(const ExportedProgram& program, const std::vector<UserInput>& inputs,
                   ProgramSizes& sizes)
{
    std::set<std::string> known{sizes.batchSymbol};
    for (const UserInput& input : inputs) {
        for (std::size_t i = 0; i < input.tensor->sizes.size(); ++i) {
            std::set<std::string> symbols;
            input.tensor->sizes[i].addSymbols(symbols);
            for (const std::string& symbol : symbols) {
                if (!known.insert(symbol).second)
                    continue;
                const std::string name = nameOf(input, i, sizes);
                if (name.empty())
                    return Error{ErrorCode::Unsupported,
                                 "has more free sizes than there are names for here; fix some "
                                 "of them at the export"};
                sizes.symbols.emplace(name, symbol);
                const auto example = program.examples.find(symbol);
                for (SizeSpec spec : sizeSpecs()) {
                    if (spec.name != name)
                        continue;
                    if (example != program.examples.end())
                        spec.fallback = example->second;
                    // The structure of the graph is seen at the sizes that it was exported with.
                    spec.smallest = spec.fallback;
                    setRange(program, symbol, spec.least.emplace(), spec.largest);
                    sizes.workload.sizes.push_back(std::move(spec));
                }
            }
        }
    }
    return {};
}

// Of the operations that give the values of a tensor as they are, perhaps fewer of them.
bool onlyMoves(std::string_view target)
{
    constexpr std::array kMoves{"view",     "reshape",   "slice",      "select",  "unsqueeze",
                                "squeeze",  "flatten",   "transpose",  "permute", "expand",
                                "to",       "clone",     "contiguous", "alias",   "detach",
                                "_to_copy", "unflatten", "t"};
    constexpr std::string_view kNamespace = "torch.ops.aten.";
    if (!target.starts_with(kNamespace))
        return false;
    target.remove_prefix(kNamespace.size());
    const std::string_view name = target.substr(0, target.find('.'));
    return std::find(kMoves.begin(), kMoves.end(), name) != kMoves.end();
}

// Names of tensors that hold an input's values and nothing else.
std::set<std::string> copiesOf(const std::string& input, const ProgramGraph& graph)
{
    std::set<std::string> copies{input};
    for (const ProgramNode& node : graph.nodes) {
        const auto* self = node.find("self");
        const auto* tensor = self == nullptr ? nullptr : std::get_if<TensorName>(self);
        if (tensor == nullptr || !copies.contains(tensor->name))
            continue;
        const auto others = std::count_if(node.arguments.begin(), node.arguments.end(),
                                          [](const NamedProgramArgument& each) {
                                              return std::holds_alternative<TensorName>(each.value);
                                          });
        if (others == 1 && onlyMoves(node.target))
            copies.insert(node.outputs.begin(), node.outputs.end());
    }
    return copies;
}

// Whole numbers look rows up, whose number is the least that any table has; nothing: they do not.
std::optional<std::int64_t> rowsOfTables(const std::string& input, const ProgramGraph& graph)
{
    const std::set<std::string> copies = copiesOf(input, graph);
    std::optional<std::int64_t> rows;
    for (const ProgramNode& node : graph.nodes) {
        if (node.target != "torch.ops.aten.embedding.default")
            continue;
        const auto* indices = node.find("indices");
        const auto* weight = node.find("weight");
        if (indices == nullptr || weight == nullptr)
            continue;
        const auto* read = std::get_if<TensorName>(indices);
        const auto* table = std::get_if<TensorName>(weight);
        if (read == nullptr || table == nullptr || !copies.contains(read->name))
            continue;
        const auto found = graph.tensors.find(table->name);
        const auto extent =
            found == graph.tensors.end() ? std::nullopt : fixedExtent(found->second, 0);
        if (extent)
            rows = std::min(rows.value_or(*extent), *extent);
    }
    return rows;
}

void describeInputs(const ExportedProgram& program, const std::vector<UserInput>& inputs,
                    ProgramSizes& sizes)
{
    for (const UserInput& input : inputs) {
        InputSpec spec{.name = input.name, .whole = !isReal(input)};
        const auto& extents = input.tensor->sizes;
        spec.batched = !extents.empty() && (sizes.batchSymbol.empty()
                                                ? fixedExtent(*input.tensor, 0) == sizes.fixedBatch
                                                : extents.front().symbol() == sizes.batchSymbol);
        if (spec.whole) {
            const auto rows = rowsOfTables(input.name, program.graph);
            spec.lowest = 0.0;
            spec.highest = rows ? static_cast<double>(*rows - 1) : 1.0;  // flags
            spec.indices = rows.has_value();
        }
        sizes.workload.inputs.push_back(std::move(spec));
    }
    if (!inputs.empty() && isImage(inputs.front()))
        sizes.workload.unit = WorkUnit::Image;
}

// Names are those of core/graph/exported/concrete_graph.h: "output", or "output_0", "output_1" …
void describeOutputs(const ExportedProgram& program, const std::vector<UserInput>& inputs,
                     ProgramSizes& sizes)
{
    std::vector<const TensorDescription*> tensors;
    for (const ProgramOutput& output : program.outputs) {
        const auto* tensor = std::get_if<TensorName>(&output.value);
        const auto found = tensor == nullptr ? program.graph.tensors.end()
                                             : program.graph.tensors.find(tensor->name);
        if (output.user && found != program.graph.tensors.end())
            tensors.push_back(&found->second);
    }
    const bool words = !inputs.empty() && !isReal(inputs.front());
    const bool images = !inputs.empty() && isImage(inputs.front());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        OutputSpec spec{tensors.size() == 1 ? "output" : "output_" + std::to_string(i)};
        const auto dtype = dtypeOf(tensors[i]->scalarType);
        const bool real = dtype && isFloating(*dtype);
        if (real && words && tensors[i]->sizes.size() == 3)
            spec.kind = OutputKind::Logits;
        else if (real && images && tensors[i]->sizes.size() == 2)
            spec.kind = OutputKind::Classes;
        if (real && sizes.workload.judged.empty())
            sizes.workload.judged = spec.name;
        sizes.workload.outputs.push_back(std::move(spec));
    }
    if (sizes.workload.judged.empty() && !tensors.empty())
        sizes.workload.judged = sizes.workload.outputs.front().name;
}

}  // namespace

std::vector<SizeSpec> sizeSpecs()
{
    std::vector<SizeSpec> specs{
        {std::string(kImageSize), "Pixels a side", "px", 224, 1},
        {std::string(kHeight), "Rows of pixels", "px high", 224, 1},
        {std::string(kWidth), "Columns of pixels", "px wide", 224, 1},
        {std::string(kTokens), "Entries of a sequence", "tokens", kFallback, 1},
    };
    for (const std::string_view name : kFurther)
        specs.push_back({std::string(name), "A free size of an exported program", std::string(name),
                         kFallback, 1});
    return specs;
}

std::map<std::string, std::vector<std::string>> inputDimensions(const ExportedProgram& program,
                                                                const ProgramSizes& sizes)
{
    std::map<std::string, std::vector<std::string>> dimensions;
    for (const UserInput& input : userInputs(program)) {
        std::vector<std::string>& names = dimensions[input.name];
        for (const SizeExpression& extent : input.tensor->sizes) {
            const std::string symbol = extent.symbol();
            const auto found =
                std::find_if(sizes.symbols.begin(), sizes.symbols.end(),
                             [&](const auto& each) { return each.second == symbol; });
            if (symbol.empty())
                names.emplace_back();
            else if (symbol == sizes.batchSymbol)
                names.emplace_back("batch");
            else
                names.push_back(found == sizes.symbols.end() ? std::string() : found->first);
        }
    }
    return dimensions;
}

std::string freeBatchLine(const ProgramSizes& sizes)
{
    std::string text = "torch.export.export(model, args, dynamic_shapes={";
    bool first = true;
    for (const InputSpec& input : sizes.workload.inputs) {
        text += (first ? "\"" : ", \"") + input.name + "\": ";
        text += input.batched ? "{0: torch.export.Dim(\"batch\", min=1, max=1024)}" : "None";
        first = false;
    }
    return text + "})";
}

SymbolValues ProgramSizes::at(const ShapePoint& point) const
{
    SymbolValues values;
    if (!batchSymbol.empty())
        values.emplace(batchSymbol, point.batch);
    for (const auto& [name, symbol] : symbols)
        values.emplace(symbol, point.sizes.find(name).value_or(1));
    return values;
}

Result<ProgramSizes> programSizes(const ExportedProgram& program)
{
    const std::vector<UserInput> inputs = userInputs(program);
    if (inputs.empty())
        return Error{ErrorCode::Unsupported, "has no input that is a tensor"};
    ProgramSizes sizes;
    findBatch(inputs, sizes);
    QS_RETURN_IF_ERROR(nameSymbols(program, inputs, sizes));
    BatchRange& batches = sizes.workload.batches;
    if (sizes.batchSymbol.empty())
        batches = {sizes.fixedBatch, sizes.fixedBatch};
    else
        setRange(program, sizes.batchSymbol, batches.lowest, batches.highest);
    describeInputs(program, inputs, sizes);
    describeOutputs(program, inputs, sizes);
    if (sizes.workload.outputs.empty())
        return Error{ErrorCode::Unsupported, "gives no tensor"};
    return sizes;
}

}  // namespace qs::core::exported
