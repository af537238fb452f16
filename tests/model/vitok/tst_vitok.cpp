#include "core/model/safetensors/safetensors.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

namespace qs::core::vitok {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Model modelOf(std::string_view variant)
{
    Model model;
    model.family = makeFamily(parseVariant(variant).value());
    return model;
}

struct PublishedCount {
    const char* name;
    std::int64_t encoder;
    std::int64_t decoder;
    std::int64_t total;
};

// From the published checkpoints.
constexpr PublishedCount kPublishedCounts[] = {
    {"350M-f16x16", 51'209'744, 303'239'936, 354'449'680},
    {"350M-f16x32", 51'226'144, 303'256'320, 354'482'464},
    {"350M-f16x64", 51'258'944, 303'289'088, 354'548'032},
    {"5B-f16x16", 456'011'792, 4'538'414'848, 4'994'426'640},
    {"5B-f16x32", 456'060'960, 4'538'464'000, 4'994'524'960},
    {"5B-f16x64", 456'159'296, 4'538'562'304, 4'994'721'600},
    {"5B-f32x64", 463'237'184, 4'545'642'496, 5'008'879'680},
    {"5B-f32x128", 463'433'856, 4'545'839'104, 5'009'272'960},
    {"5B-f32x256", 463'827'200, 4'546'232'320, 5'010'059'520},
};

TEST(VitokFamily, HasThePublishedParameterCounts)
{
    for (const PublishedCount& each : kPublishedCounts) {
        const Model model = modelOf(findPublished(each.name)->variant);
        EXPECT_EQ(model.parameterCount(0), each.encoder) << each.name;
        EXPECT_EQ(model.parameterCount(1), each.decoder) << each.name;
        EXPECT_EQ(model.parameterCount(), each.total) << each.name;
    }
}

TEST(VitokFamily, BlocksHaveTheirParameterCounts)
{
    const std::map<std::string, std::int64_t> expected{{"B", 7'079'552},
                                                       {"L", 12'601'472},
                                                       {"G", 35'835'408},
                                                       {"T", 113'400'064},
                                                       {"E", 201'597'184}};
    for (const auto& [letter, count] : expected) {
        const Model one = modelOf(letter + "d1/1x16x64");
        const Model two = modelOf(letter + "d2/1x16x64");
        EXPECT_EQ(two.parameterCount(0) - one.parameterCount(0), count) << letter;
        EXPECT_EQ(two.parameterCount(1) - one.parameterCount(1), count) << letter;
    }
}

TEST(VitokFamily, HasTheTensorCountsOfTheCheckpoints)
{
    const auto small = modelOf("Ld4-Ld24/1x16x64").family;
    const auto large = modelOf("Td4-T/1x16x64").family;
    EXPECT_EQ(small->stages()[0].weights.size(), 36U);
    EXPECT_EQ(small->stages()[1].weights.size(), 196U);
    EXPECT_EQ(large->stages()[0].weights.size(), 36U);
    EXPECT_EQ(large->stages()[1].weights.size(), 324U);
}

TEST(VitokFamily, IsAPipelineOfTwoStages)
{
    const auto family = modelOf("w64_d1_h4/8x16").family;
    ASSERT_EQ(family->stages().size(), 2U);
    EXPECT_EQ(family->stages()[0].name, "encoder");
    EXPECT_EQ(family->stages()[1].name, "decoder");
    EXPECT_EQ(family->workload().judgedOutput().kind, OutputKind::Image);
    EXPECT_EQ(family->workload().unit, WorkUnit::Image);
}

// Names and shapes of checkpoints that the Python oracle wrote.
TEST(VitokFamily, NamesItsWeightsAsTheCheckpointsDo)
{
    const std::map<std::string, const char*> cases{{"uneven", "w64_d1_h2-w48_d3_h3/1x8x16"},
                                                   {"head72", "w72_d1_h1/1x4x8"}};
    for (const auto& [folder, variant] : cases) {
        const auto family = modelOf(variant).family;
        for (const StageInfo& stage : family->stages()) {
            const auto file = openSafetensors(
                tests::dataFile("golden/vitok/" + folder + "/" + stage.name + ".safetensors"));
            ASSERT_TRUE(file.ok()) << file.error().message;
            EXPECT_EQ(file.value().tensors().size(), stage.weights.size());
            for (const WeightSpec& weight : stage.weights) {
                const TensorEntry* entry = file.value().find(weight.name);
                ASSERT_NE(entry, nullptr) << weight.name;
                EXPECT_EQ(std::vector<std::int64_t>(entry->shape.begin(), entry->shape.end()),
                          weight.shape)
                    << weight.name;
            }
        }
    }
}

TEST(VitokFamily, GeneratedWeightsKeepTheMagnitudesOfATrainedModel)
{
    const auto family = modelOf("w64_d1_h4/8x16").family;
    std::map<std::string, Initialiser> made;
    for (const WeightSpec& weight : family->stages()[0].weights)
        made[weight.name] = weight.initialiser;
    using enum Initialiser::Kind;
    EXPECT_EQ(made.at("encoder_blocks.0.norm1.weight"), (Initialiser{Constant, 1.0}));
    EXPECT_EQ(made.at("encoder_blocks.0.attn.norm_q.weight"), (Initialiser{Constant, 1.0}));
    EXPECT_EQ(made.at("encoder_blocks.0.layer_scale.gamma"), (Initialiser{Constant, 0.1}));
    // Deviation 1/sqrt(in): a product keeps the magnitude of its input.
    EXPECT_EQ(made.at("encoder_blocks.0.attn.qkv_proj.weight"), (Initialiser{Normal, 0.125}));
    EXPECT_EQ(made.at("encoder_blocks.0.ffn.fc2.weight"),
              (Initialiser{Normal, 1.0 / std::sqrt(176.0)}));
    EXPECT_EQ(made.at("patch_embed.bias"), (Initialiser{Normal, 0.02}));
}

TEST(VitokFamily, KnowsThePlaceOfEachLayer)
{
    const auto family = modelOf("Ld4-Ld24/1x16x64").family;
    const auto place = [&](std::size_t stage, const char* module) {
        const LayerPlace found = family->layerPlace(stage, module);
        return std::tuple(found.role, found.block, found.blockCount);
    };
    using enum LayerRole;
    EXPECT_EQ(place(0, "patch_embed"), std::tuple(Embedding, -1, 4));
    EXPECT_EQ(place(0, "to_code"), std::tuple(Head, -1, 4));
    EXPECT_EQ(place(1, "decoder_embed"), std::tuple(Embedding, -1, 24));
    EXPECT_EQ(place(1, "to_pixels"), std::tuple(Head, -1, 24));
    EXPECT_EQ(place(0, "encoder_blocks.0.attn.qkv_proj"), std::tuple(Attention, 0, 4));
    EXPECT_EQ(place(1, "decoder_blocks.23.attn.out_proj"), std::tuple(Attention, 23, 24));
    EXPECT_EQ(place(1, "decoder_blocks.7.ffn.fc1"), std::tuple(Mlp, 7, 24));
    EXPECT_EQ(place(1, "decoder_blocks.10.ffn.fc2"), std::tuple(Mlp, 10, 24));
}

TEST(VitokFamily, ChecksShapes)
{
    const auto family = modelOf("Ld4-Ld24/1x16x64").family;
    for (const std::int64_t size : {16, 256, 272, 2048, 16384})
        EXPECT_TRUE(family->checkShape(tests::imageShape(1, size)).ok()) << size;
    const auto reason = [&](ShapePoint point) {
        const Status status = family->checkShape(point);
        EXPECT_FALSE(status.ok());
        return status.ok() ? "" : status.error().message;
    };
    EXPECT_THAT(reason(tests::imageShape(0, 256)), HasSubstr("at least one image"));
    EXPECT_THAT(reason(tests::imageShape(-1, 256)), HasSubstr("at least one image"));
    EXPECT_EQ(reason(tests::imageShape(1, 250)),
              "250 px is not a whole number of patches of 16 px");
    EXPECT_EQ(reason(tests::imageShape(1, 0)), "0 px is not a whole number of patches of 16 px");
    EXPECT_EQ(reason(tests::imageShape(1, -16)),
              "-16 px is not a whole number of patches of 16 px");
    EXPECT_THAT(reason(tests::imageShape(1, 16400)), HasSubstr("above 16384 px"));
    // 16 patches a side; 250 rows are as many patches as 256.
    const auto with = [](const char* size, std::int64_t value) {
        return ShapePoint{1, {{"image_size", 256}, {size, value}}};
    };
    EXPECT_TRUE(family->checkShape(with("image_height", 250)).ok());
    EXPECT_TRUE(family->checkShape(with("image_width", 1)).ok());
    for (const std::string size : {"image_height", "image_width"})
        EXPECT_THAT(reason(with(size.c_str(), 257)), HasSubstr(size + " 257 px is more than"));
    // 8 of 16 columns of patches.
    EXPECT_TRUE(
        family->checkShape({1, {{"image_size", 256}, {"image_width", 120}, {"token_budget", 128}}})
            .ok());
    EXPECT_TRUE(family->checkShape(with("token_budget", 256)).ok());
    EXPECT_THAT(reason(with("token_budget", 255)), HasSubstr("256 tokens"));
    EXPECT_TRUE(family->checkShape(with("attention_window", 100000)).ok());
    for (const char* size : {"image_height", "image_width", "token_budget", "attention_window"})
        EXPECT_THAT(reason(with(size, -1)), HasSubstr("0 or more")) << size;
    // A mask of all pairs has to be held.
    EXPECT_THAT(reason(with("token_budget", std::int64_t{1} << 25U)),
                HasSubstr("more than 2^48 values"));
    // Element counts would leave 64 bits.
    EXPECT_THAT(reason(tests::imageShape(std::numeric_limits<std::int64_t>::max(), 256)),
                HasSubstr("more than 2^48 values"));
    EXPECT_TRUE(family->checkShape(tests::imageShape(65536, 256)).ok());
}

}  // namespace
}  // namespace qs::core::vitok
