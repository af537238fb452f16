#include "tests/support/scheme_layer.h"

#include "core/graph/builder.h"
#include "core/lower/reference.h"
#include "core/lower/weight_preparation.h"
#include "core/quant/rest_of_model.h"

namespace qs::tests {

core::LayerRow layerRow(const core::Scheme& scheme, std::int64_t out, std::int64_t in)
{
    core::LayerRow row;
    row.module = "fc";
    row.weight = "fc.weight";
    row.weightShape = {out, in};
    row.outFeatures = out;
    row.inFeatures = in;
    row.matched = true;
    row.scheme = scheme;
    return row;
}

core::StageProgram layerStage(const core::Scheme& scheme, const std::vector<std::int64_t>& x,
                              std::int64_t out, bool bias)
{
    const core::DType working = core::workingTypeOf(scheme);
    core::GraphBuilder builder;
    const auto input = builder.input("x", {working, x});
    const core::ModuleScope scope(builder, "fc");
    const auto biasValue = bias ? builder.weight("fc.bias", {working, {out}}) : -1;
    const auto weight = builder.weight("fc.weight", {working, {out, x.back()}});
    builder.output(builder.linear(input, weight, biasValue), "y");
    const auto row = layerRow(scheme, out, x.back());
    core::StageProgram stage;
    stage.name = "stage";
    stage.graph = core::markLayers(builder.finish().value(), 0, {row});
    stage.workingType = working;
    if (row.quantized() && scheme->solver.empty())  // nothing else makes what a solver makes
        stage.preparations.push_back(core::prepareWeight(row).value());
    return stage;
}

}  // namespace qs::tests
