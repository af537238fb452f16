#include "core/lower/fused/skinny_product.h"

#include "core/graph/builder.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/product_groups.h"
#include "core/lower/fused/weight_reader.h"
#include "tests/support/scheme_layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kIn = 1024;
constexpr std::int64_t kOut = 128;

RegionStage fusedLayer(const std::string& scheme, std::int64_t rows)
{
    const Scheme parsed = parseScheme(scheme).value();
    return fusedStage(tests::layerStage(parsed, {rows, kIn}, kOut, false), commonGpus().front())
        .value();
}

std::int64_t kernels(const RegionStage& stage)
{
    return std::count_if(stage.graph.nodes.begin(), stage.graph.nodes.end(), [](const Node& node) {
        return node.operation->operationClass != OperationClass::View;
    });
}

TEST(WidenedCodes, AreOneKernelInFrontOfAProductOfManyRows)
{
    for (const char* scheme : {"int4wo-128", "gptq-int4-64:order=none", "float8wo"}) {
        const RegionStage stage = fusedLayer(scheme, 1024);
        EXPECT_EQ(stage.programs.size(), 1U) << scheme;
        EXPECT_EQ(kernels(stage), 2) << scheme;
    }
    // One cast alone is a kernel as well, and what is scaled is the result.
    const RegionStage cast = fusedLayer("int8wo", 1024);
    EXPECT_EQ(cast.programs.size(), 2U);
    EXPECT_EQ(kernels(cast), 3);
    const Graph& widened = cast.programs.front().graph;
    EXPECT_EQ(widened.value(widened.outputs.front()).type.shape,
              (std::vector<std::int64_t>{kOut, kIn}))
        << "in the order of the codes";
}

// What int8wo multiplies with is turned by a view; a gate behind it is still part of the product.
TEST(WidenedCodes, ThatAreTurnedLeaveTheGateToTheProduct)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::BFloat16, {1024, kIn}});
    const ValueId w = b.weight("w", {DType::Int8, {2 * kOut, kIn}});
    const ValueId wide = b.matrixTranspose(b.cast(w, DType::BFloat16));
    const ValueId product = b.call1("aten::mm", {{"self", ValueRef{x}}, {"mat2", ValueRef{wide}}});
    const ValueId s = b.weight("s", {DType::BFloat16, {2 * kOut}});
    const auto halves = b.chunk(b.binary("mul", product, s), 2, -1);
    b.output(b.binary("mul", b.unary("silu", halves[0]), halves[1]), "y");
    StageProgram stage;
    stage.name = "stage";
    stage.graph = b.finish().value();
    const RegionStage fused = fusedStage(stage, commonGpus().front()).value();
    EXPECT_EQ(kernels(fused), 2);
    EXPECT_EQ(fused.programs.size(), 2U);
}

TEST(WidenedCodes, ArePartOfAProductOfFewRows)
{
    for (const char* scheme : {"int4wo-128", "gptq-int4-64:order=none", "float8wo", "int8wo"}) {
        for (const std::int64_t rows : {std::int64_t{1}, kSkinnyRows})
            EXPECT_EQ(kernels(fusedLayer(scheme, rows)), 1) << scheme;
        EXPECT_GT(kernels(fusedLayer(scheme, kSkinnyRows + 1)), 1) << scheme;
    }
}

// Columns in an order of their own are gathered: no element has a place of its own.
TEST(WidenedCodes, ThatAreGatheredAreNot)
{
    EXPECT_GT(kernels(fusedLayer("gptq-int4-64:order=group", 1)), 1);
}

TEST(WidenedCodes, AreNoneWhereWeightsAreWide)
{
    EXPECT_EQ(kernels(fusedLayer("bf16", 1)), 1);
    EXPECT_THAT(fusedLayer("bf16", 1024).programs, IsEmpty());
}

// y = x · (bf16(w) · 2)ᵀ, and what a test adds to it.
class SkinnyGroups : public testing::Test
{
protected:
    SkinnyGroups()
    {
        x = b.input("x", {DType::BFloat16, {4, 64}});
        w = b.weight("w", {DType::Int8, {32, 64}});
        wide = b.scalar("mul", b.cast(w, DType::BFloat16), 2.0);
    }
    [[nodiscard]] std::vector<std::size_t> sizes(const DeviceDescription& device)
    {
        graph = b.finish().value();
        std::vector<std::size_t> result;
        const GraphUses uses(graph);
        for (const NodeGroup& group : productGroups(uses, NodeOrder(graph), device))
            result.push_back(group.size());
        return result;
    }
    [[nodiscard]] std::vector<std::size_t> sizes() { return sizes(commonGpus().front()); }
    [[nodiscard]] static DeviceDescription older(int major)
    {
        DeviceDescription device = commonGpus().front();
        device.computeMajor = major;
        return device;
    }

