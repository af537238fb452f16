#include "core/quant/recipe.h"

#include "core/quant/rest_of_model.h"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>

namespace qs::core {

Result<Recipe> makeRecipe(const ModelFamily& family, const std::vector<std::string>& schemes,
                          const std::string& layers)
{
    const std::size_t stages = family.stages().size();
    if (schemes.size() != 1 && schemes.size() != stages)
        return Error{ErrorCode::InvalidArgument,
                     "precision names " + std::to_string(schemes.size()) +
                         " stages, but the model has " + std::to_string(stages)};
    QS_TRY(const std::vector<LayerFilter> filters, parseLayerFilters(layers));
    if (filters.size() != 1 && filters.size() != stages)
        return Error{ErrorCode::InvalidArgument,
                     "layer filters name " + std::to_string(filters.size()) +
                         " stages, but the model has " + std::to_string(stages)};
    Recipe recipe;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        QS_TRY(const Scheme scheme, parseScheme(schemes[schemes.size() == 1 ? 0 : stage]));
        recipe.push_back({scheme, filters[filters.size() == 1 ? 0 : stage]});
    }
    return recipe;
}

std::optional<std::string> sizeObjection(const Scheme& scheme, std::int64_t in, std::int64_t out)
{
    const Alignment unit = scheme->alignment ? scheme->alignment(scheme) : Alignment{};
    if (in < unit.fewestIn)
        return fmt::format(
            "{} input features are fewer than {}, from which on {} quantizes a layer", in,
            unit.fewestIn, scheme.text());
    if (in % unit.in == 0 && out % unit.out == 0)
        return std::nullopt;
    if (unit.in == unit.out)
        return fmt::format("sizes {} and {} are not both multiples of {}, as {} products need", in,
                           out, unit.in, scheme.text());
    const bool inputs = in % unit.in != 0;
    return fmt::format("{} {} features are no multiple of {}, as {} needs", inputs ? in : out,
                       inputs ? "input" : "output", inputs ? unit.in : unit.out, scheme.text());
}

std::optional<std::string> kindObjection(const Scheme& scheme, LayerKind kind)
{
    const bool can =
        kind == LayerKind::Linear || !composesLayers(scheme) || scheme->convolution != nullptr;
    if (can)
        return std::nullopt;
    return scheme.text() + " has no convolution";
}

namespace {

LayerRow rowOf(const ModelFamily& family, std::size_t stage, const LayerSpec& layer,
               const StageRecipe& wish)
{
    LayerRow row;
    row.stage = stage;
    row.module = layer.module;
    row.weight = layer.weight;
    row.kind = layer.kind;
    row.weightShape = layer.weightShape;
    row.outFeatures = layer.outFeatures;
    row.inFeatures = layer.inFeatures;
    row.calls = layer.calls;
    const bool bias = !layer.bias.empty();
    row.parameters = layer.outFeatures * layer.inFeatures + (bias ? layer.outFeatures : 0);
    row.bytesBefore = row.parameters * byteSize(workingTypeOf(wish.scheme));
    auto reason = wish.filter.reasonToSkip(row.module, family.layerPlace(stage, row.module));
    if (!reason)
        reason = kindObjection(wish.scheme, row.kind);
    if (!reason)
        reason = sizeObjection(wish.scheme, row.inFeatures, row.outFeatures);
    row.matched = !reason.has_value();
    row.reason = reason.value_or("");
    // Outside the matched layers everything runs in the working type.
    row.scheme = row.matched ? wish.scheme : outsideScheme(wish.scheme);
    row.bytesAfter = row.bytesBefore;
    if (row.quantized()) {
        row.bytesAfter = storedBytes(wish.scheme, row.outFeatures, row.inFeatures, bias);
        // What an embedding reads stays as it is beside.
        row.keepsWeight = layer.readElsewhere;
        if (row.keepsWeight)
            row.bytesAfter +=
                row.outFeatures * row.inFeatures * byteSize(workingTypeOf(wish.scheme));
    }
    return row;
}

}  // namespace

std::vector<LayerRow> layerTable(const ModelFamily& family, const Recipe& recipe)
{
    QS_ASSERT(recipe.size() == family.stages().size());
    std::vector<LayerRow> rows;
    for (std::size_t stage = 0; stage < recipe.size(); ++stage) {
        for (const LayerSpec& layer : family.layers(stage))
            rows.push_back(rowOf(family, stage, layer, recipe[stage]));
    }
    return rows;
}

std::int64_t residentWeightBytes(const ModelFamily& family, const Recipe& recipe)
{
    std::map<std::pair<std::size_t, std::string>, const LayerRow*> quantized;
    const std::vector<LayerRow> rows = layerTable(family, recipe);
    for (const LayerRow& row : rows) {
        if (row.quantized())
            quantized.emplace(std::pair(row.stage, row.weight), &row);
    }
    // By where a weight comes from, its name and its form.
    std::map<std::tuple<std::size_t, std::string, std::string>, std::int64_t> bytes;
    for (std::size_t stage = 0; stage < recipe.size(); ++stage) {
        const DType working = workingTypeOf(recipe[stage].scheme);
        const std::size_t source = weightOwner(family, stage);
        for (const WeightSpec& weight : family.stages()[stage].weights) {
            const auto found = quantized.find({stage, weight.name});
            const LayerRow* row = found == quantized.end() ? nullptr : found->second;
            if (row == nullptr || row->keepsWeight)
                bytes[{source, weight.name, std::string(name(weight.typeFor(working)))}] =
                    weight.elementCount() * byteSize(weight.typeFor(working));
            if (row != nullptr)
                bytes[{source, weight.name, row->scheme.text()}] =
                    storedBytes(row->scheme, row->outFeatures, row->inFeatures, false);
        }
    }
    std::int64_t total = 0;
    for (const auto& [place, count] : bytes)
        total += count;
    return total;
}

}  // namespace qs::core
