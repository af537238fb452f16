#include "core/engine/execute/evidence.h"

#include "core/lower/eager_stage.h"

namespace qs::engine {

namespace {

// Of an integer convolution that multiplies matrices one for each group; of all others 1.
int productsPerCall(const core::Graph& graph, const core::LayerRow& row,
                    const core::Product& product)
{
    if (row.kind != core::LayerKind::Convolution || !row.scheme->convolutionProduct ||
        product.operation == core::kInt8Convolution)
        return 1;
    for (const core::Node& node : graph.nodes) {
        const core::ValueId weight = node.tensor("weight");
        const core::Argument* groups = node.find("groups");
        if (groups != nullptr && weight >= 0 && graph.value(weight).name == row.weight)
            return static_cast<int>(std::get<std::int64_t>(*groups));
    }
    return 1;
}

// What the layers of a stage ask for.
ProductCounts expectedProducts(const core::Program& program, std::size_t stage,
                               const core::DeviceDescription& device)
{
    ProductCounts expected;
    const core::DeviceDescription kernels =
        core::runsByOperation(program.stages[stage]) ? device : core::withoutKernels(device);
    for (const core::LayerRow& row : program.layers) {
        if (row.stage != stage)
            continue;
        const core::Product product = core::productOf(row.scheme, row.kind, kernels);
        expected[product] += static_cast<int>(row.calls) *
                             productsPerCall(program.stages[stage].graph, row, product);
    }
    return expected;
}

std::vector<core::ExecutedProduct> against(const ProductCounts& expected, const ProductCounts& ran)
{
    std::vector<core::ExecutedProduct> products;
    for (const auto& [product, count] : ran) {
        const auto asked = expected.find(product);
        products.push_back({product.operation, product.type, count,
                            asked == expected.end() ? std::nullopt : std::optional(asked->second)});
    }
    for (const auto& [product, count] : expected) {
        if (!ran.contains(product))
            products.push_back({product.operation, product.type, 0, count});
    }
    return products;
}

}  // namespace

std::vector<core::ExecutedStage> executedStages(const core::Program& program,
                                                const core::Recipe& recipe,
                                                const core::DeviceDescription& device,
                                                const std::vector<ProductCounts>& counts)
{
    std::vector<core::ExecutedStage> executed;
    for (std::size_t i = 0; i < program.stages.size(); ++i) {
        const core::Scheme& scheme = recipe[i].scheme;
        core::ExecutedStage stage{
            .stage = program.stages[i].name,
            .scheme = scheme.text(),
            .activationRule =
                scheme->activationRule ? scheme->activationRule(scheme) : std::string(),
            .products = against(expectedProducts(program, i, device), counts.at(i))};
        for (const core::LayerRow& row : program.layers) {
            if (row.stage != i)
                continue;
            ++stage.layers;
            // A filter leaves nothing out where there is no other type to run in.
            stage.matched += row.scheme == scheme ? 1 : 0;
        }
        executed.push_back(std::move(stage));
    }
    return executed;
}

}  // namespace qs::engine
