#include "core/lower/weight_preparation.h"

#include "core/graph/builder.h"
#include "core/quant/rest_of_model.h"

namespace qs::core {

Result<Graph> prepareWeight(const LayerRow& row)
{
    GraphBuilder builder;
    const ModuleScope scope(builder, row.module);
    ValueId weight = builder.weight(row.weight, {workingTypeOf(row.scheme), row.weightShape});
    if (row.weightShape.size() > 2)
        weight = builder.flatten(weight, 1, -1);
    WeightParts source{weight};
    if (row.scheme->statistic)
        source.statistic =
            builder.weight(statisticName(row.weight), statisticType(row.scheme, row.inFeatures));
    const auto values = row.scheme->quantizeWeight(row.scheme, builder, source);
    const auto parts = row.scheme->stored(row.scheme, row.outFeatures, row.inFeatures);
    QS_ASSERT(values.size() == parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        builder.output(values[i], storedName(row.weight, parts[i]));
    return builder.finish();
}

Result<Graph> restoreWeight(const LayerRow& row)
{
    if (!row.scheme->restoreWeight)
        return Error{ErrorCode::Unsupported,
                     row.scheme.text() + " cannot tell the weight that it stores"};
    GraphBuilder builder;
    const ModuleScope scope(builder, row.module);
    std::vector<ValueId> stored;
    for (const StoredPart& part : row.scheme->stored(row.scheme, row.outFeatures, row.inFeatures))
        stored.push_back(builder.weight(storedName(row.weight, part), part.type));
    const ValueId weight = row.scheme->restoreWeight(row.scheme, builder, stored);
    builder.output(weight, "weight");
    return builder.finish();
}

}  // namespace qs::core
