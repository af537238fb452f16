#include "core/engine/execute/evidence.h"

namespace qs::engine {

namespace {

std::string textOf(const core::Product& product)
{
    return product.operation + ":" + std::string(core::name(product.type));
}

// How activations are quantized on the fly, once for each scheme.
void addQuantizer(const core::Scheme& scheme, std::string& text)
{
    const std::string whole = scheme.text() + ": " + scheme->activationRule;
    if (!scheme->activationRule.empty() && text.find(whole) == std::string::npos)
        text += (text.empty() ? "" : "; ") + whole;
}

}  // namespace

void describeExecution(const core::Program& program, const core::Recipe& recipe,
                       const core::DeviceDescription& device,
                       const std::vector<ProductCounts>& counts, core::CellResult& result)
{
    ProductCounts all;
    for (std::size_t stage = 0; stage < program.stages.size(); ++stage) {
        const core::StageProgram& stageProgram = program.stages[stage];
        ProductCounts expected;
        int matched = 0;
        int layers = 0;
        for (const core::LayerRow& row : program.layers) {
            if (row.stage != stage)
                continue;
            ++layers;
            // A filter leaves nothing out where there is no other type to run in.
            matched += row.scheme == recipe[stage].scheme ? 1 : 0;
            expected[core::productOf(row.scheme, row.kind, device)] += static_cast<int>(row.calls);
        }
        std::string mismatch;
        for (const auto& [product, count] : expected) {
            const auto found = counts.at(stage).find(product);
            const int ran = found == counts.at(stage).end() ? 0 : found->second;
            if (ran != count)
                mismatch += " expected " + std::to_string(count) + " x " + textOf(product) +
                            ", ran " + std::to_string(ran) + ";";
        }
        addQuantizer(recipe[stage].scheme, result.quantizer);
        result.executed += result.executed.empty() ? "" : ", ";
        result.executed += (mismatch.empty() ? "" : "MISMATCH" + mismatch + " ") +
                           stageProgram.name + " " + recipe[stage].scheme.text() + " " +
                           std::to_string(matched) + "/" + std::to_string(layers) + " layers";
        for (const auto& [product, count] : counts.at(stage))
            all[product] += count;
    }
    for (const auto& [product, count] : all)
        result.operations.push_back(textOf(product) + " x" + std::to_string(count));
}

}  // namespace qs::engine
