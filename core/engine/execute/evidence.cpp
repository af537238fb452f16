#include "core/engine/execute/evidence.h"

#include "core/lower/eager_stage.h"

#include <algorithm>
#include <utility>

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

// A compiler calls the product of two matrices alike whether one of them was turned before it or
// for it: what a stage multiplies is a linear layer there, see compiled_products.py.
core::Product asCompiled(core::Product product)
{
    if (product.operation == "aten::mm")
        product.operation = "aten::linear";
    return product;
}

bool isCompiled(const core::StageProgram& stage)
{
    return !stage.compile->packageMode.empty();
}

// What ran in a stage, and what of it read which weight.
struct Ran {
    ProductCounts counts;
    WeightProducts weights;
};

Ran asCompiled(const ProductCounts& counts, const WeightProducts& weights)
{
    Ran ran;
    for (const auto& [product, count] : counts)
        ran.counts[asCompiled(product)] += count;
    for (const auto& [weight, product] : weights)
        ran.weights[weight] = asCompiled(product);
    return ran;
}

// A layer of a stage, and what its scheme asks for.
struct AskedLayer {
    const core::LayerRow* row;
    core::Product product;
    int products;  // in one pass
};

std::vector<AskedLayer> askedLayers(const core::Program& program, std::size_t stage,
                                    const core::DeviceDescription& device)
{
    std::vector<AskedLayer> asked;
    const core::DeviceDescription kernels =
        core::runsByOperation(program.stages[stage]) ? device : core::withoutKernels(device);
    for (const core::LayerRow& row : program.layers) {
        if (row.stage != stage)
            continue;
        core::Product product = core::productOf(row.scheme, row.kind, kernels);
        if (isCompiled(program.stages[stage]))
            product = asCompiled(std::move(product));
        const int count = static_cast<int>(row.calls) *
                          productsPerCall(program.stages[stage].graph, row, product);
        asked.push_back({&row, std::move(product), count});
    }
    return asked;
}

ProductCounts expectedProducts(const std::vector<AskedLayer>& layers)
{
    ProductCounts expected;
    for (const AskedLayer& layer : layers)
        expected[layer.product] += layer.products;
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

// What a layer ran in: what is stored of the weight "m.weight" is that, or "m.weight:codes". Where
// parts of it went into several products, the one that was asked for counts.
std::optional<core::Product> ranIn(const AskedLayer& layer, const WeightProducts& weights)
{
    std::optional<core::Product> ran;
    const std::string& weight = layer.row->weight;
    for (auto each = weights.lower_bound(weight);
         each != weights.end() && each->first.starts_with(weight); ++each) {
        const bool isPart =
            each->first.size() == weight.size() || each->first[weight.size()] == ':';
        if (isPart && (!ran || each->second == layer.product))
            ran = each->second;
    }
    return ran;
}

core::StrayLayers stray(const AskedLayer& layer, const std::optional<core::Product>& ran)
{
    core::StrayLayers found{.module = layer.row->module,
                            .weightShape = layer.row->weightShape,
                            .calls = layer.products};
    if (ran) {
        found.operation = ran->operation;
        found.type = ran->type;
    }
    return found;
}

bool isOfActivations(const std::string& operation)
{
    return operation == "aten::scaled_dot_product_attention" || operation == "aten::matmul";
}

// The one product that ran more often than it was asked for; nothing if there are more of them.
std::optional<core::Product> surplusOf(const std::vector<core::ExecutedProduct>& products)
{
    std::optional<core::Product> found;
    for (const core::ExecutedProduct& each : products) {
        if (each.ran <= each.expected.value_or(0) || isOfActivations(each.operation))
            continue;
        if (found)
            return std::nullopt;
        found = core::Product{each.operation, each.type};
    }
    return found;
}

// `missing`: so many products of these layers did not run as asked.
void addStrays(const std::vector<AskedLayer>& layers, int missing, const WeightProducts& weights,
               const std::optional<core::Product>& surplus, std::vector<core::StrayLayers>& strays)
{
    std::vector<AskedLayer> unknown;
    int unknownProducts = 0;
    for (const AskedLayer& layer : layers) {
        const std::optional<core::Product> ran = ranIn(layer, weights);
        if (!ran) {
            unknown.push_back(layer);
            unknownProducts += layer.products;
        } else if (*ran != layer.product) {
            strays.push_back(stray(layer, ran));
            missing -= layer.products;
        }
    }
    if (missing <= 0 || unknown.empty())
        return;
    if (missing == unknownProducts) {
        for (const AskedLayer& layer : unknown)
            strays.push_back(stray(layer, surplus));
        return;
    }
    core::StrayLayers some = stray(unknown.front(), surplus);
    some.module.clear();
    some.calls = missing;
    if (std::any_of(unknown.begin(), unknown.end(), [&](const AskedLayer& each) {
            return each.row->weightShape != some.weightShape;
        }))
        some.weightShape.clear();
    strays.push_back(std::move(some));
}

std::vector<core::StrayLayers> straysOf(const std::vector<AskedLayer>& layers,
                                        const std::vector<core::ExecutedProduct>& products,
                                        const WeightProducts& weights)
{
    std::vector<core::StrayLayers> strays;
    for (const core::ExecutedProduct& each : products) {
        if (!each.expected || each.ran >= *each.expected)
            continue;
        std::vector<AskedLayer> asked;
        for (const AskedLayer& layer : layers) {
            if (layer.product == core::Product{each.operation, each.type})
                asked.push_back(layer);
        }
        addStrays(asked, *each.expected - each.ran, weights, surplusOf(products), strays);
    }
    return strays;
}

}  // namespace

std::vector<core::ExecutedStage> executedStages(const core::Program& program,
                                                const core::Recipe& recipe,
                                                const core::DeviceDescription& device,
                                                const std::vector<ProductCounts>& counts,
                                                const std::vector<WeightProducts>& weights)
{
    std::vector<core::ExecutedStage> executed;
    for (std::size_t i = 0; i < program.stages.size(); ++i) {
        const core::Scheme& scheme = recipe[i].scheme;
        const Ran ran = isCompiled(program.stages[i]) ? asCompiled(counts.at(i), weights.at(i))
                                                      : Ran{counts.at(i), weights.at(i)};
        const std::vector<AskedLayer> layers = askedLayers(program, i, device);
        core::ExecutedStage stage{.stage = program.stages[i].name,
                                  .scheme = scheme.text(),
                                  .activationRule = scheme->activationRule
                                                        ? scheme->activationRule(scheme)
                                                        : std::string(),
                                  .products = against(expectedProducts(layers), ran.counts)};
        stage.strays = straysOf(layers, stage.products, ran.weights);
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
