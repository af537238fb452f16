#include "core/graph/cost.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace qs::core::vitok {
namespace {

using testing::ElementsAre;

std::shared_ptr<const ModelFamily> published(const char* name)
{
    return makeFamily(parseVariant(findPublished(name)->variant).value());
}

struct FlopCase {
    const char* model;
    std::int64_t pixels;
    double encoder, decoder, total;  // GFLOP per picture
    double attentionPercent;
    double rounding;  // half of the last printed digit
};

class VitokFlops : public testing::TestWithParam<FlopCase>
{
};

// The published table: one decimal for small figures, none for large ones.
TEST_P(VitokFlops, AgreeWithThePublishedTable)
{
    const FlopCase& expected = GetParam();
    const auto family = published(expected.model);
    const ShapePoint point = tests::imageShape(1, expected.pixels);
    const Cost encoder = costOf(family->buildStage(0, point, DType::BFloat16).value());
    const Cost decoder = costOf(family->buildStage(1, point, DType::BFloat16).value());
    const double total = encoder.flops() + decoder.flops();
    EXPECT_NEAR(encoder.flops() / 1e9, expected.encoder, expected.rounding);
    EXPECT_NEAR(decoder.flops() / 1e9, expected.decoder, expected.rounding);
    EXPECT_NEAR(total / 1e9, expected.total, expected.rounding);
    EXPECT_NEAR(100.0 * (encoder.attentionFlops + decoder.attentionFlops) / total,
                expected.attentionPercent, 0.051);
}

INSTANTIATE_TEST_SUITE_P(
    Table, VitokFlops,
    testing::Values(FlopCase{"350M-f16x64", 256, 27.3, 161.7, 189.0, 4.0, 0.051},
                    FlopCase{"350M-f16x64", 512, 122.1, 724.1, 846.2, 14.2, 0.051},
                    FlopCase{"350M-f16x64", 1024, 694.7, 4133.4, 4828.1, 39.9, 0.051},
                    FlopCase{"350M-f16x64", 2048, 6077, 36325, 42402, 72.6, 0.51},
                    FlopCase{"5B-f16x64", 256, 236.8, 2355.8, 2592.6, 1.4, 0.051},
                    FlopCase{"5B-f16x64", 512, 985.7, 9809.8, 10795.5, 5.3, 0.051},
                    FlopCase{"5B-f16x64", 1024, 4561, 45424, 49985, 18.1, 0.51},
                    FlopCase{"5B-f16x64", 2048, 28141, 280652, 308793, 47.0, 0.51},
                    FlopCase{"5B-f32x64", 256, 59.5, 583.8, 643.3, 0.3, 0.051},
                    FlopCase{"5B-f32x64", 512, 240.4, 2359.4, 2599.8, 1.4, 0.051},
                    FlopCase{"5B-f32x64", 1024, 1000, 9824, 10825, 5.2, 0.51},
                    FlopCase{"5B-f32x64", 2048, 4619, 45482, 50101, 18.1, 0.51}),
    [](const auto& info) {
        std::string name = std::string(info.param.model) + "_" + std::to_string(info.param.pixels);
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(VitokGraphs, FlopsFollowTheFormula)
{
    const Variant v = parseVariant("w64_d2_h4-w48_d3_h3/1x8x16").value();
    const auto family = makeFamily(v);
    const double n = 16.0, pictures = 3.0;  // 32 px / 8 px squared
    const auto blocks = [&](const Side& side, std::int64_t hidden) {
        const auto w = static_cast<double>(side.width), f = static_cast<double>(hidden);
        return static_cast<double>(side.depth) * (2 * n * (4 * w * w + 3 * w * f) + 4 * n * n * w);
    };
    const Cost encoder =
        costOf(family->buildStage(0, tests::imageShape(3, 32), DType::Float32).value());
    const Cost decoder =
        costOf(family->buildStage(1, tests::imageShape(3, 32), DType::Float32).value());
    EXPECT_EQ(encoder.flops(),
              pictures * (2 * n * (192 * 64 + 64 * 16) + blocks(v.encoder, v.encoderHidden)));
    EXPECT_EQ(decoder.flops(),
              pictures * (2 * n * (16 * 48 + 48 * 192) + blocks(v.decoder, v.decoderHidden)));
}

TEST(VitokGraphs, ReadExactlyTheWeightsOfTheirStage)
{
    const auto family = makeFamily(parseVariant("w64_d2_h4-w48_d3_h3/1x8x16").value());
    for (std::size_t stage = 0; stage < 2; ++stage) {
        for (const DType compute : {DType::Float32, DType::BFloat16, DType::Float16}) {
            const Graph graph =
                family->buildStage(stage, tests::imageShape(2, 16), compute).value();
            ASSERT_TRUE(validate(graph).ok());
            std::map<std::string, std::vector<std::int64_t>> read;
            for (const Value& value : graph.values) {
                if (value.kind == ValueKind::Weight) {
                    EXPECT_EQ(value.type.dtype, compute) << value.name;
                    read[value.name] = value.type.shape;
                }
            }
            std::map<std::string, std::vector<std::int64_t>> stored;
            for (const WeightSpec& weight : family->stages()[stage].weights)
                stored[weight.name] = weight.shape;
            EXPECT_EQ(read, stored);
        }
    }
}

TEST(VitokGraphs, StagesFitTogether)
{
    const auto family = published("350M-f16x64");
    const Graph encoder = family->buildStage(0, tests::imageShape(2, 256), DType::BFloat16).value();
    const Graph decoder = family->buildStage(1, tests::imageShape(2, 256), DType::BFloat16).value();
    const auto names = [](const Graph& graph, const std::vector<ValueId>& ids) {
        std::vector<std::string> found;
        for (const ValueId id : ids)
            found.push_back(graph.value(id).name + " " + toText(graph.value(id).type));
        return found;
    };
    EXPECT_THAT(names(encoder, encoder.inputs),
                ElementsAre("patches bfloat16[2, 256, 768]", "row_idx int64[2, 256]",
                            "col_idx int64[2, 256]"));
    EXPECT_THAT(names(encoder, encoder.outputs), ElementsAre("code bfloat16[2, 256, 64]"));
    EXPECT_THAT(
        names(decoder, decoder.inputs),
        ElementsAre("code bfloat16[2, 256, 64]", "row_idx int64[2, 256]", "col_idx int64[2, 256]"));
    EXPECT_THAT(names(decoder, decoder.outputs), ElementsAre("decoded bfloat16[2, 256, 768]"));
}

TEST(VitokGraphs, EveryLinearCarriesItsModulePath)
{
    const auto family = published("350M-f16x64");
    std::set<std::string> modules;
    for (std::size_t stage = 0; stage < 2; ++stage) {
        const Graph graph =
            family->buildStage(stage, tests::imageShape(1, 256), DType::BFloat16).value();
        for (const Node& node : graph.nodes) {
            if (node.operation->operationClass != OperationClass::Linear)
                continue;
            EXPECT_EQ(graph.value(node.tensor("weight")).name, node.module + ".weight");
            modules.insert(node.module);
        }
    }
    EXPECT_EQ(modules.size(), 28U * 4U + 4U);
    EXPECT_TRUE(modules.contains("decoder_blocks.23.ffn.fc1"));
    EXPECT_TRUE(modules.contains("encoder_blocks.3.attn.qkv_proj"));
    EXPECT_TRUE(modules.contains("patch_embed"));
}

TEST(VitokGraphs, NormalisationRunsInFloat32)
{
    const auto family = makeFamily(parseVariant("w64_d1_h4/1x8x16").value());
    const Graph graph = family->buildStage(0, tests::imageShape(1, 16), DType::BFloat16).value();
    int checked = 0;
    for (const Node& node : graph.nodes) {
        const std::string operation = node.operation->fullName();
        if (operation != "aten::mean.dim" && operation != "aten::rsqrt" &&
            operation != "aten::layer_norm" && operation != "aten::cos")
            continue;
        EXPECT_EQ(graph.value(node.outputs[0]).type.dtype, DType::Float32) << toText(graph);
        ++checked;
    }
    EXPECT_EQ(checked, 3 + 3 + 1 + 1) << "norm1, norm_q, norm_k; output_fn; rope";
}

TEST(VitokGraphs, RotaryFrequenciesFallFromOneToThetaInverse)
{
    const auto family = makeFamily(parseVariant("w72_d1_h1/1x4x8").value());
    const Graph graph = family->buildStage(1, tests::imageShape(1, 8), DType::Float32).value();
    const ValueId id = graph.findValue("inv_freq");
    ASSERT_GE(id, 0);
    const std::vector<double>& frequencies = graph.constants.at(id);
    ASSERT_EQ(frequencies.size(), 18U) << "head width 72, half for rows, pairs";
    for (std::size_t k = 0; k < frequencies.size(); ++k)
        EXPECT_NEAR(frequencies[k], std::pow(10000.0, -static_cast<double>(k) / 18.0), 1e-6) << k;
    EXPECT_EQ(frequencies[0], 1.0);
}

TEST(VitokGraphs, AreNotBuiltForShapesThatWereRefused)
{
    const auto family = makeFamily(parseVariant("w64_d1_h4/1x8x16").value());
    EXPECT_DEATH((void)family->buildStage(0, tests::imageShape(1, 20), DType::Float32).value(),
                 "checkShape");
    EXPECT_DEATH((void)family->buildStage(2, tests::imageShape(1, 16), DType::Float32).value(),
                 "stage < 2");
}

}  // namespace
}  // namespace qs::core::vitok
