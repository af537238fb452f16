#include "core/lower/fused/short_attention.h"

#include "core/graph/builder.h"
#include "core/lower/fused/attention_source.h"
#include "core/lower/fused/fused_stage.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

constexpr std::int64_t kBatch = 2;
constexpr std::int64_t kHeads = 3;
constexpr std::int64_t kTokens = 20;
constexpr std::int64_t kWidth = 64;

struct Operands {
    DType type = DType::BFloat16;
    std::int64_t tokens = kTokens;
    std::int64_t keys = kTokens;
    std::int64_t keyHeads = kHeads;
    std::int64_t width = kWidth;
};

// One attention of three inputs {batch, heads, tokens, width}.
class ShortAttentions : public testing::Test
{
protected:
    void attend(const Operands& of, std::vector<NamedArgument> more = {})
    {
        const auto input = [&](const char* name, std::int64_t heads, std::int64_t tokens) {
            return b.input(name, {of.type, {kBatch, heads, tokens, of.width}});
        };
        std::vector<NamedArgument> arguments{{"query", ValueRef{input("q", kHeads, of.tokens)}},
                                             {"key", ValueRef{input("k", of.keyHeads, of.keys)}},
                                             {"value", ValueRef{input("v", of.keyHeads, of.keys)}}};
        arguments.insert(arguments.end(), more.begin(), more.end());
        b.output(b.call1("aten::scaled_dot_product_attention", std::move(arguments)), "y");
    }
    [[nodiscard]] std::size_t groups(const DeviceDescription& device = commonGpus().front())
    {
        graph = b.finish().value();
        const GraphUses uses(graph);
        return attentionGroups(uses, NodeOrder(graph), device).size();
    }

    GraphBuilder b;
    Graph graph;
};

TEST_F(ShortAttentions, AreTaken)
{
    attend({});
    EXPECT_EQ(groups(), 1U);
    const auto found = shortAttention(graph, denseInputs(graph));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->heads, kHeads);
    EXPECT_EQ(found->q.tokenPitch, kWidth);
    EXPECT_EQ(found->q.headPitch, kTokens * kWidth);
    EXPECT_EQ(found->q.batchPitch, kHeads * kTokens * kWidth);
    EXPECT_DOUBLE_EQ(found->scale, 0.125);
    EXPECT_FALSE(found->causal);
}

TEST_F(ShortAttentions, KeepScaleAndOrder)
{
    attend({}, {{"is_causal", true}, {"scale", 0.5}});
    EXPECT_EQ(groups(), 1U);
    const auto found = shortAttention(graph, denseInputs(graph));
    ASSERT_TRUE(found);
    EXPECT_DOUBLE_EQ(found->scale, 0.5);
    EXPECT_TRUE(found->causal);
}

TEST_F(ShortAttentions, AreLeftToOlderDevices)
{
    attend({});
    DeviceDescription ampere = commonGpus().front();
    ampere.computeMajor = 8;
    EXPECT_EQ(groups(ampere), 0U);
}

TEST_F(ShortAttentions, AreCompositionsOnACpu)
{
    attend({});
    EXPECT_EQ(groups(DeviceDescription{}), 1U);
}

class OtherAttention : public ShortAttentions, public testing::WithParamInterface<Operands>
{
};

TEST_P(OtherAttention, IsLeftToTheLibrary)
{
    const bool grouped = GetParam().keyHeads != kHeads;
    attend(GetParam(), grouped ? std::vector<NamedArgument>{{"enable_gqa", true}}
                               : std::vector<NamedArgument>{});
    EXPECT_EQ(groups(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Operands, OtherAttention,
                         testing::Values(Operands{.type = DType::Float32}, Operands{.keys = 257},
                                         Operands{.keyHeads = 1}, Operands{.width = 40},
                                         Operands{.width = 96}, Operands{.width = 256}),
                         [](const auto& each) { return std::to_string(each.index); });

TEST_F(ShortAttentions, MasksAreLeftToTheLibrary)
{
    const ValueId mask = b.input("mask", {DType::Bool, {kTokens, kTokens}});
    attend({}, {{"attn_mask", ValueRef{mask}}});
    EXPECT_EQ(groups(), 0U);
}

TEST_F(ShortAttentions, ReadPartsOfOneTensor)
{
    const ValueId qkv = b.input("qkv", {DType::BFloat16, {kBatch, kTokens, 3 * kHeads * kWidth}});
    std::vector<ValueId> parts;
    for (const ValueId part : b.chunk(qkv, 3, -1))
        parts.push_back(b.transpose(b.reshape(part, {kBatch, kTokens, kHeads, kWidth}), 1, 2));
    b.output(b.attention(parts[0], parts[1], parts[2]), "y");
    EXPECT_EQ(groups(), 1U);
    const auto found = shortAttention(graph, denseInputs(graph));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->v.offset, 2 * kHeads * kWidth);
    EXPECT_EQ(found->v.tokenPitch, 3 * kHeads * kWidth);
    EXPECT_EQ(found->v.headPitch, kWidth);
    EXPECT_EQ(found->v.batchPitch, kTokens * 3 * kHeads * kWidth);
}

// Loads begin at multiples of sixteen bytes.
TEST_F(ShortAttentions, DoNotBeginBetweenLoads)
{
    const ValueId x = b.input("x", {DType::BFloat16, {kBatch, kHeads, kTokens, kWidth + 4}});
    const ValueId q = b.slice(x, -1, 4, kWidth + 4);
    b.output(b.attention(q, q, q), "y");
    EXPECT_EQ(groups(), 1U);
    EXPECT_FALSE(shortAttention(graph, denseInputs(graph)));
}

TEST_F(ShortAttentions, ABlockHas64QueriesOfAHead)
{
    attend({.tokens = 65, .keys = 17, .width = 128});
    EXPECT_EQ(groups(), 1U);
    const AttentionSource source = attentionSource(*shortAttention(graph, denseInputs(graph)));
    EXPECT_EQ(source.blocks, kBatch * kHeads * 2);
    EXPECT_EQ(source.keyRows, 32);
    EXPECT_GE(source.sharedBytes, 2 * 128 * (64 + 2 * 32));
}

TEST(FusedAttention, IsAProgramOnlyWhereItIsFree)
{
    const auto family = vitok::makeFamily(vitok::parseVariant("w64_d2_h1/1x8x16").value());
    const Recipe recipe = makeRecipe(*family, {"int8dq"}, "all").value();
    const Program program = lower(*family, {recipe, tests::imageShape(2, 64), {}}).value();
    const auto beside = [&](AttentionKernel kernel) {
        const RegionStage stage =
            fusedStage(program.stages[1], commonGpus().front(), kernel).value();
        return std::count_if(stage.graph.nodes.begin(), stage.graph.nodes.end(),
                             [](const Node& node) {
                                 return node.operation->operationClass == OperationClass::Attention;
                             });
    };
    EXPECT_EQ(beside(AttentionKernel::Auto), 0);
    EXPECT_EQ(beside(AttentionKernel::Cudnn), 2);
}

}  // namespace
}  // namespace qs::core
