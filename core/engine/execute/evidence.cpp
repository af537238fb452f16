#include "core/engine/execute/evidence.h"

#include "core/base/format.h"

#include <variant>

namespace qs::engine {

namespace {

using core::Scheme;

// The product that a layer under this scheme shows in the counts.
std::string expectedProduct(Scheme scheme, core::DType working, bool scaledMatmul)
{
    switch (scheme) {
    case Scheme::Int8Dq:
        return "aten::_int_mm:int32";
    case Scheme::Int8Wo:
        return "aten::mm:" + std::string(core::name(working));
    case Scheme::Float8DqTensor:
    case Scheme::Float8DqRow:
        return scaledMatmul ? "aten::_scaled_mm:" + std::string(core::name(working))
                            : "aten::linear:float32";
    case Scheme::Bf16Autocast:
        return "aten::linear:bfloat16";
    default:
        return "aten::linear:" + std::string(core::name(working));
    }
}

bool usesScaledMatmul(const core::Graph& graph)
{
    for (const core::Node& node : graph.nodes) {
        if (node.operation->name == "aten::_scaled_mm")
            return true;
    }
    return false;
}

double literal(const core::Node& node, std::string_view argument)
{
    const core::Argument* value = node.find(argument);
    const double* number = value == nullptr ? nullptr : std::get_if<double>(value);
    return number == nullptr ? 0.0 : *number;
}

// The divisor and the limits that a stage quantizes with on the fly, as they stand in the program:
// "absmax / 127.5, codes -128 … 127". Empty if it does not.
std::string quantizerOf(const core::Graph& graph)
{
    const core::Node* divided = nullptr;
    for (const core::Node& node : graph.nodes) {
        if (node.operation->name == "aten::div.Scalar")
            divided = &node;
        if (node.operation->name == "aten::clamp" && divided != nullptr &&
            divided->module == node.module)
            return "absmax / " + core::formatExact(literal(*divided, "other")) + ", codes " +
                   core::formatExact(literal(node, "min")) + " … " +
                   core::formatExact(literal(node, "max"));
    }
    return {};
}

void addQuantizer(core::Scheme scheme, const core::Graph& graph, std::string& text)
{
    if (!core::quantizesWeights(scheme))
        return;
    const std::string rule = quantizerOf(graph);
    const std::string whole = std::string(core::name(scheme)) + ": " + rule;
    if (!rule.empty() && text.find(whole) == std::string::npos)
        text += (text.empty() ? "" : "; ") + whole;
}

}  // namespace

void describeExecution(const core::Program& program, const core::Recipe& recipe,
                       const OperationCounts& counts, core::CellResult& result)
{
    std::map<std::string, int> all;
    for (std::size_t stage = 0; stage < program.stages.size(); ++stage) {
        const core::StageProgram& stageProgram = program.stages[stage];
        const bool scaled = usesScaledMatmul(stageProgram.graph);
        std::map<std::string, int> expected;
        int matched = 0;
        int layers = 0;
        for (const core::LayerRow& row : program.layers) {
            if (row.stage != stage)
                continue;
            ++layers;
            // A filter leaves nothing out where there is no other type to run in.
            matched += row.scheme == recipe[stage].scheme ? 1 : 0;
            ++expected[expectedProduct(row.scheme, stageProgram.workingType, scaled)];
        }
        std::string mismatch;
        for (const auto& [product, count] : expected) {
            const auto found = counts.at(stage).find(product);
            const int ran = found == counts.at(stage).end() ? 0 : found->second;
            if (ran != count)
                mismatch += " expected " + std::to_string(count) + " x " + product + ", ran " +
                            std::to_string(ran) + ";";
        }
        addQuantizer(recipe[stage].scheme, stageProgram.graph, result.quantizer);
        result.executed += result.executed.empty() ? "" : ", ";
        result.executed += (mismatch.empty() ? "" : "MISMATCH" + mismatch + " ") +
                           stageProgram.name + " " + std::string(core::name(recipe[stage].scheme)) +
                           " " + std::to_string(matched) + "/" + std::to_string(layers) + " layers";
        for (const auto& [product, count] : counts.at(stage))
            all[product] += count;
    }
    for (const auto& [product, count] : all)
        result.operations.push_back(product + " x" + std::to_string(count));
    result.notes = program.notes;
}

}  // namespace qs::engine
