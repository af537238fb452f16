#include "core/quant/recipe.h"

#include "core/quant/packed_size.h"

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

std::optional<std::string> sizeObjection(Scheme scheme, std::int64_t in, std::int64_t out)
{
    std::int64_t unit = 1;
    if (scheme == Scheme::Float8DqTensor || scheme == Scheme::Float8DqRow)
        unit = 16;
    else if (scheme == Scheme::Int8Dq)
        unit = 8;
    if (in % unit == 0 && out % unit == 0)
        return std::nullopt;
    return "sizes " + std::to_string(in) + " and " + std::to_string(out) +
           " are not both multiples of " + std::to_string(unit) + ", as " +
           std::string(name(scheme)) + " products need";
}

DType workingType(Scheme scheme)
{
    switch (scheme) {
    case Scheme::Fp32:
    case Scheme::Tf32:
    case Scheme::Bf16Autocast:
        return DType::Float32;
    case Scheme::Fp16:
        return DType::Float16;
    case Scheme::Bf16:
    case Scheme::Int8Dq:
    case Scheme::Int8Wo:
    case Scheme::Float8DqTensor:
    case Scheme::Float8DqRow:
    case Scheme::Float8Wo:
        return DType::BFloat16;
    }
    return DType::BFloat16;
}

std::int64_t storedBytes(Scheme scheme, std::int64_t out, std::int64_t in, bool bias)
{
    const std::int64_t element = byteSize(workingType(scheme));
    const std::int64_t biasBytes = bias ? out * element : 0;
    if (const auto format = packedFormat(scheme))
        return packedBytes(*format, out, in) + biasBytes;
    return out * in * element + biasBytes;
}

std::vector<LayerRow> layerTable(const ModelFamily& family, const Recipe& recipe)
{
    QS_ASSERT(recipe.size() == family.stages().size());
    std::vector<LayerRow> rows;
    for (std::size_t stage = 0; stage < recipe.size(); ++stage) {
        const StageRecipe& wish = recipe[stage];
        const DType working = workingType(wish.scheme);
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
            row.scheme = row.matched ? wish.scheme
                         : working == DType::Float32
                             ? (wish.scheme == Scheme::Tf32 ? Scheme::Tf32 : Scheme::Fp32)
                         : working == DType::Float16 ? Scheme::Fp16
                                                     : Scheme::Bf16;
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
            bytes += weight.elementCount() * byteSize(workingType(recipe[stage].scheme));
    }
    for (const LayerRow& row : layerTable(family, recipe))
        bytes += row.bytesAfter - row.bytesBefore;
    return bytes;
}

}  // namespace qs::core
