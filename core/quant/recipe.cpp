#include "core/quant/recipe.h"

#include <fmt/format.h>

#include <map>

namespace qs::core {

Result<Recipe> makeRecipe(const ModelFamily& family, const std::vector<std::string>& schemes,
                          const std::string& layers)
{
    const std::size_t stages = family.stages().size();
    if (schemes.size() != 1 && schemes.size() != stages)
        return Error{ErrorCode::InvalidArgument,
                     "precision names " + std::to_string(schemes.size()) +
                         " stages, but the model has " + std::to_string(stages)};
    QS_TRY(const LayerFilter filter, LayerFilter::parse(layers));
    Recipe recipe;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        QS_TRY(const Scheme scheme, parseScheme(schemes[schemes.size() == 1 ? 0 : stage]));
        recipe.push_back({scheme, filter});
    }
    return recipe;
}

std::optional<std::string> sizeObjection(const Scheme& scheme, std::int64_t in, std::int64_t out)
{
    const Alignment unit = scheme->alignment ? scheme->alignment(scheme) : Alignment{};
    if (in % unit.in == 0 && out % unit.out == 0)
        return std::nullopt;
    if (unit.in == unit.out)
        return fmt::format("sizes {} and {} are not both multiples of {}, as {} products need", in,
                           out, unit.in, scheme.text());
    const bool inputs = in % unit.in != 0;
    return fmt::format("{} {} features are no multiple of {}, as {} needs", inputs ? in : out,
                       inputs ? "input" : "output", inputs ? unit.in : unit.out, scheme.text());
}

std::vector<LayerRow> layerTable(const ModelFamily& family, const Recipe& recipe)
{
    QS_ASSERT(recipe.size() == family.stages().size());
    std::vector<LayerRow> rows;
    for (std::size_t stage = 0; stage < recipe.size(); ++stage) {
        const StageRecipe& wish = recipe[stage];
        const DType working = wish.scheme->workingType;
        std::map<std::string, const WeightSpec*> biases;
        for (const WeightSpec& weight : family.stages()[stage].weights) {
            if (weight.name.ends_with(".bias"))
                biases.emplace(weight.name.substr(0, weight.name.size() - 5), &weight);
        }
        for (const WeightSpec& weight : family.stages()[stage].weights) {
            if (weight.shape.size() != 2 || !weight.name.ends_with(".weight"))
                continue;
            LayerRow row;
            row.stage = stage;
            row.module = weight.name.substr(0, weight.name.size() - 7);
            row.outFeatures = weight.shape[0];
            row.inFeatures = weight.shape[1];
            const bool bias = biases.contains(row.module);
            row.parameters = weight.elementCount() + (bias ? row.outFeatures : 0);
            row.bytesBefore = row.parameters * byteSize(working);
            auto reason =
                wish.filter.reasonToSkip(row.module, family.layerPlace(stage, row.module));
            if (!reason)
                reason = sizeObjection(wish.scheme, row.inFeatures, row.outFeatures);
            row.matched = !reason.has_value();
            row.reason = reason.value_or("");
            // Outside the matched layers everything runs in the working type.
            row.scheme = row.matched ? wish.scheme : outsideScheme(wish.scheme);
            row.bytesAfter = row.matched
                                 ? storedBytes(wish.scheme, row.outFeatures, row.inFeatures, bias)
                                 : row.bytesBefore;
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::int64_t residentWeightBytes(const ModelFamily& family, const Recipe& recipe)
{
    std::int64_t bytes = 0;
    for (std::size_t stage = 0; stage < recipe.size(); ++stage) {
        for (const WeightSpec& weight : family.stages()[stage].weights)
            bytes += weight.elementCount() * byteSize(recipe[stage].scheme->workingType);
    }
    for (const LayerRow& row : layerTable(family, recipe))
        bytes += row.bytesAfter - row.bytesBefore;
    return bytes;
}

}  // namespace qs::core