    GraphBuilder b;
    ValueId x = -1;
    ValueId w = -1;
    ValueId wide = -1;
    Graph graph;
};

TEST_F(SkinnyGroups, TakeWhatMakesTheirWeightsAndWhatFollows)
{
    const ValueId scale = b.weight("s", {DType::Float32, {32, 1}});
    const ValueId factor = b.flatten(b.cast(scale, DType::BFloat16), 0, 1);
    b.output(b.binary("mul", b.linear(x, wide), factor), "y");
    EXPECT_THAT(sizes(), ElementsAre(6U));
}

TEST_F(SkinnyGroups, LeaveWeightsAloneThatOthersRead)
{
    b.output(b.linear(x, wide), "y");
    b.output(b.scalar("add", wide, 1.0), "z");
    EXPECT_THAT(sizes(), ElementsAre(1U)) << "the product alone";
}

TEST_F(SkinnyGroups, LeaveWeightsAloneThatDependOnInputs)
{
    const ValueId s = b.input("s", {DType::BFloat16, {32, 1}});
    b.output(b.linear(x, b.binary("mul", wide, s)), "y");
    EXPECT_THAT(sizes(), ElementsAre(1U)) << "the product alone";
}

TEST_F(SkinnyGroups, NeedNoUnitsOfHopper)
{
    b.output(b.linear(x, wide), "y");
    const std::vector<std::size_t> all{3U};
    EXPECT_EQ(sizes(older(8)), all);
}

TEST_F(SkinnyGroups, NeedProductsOfPairs)
{
    b.output(b.linear(x, wide), "y");
    EXPECT_THAT(sizes(older(7)), IsEmpty());
}

// Four bits, and in which order what a test does to them.
class NibbleWeights : public testing::Test
{
protected:
    NibbleWeights()
    {
        const ValueId bytes = b.input("codes", {DType::UInt8, {8, 32}});
        const ValueId upper = b.bitwise("bitwise_right_shift.Tensor_Scalar", bytes, 4);
        const ValueId lower = b.bitwise("bitwise_and.Scalar", bytes, 15);
        inOrder = b.view(b.cast(b.stack({upper, lower}, -1), DType::BFloat16), {8, 64});
        turned = b.view(b.cast(b.stack({lower, upper}, -1), DType::BFloat16), {8, 64});
    }
    // Neighbours that are widened at once: 32 of four bits, else 16.
    [[nodiscard]] int width(ValueId weight)
    {
        const ValueId x = b.input("x", {DType::BFloat16, {1, 64}});
        b.output(b.linear(x, weight), "y");
        const Graph graph = b.finish().value();
        const InputStrides strides = denseInputs(graph);
        const auto skinny = skinnyProduct(graph, strides);
        return weightReader(graph, strides, Division::Exact, *skinny).value().width;
    }

    GraphBuilder b;
    ValueId inOrder = -1;
    ValueId turned = -1;
};

TEST_F(NibbleWeights, TimesANumberAreWidenedOneByOne)
{
    EXPECT_EQ(width(b.scalar("mul", b.scalar("add", inOrder, -8.0), 0.5)), 16);
}

TEST_F(NibbleWeights, AreWidenedInPairsWithScalesOfGroups)
{
    const ValueId scale = b.input("s", {DType::BFloat16, {8, 2}});
    const ValueId grouped = b.view(b.scalar("add", inOrder, -8.0), {8, 2, 32});
    EXPECT_EQ(width(b.view(b.binary("mul", grouped, b.unsqueeze(scale, -1)), {8, 64})), 32);
}

TEST_F(NibbleWeights, WithScalesOfSmallerGroupsAreWidenedOneByOne)
{
    const ValueId scale = b.input("s", {DType::BFloat16, {8, 4}});
    const ValueId grouped = b.view(b.scalar("add", inOrder, -8.0), {8, 4, 16});
    EXPECT_EQ(width(b.view(b.binary("mul", grouped, b.unsqueeze(scale, -1)), {8, 64})), 16);
}

TEST_F(NibbleWeights, InAnotherOrderAreWidenedOneByOne)
{
    EXPECT_EQ(width(b.scalar("add", turned, -8.0)), 16);
}

TEST_F(NibbleWeights, WithASumThatHasMoreDigitsAreWidenedOneByOne)
{
    EXPECT_EQ(width(b.scalar("add", inOrder, -7.5)), 16);
}

TEST_F(NibbleWeights, AloneAreWidenedInPairs)
{
    EXPECT_EQ(width(inOrder), 32);
}

}  // namespace
}  // namespace qs::core
