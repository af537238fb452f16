#include "core/graph/cost.h"
#include "core/graph/regions.h"
#include "core/model/catalogue.h"
#include "core/model/te_llama/fused_blocks.h"
#include "core/model/te_llama/fused_variant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

using te_llama::estimatedAttentionShare;
using te_llama::estimatedParameters;
using te_llama::namedVariant;
using te_llama::parseVariant;
using te_llama::toText;
using te_llama::Variant;

Graph forwardOf(const std::string& reference, std::int64_t batch, std::int64_t sequence)
{
    const Model model = openModel(reference, "", 3).value().model;
    return model.family->buildStage(0, {batch, {{"sequence", sequence}}}, DType::BFloat16).value();
}

TEST(TeLlama, ReadsNoMoreTokensThanItHasPositions)
{
    const auto model = openModel("te-llama:w256_d4_h4_k1_f384_v256_c512", {}, 1);
    ASSERT_TRUE(model.ok()) << model.error().message;
    const ModelFamily& family = *model.value().model.family;
    EXPECT_TRUE(family.checkShape({1, family.workload().completed({})}).ok());
}

TEST(TeLlama, HasTheParametersThatTheBenchmarkEstimates)
{
    EXPECT_EQ(estimatedParameters(namedVariant("1b").value()), 940'638'208);
    EXPECT_EQ(estimatedParameters(namedVariant("3b").value()), 3'141'169'152);
    EXPECT_EQ(estimatedParameters(namedVariant("8b").value()), 6'738'411'520);
    // Which leaves out the last norm.
    EXPECT_EQ(openModel("te-llama:3b", "", 1).value().model.parameterCount(), 3'141'169'152 + 3072);
}

TEST(TeLlama, ItsAttentionHasTheShareOfTheBenchmark)
{
    const std::pair<const char*, double> shares[] = {{"1b", 14.22}, {"3b", 10.0}, {"8b", 7.66}};
    for (const auto& [name, percent] : shares) {
        const llama::Config config = namedVariant(name).value().config;
        const Cost cost = costOf(forwardOf("te-llama:" + std::string(name), 1, 2048));
        const double head = 2.0 * 2048 * static_cast<double>(config.vocabulary * config.hidden);
        const double blocks = cost.flops() - head;
        EXPECT_NEAR(100.0 * cost.attentionFlops / blocks, percent, 0.005) << name;
        EXPECT_NEAR(estimatedAttentionShare(namedVariant(name).value(), 2048),
                    cost.attentionFlops / blocks, 1e-12)
            << name;
    }
}

TEST(TeLlama, HasAllFourRegions)
{
    const Graph graph = forwardOf("te-llama:tiny", 2, 16);
    for (const RegionKind kind : {RegionKind::Rope, RegionKind::QkvSplit,
                                  RegionKind::AttentionMerge, RegionKind::SiluGate}) {
        const auto regions = findRegions(graph, {kind});
        EXPECT_EQ(regions.size(), 2U) << kRegionKinds.of(kind) << ": one in each block";
    }
}

TEST(TeLlama, VariantsReadBack)
{
    for (const char* text : {"w64_d2_h4_f96_v128", "w64_d2_h4_f96_v128_exact",
                             "w64_d2_h4_k2_f96_v128_blocks", "w64_d2_h4_f96_v128_exact_blocks"}) {
        const Variant variant = parseVariant(text).value();
        EXPECT_EQ(toText(variant), text);
        EXPECT_EQ(parseVariant(toText(variant)).value(), variant);
    }
    for (const char* text : {"", "w64", "w64_d2_h4_f96_v128_tied", "w64_d2_h4_f96_v128_bias",
                             "w64_d2_h4_f96_v128_pairs", "w64_d2_h4_f96_v128_blocks_exact"})
        EXPECT_FALSE(parseVariant(text).ok()) << text;
}

TEST(TeLlama, BlocksAloneTakeHiddenStates)
{
    const Model model = openModel("te-llama:w64_d2_h4_f96_blocks", "", 3).value().model;
    const Graph graph =
        model.family->buildStage(0, {2, {{"sequence", 8}}}, DType::BFloat16).value();
    ASSERT_EQ(graph.inputs.size(), 1U);
    EXPECT_EQ(graph.value(graph.inputs[0]).type.shape, (std::vector<std::int64_t>{2, 8, 64}));
    EXPECT_EQ(graph.value(graph.outputs[0]).type.shape, (std::vector<std::int64_t>{2, 8, 64}));
    const auto weights = model.family->stages()[0].weights;
    EXPECT_TRUE(std::none_of(weights.begin(), weights.end(),
                             [](const WeightSpec& each) { return each.name == "lm_head.weight"; }));
}

TEST(TeLlama, ShapesBeyondTheModelAreRefused)
{
    const Model model = openModel("te-llama:tiny", "", 3).value().model;
    EXPECT_TRUE(model.family->checkShape({1, {{"sequence", 2048}}}).ok());
    EXPECT_FALSE(model.family->checkShape({1, {{"sequence", 2049}}}).ok());
    EXPECT_FALSE(model.family->checkShape({0, {{"sequence", 8}}}).ok());
    EXPECT_FALSE(model.family->checkShape({1, {{"sequence", 0}}}).ok());
}

TEST(Rope, StandsAlone)
{
    const Model model = openModel("rope:h4_x16", "", 3).value().model;
    const Graph graph = model.family->buildStage(0, {2, {{"sequence", 8}}}, DType::Float32).value();
    EXPECT_EQ(graph.value(graph.outputs[0]).type.shape, (std::vector<std::int64_t>{2, 4, 8, 16}));
    EXPECT_EQ(model.parameterCount(), 0);
    for (const char* text : {"rope:", "rope:h4", "rope:x16", "rope:h4_x15", "rope:h0_x16"})
        EXPECT_FALSE(openModel(text, "", 3).ok()) << text;
}

}  // namespace
}  // namespace qs::core
