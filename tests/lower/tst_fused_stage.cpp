#include "core/lower/fused/fused_stage.h"

#include "core/graph/builder.h"
#include "core/graph/graph_uses.h"
#include "core/lower/fused/attention_source.h"
#include "core/lower/fused/fused_groups.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/product_source.h"
#include "core/lower/fused/without_repeats.h"
#include "core/model/vitok/vitok.h"
#include "tests/support/image_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RegionStage fusedDecoder(const char* scheme, int depth)
{
    const auto variant = "w64_d" + std::to_string(depth) + "_h1/1x8x16";
    const auto family = vitok::makeFamily(vitok::parseVariant(variant).value());
    const Recipe recipe = makeRecipe(*family, {scheme}, "all").value();
    const Program program = lower(*family, {recipe, tests::imageShape(2, 64), {}}).value();
    return fusedStage(program.stages[1], commonGpus().front()).value();
}

// Operations that a device is asked for: views are none.
std::int64_t launches(const RegionStage& stage)
{
    return std::count_if(stage.graph.nodes.begin(), stage.graph.nodes.end(), [](const Node& node) {
        return node.operation->operationClass != OperationClass::View;
    });
}

TEST(FusedStage, ABlockIsFourProductsAttentionAndFourKernels)
{
    for (const char* scheme : {"int8dq", "float8dq-row"}) {
        // Whatever else a scheme needs, such as a scale as one dense row, is there once a product.
        const std::int64_t block =
            launches(fusedDecoder(scheme, 3)) - launches(fusedDecoder(scheme, 2));
        const std::int64_t dense = std::string_view(scheme) == "int8dq" ? 0 : 4;
        EXPECT_EQ(block, 9 + dense) << scheme;
    }
}

TEST(FusedStage, EqualBlocksShareKernels)
{
    const RegionStage two = fusedDecoder("int8dq", 2);
    const RegionStage five = fusedDecoder("int8dq", 5);
    EXPECT_EQ(two.programs.size(), five.programs.size());
    EXPECT_GT(five.programOf.size(), two.programOf.size());
    EXPECT_TRUE(validate(five.graph).ok());
}

TEST(FusedStage, SaysWhatRunsInKernelsAndWhatBeside)
{
    const RegionStage stage = fusedDecoder("int8dq", 2);
    const auto note = std::find_if(stage.notes.begin(), stage.notes.end(), [](const Note& each) {
        return each.code == NoteCode::FusedKernels;
    });
    ASSERT_NE(note, stage.notes.end());
    EXPECT_EQ(std::get<double>(note->arguments.at(1)), static_cast<double>(stage.programOf.size()));
}

// y = silu(x + 1) · 2, and what a test adds in between.
class FusedGroups : public testing::Test
{
protected:
    FusedGroups() : x(b.input("x", {DType::Float32, {4, 8}})) {}

    [[nodiscard]] std::vector<std::size_t> sizes()
    {
        graph = b.finish().value();
        std::vector<std::size_t> result;
        const GraphUses uses(graph);
        for (const NodeGroup& group : fusedGroups(uses, NodeOrder(graph), {}))
            result.push_back(group.size());
        return result;
    }

    GraphBuilder b;
    ValueId x;
    Graph graph;
};

TEST_F(FusedGroups, AChainIsOne)
{
    b.output(b.scalar("mul", b.unary("silu", b.scalar("add", x, 1.0)), 2.0), "y");
    EXPECT_THAT(sizes(), ElementsAre(3U));
}

TEST_F(FusedGroups, AProductEndsIt)
{
    const ValueId weight = b.weight("w", {DType::Float32, {8, 8}});
    const ValueId first = b.unary("silu", b.scalar("add", x, 1.0));
    const ValueId product = b.linear(first, weight);
    b.output(b.scalar("mul", b.unary("silu", product), 2.0), "y");
    EXPECT_THAT(sizes(), ElementsAre(2U, 2U));
}

// What is read again behind a product may not wait for it.
TEST_F(FusedGroups, AResidualBelongsToItsFirstReader)
{
    const ValueId weight = b.weight("w", {DType::Float32, {8, 8}});
    const ValueId sum = b.scalar("add", b.scalar("mul", x, 3.0), 1.0);
    const ValueId product = b.linear(b.unary("silu", sum), weight);
    b.output(b.binary("add", b.scalar("mul", product, 2.0), sum), "y");
    EXPECT_THAT(sizes(), ElementsAre(3U, 2U));
}

TEST_F(FusedGroups, WhatIsWrittenInPlaceStaysInOrder)
{
    const ValueId sum = b.scalar("add", x, 1.0);
    const ValueId twice = b.scalar("mul", sum, 2.0);
    b.addInPlace(sum, twice);
    b.output(b.unary("silu", sum), "y");
    EXPECT_THAT(sizes(), IsEmpty());
}

TEST_F(FusedGroups, RowsOfTwoLengthsAreTwoKernels)
{
    const ValueId rows = b.binary("sub", x, b.mean(x, {-1}));
    const ValueId other = b.reshape(rows, {2, 16});
    b.output(b.binary("sub", other, b.mean(other, {-1})), "y");
    const auto found = sizes();
    ASSERT_EQ(found.size(), 2U);
}

TEST_F(FusedGroups, OtherAxesAreLeft)
{
    b.output(b.binary("sub", x, b.mean(x, {0})), "y");
    EXPECT_THAT(sizes(), IsEmpty());
}

TEST_F(FusedGroups, DoublesAreLeft)
{
    const ValueId wide = b.cast(x, DType::Float64);
    b.output(b.unary("silu", b.unary("cos", wide)), "y");
    EXPECT_THAT(sizes(), IsEmpty());
}

TEST(KernelSource, RowsThatAreReadAcrossEachOtherAreNoKernel)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4, 8}});
    const ValueId centred = b.binary("sub", x, b.mean(x, {-1}));
    b.output(b.transpose(b.scalar("mul", centred, 2.0), 0, 1), "y");
    const Graph graph = b.finish().value();
    EXPECT_FALSE(kernelSource(graph, denseInputs(graph), Division::Exact).ok());
}

TEST(KernelSource, ResultsOfSeveralSizesAreNoKernel)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4, 8}});
    const ValueId y = b.input("y", {DType::Float32, {4, 4}});
    b.output(b.scalar("mul", b.unary("silu", x), 2.0), "a");
    b.output(b.scalar("mul", b.unary("silu", y), 2.0), "b");
    const Graph graph = b.finish().value();
    EXPECT_FALSE(kernelSource(graph, denseInputs(graph), Division::Exact).ok());
}

TEST(KernelSource, IsNamedAfterWhatItDoes)
{
    const RegionStage stage = fusedDecoder("int8dq", 2);
    std::set<std::string> names;
    for (const RegionProgram& program : stage.programs) {
        const InputStrides strides = denseInputs(program.graph);
        if (const auto attention = shortAttention(program.graph, strides)) {
            names.insert(attentionSource(*attention).name);
            continue;
        }
        names.insert(matrixProduct(program.graph, strides)
                         ? productSource(program.graph, strides, Division::Exact, 132).value().name
                         : kernelSource(program.graph, strides, Division::Exact).value().name);
    }
    EXPECT_THAT(names, testing::IsSupersetOf(
                           {"qs_norm_round", "qs_norm_rope", "qs_round", "qs_attention_64x64"}));
    EXPECT_THAT(names, testing::Contains(testing::StartsWith("qs_product_int8_gate_")));
    EXPECT_THAT(names, testing::Contains(testing::MatchesRegex("qs_product_int8_[0-9]+x[0-9]+.*")));
}

TEST(WithoutRepeats, EqualOperationsAreOne)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4}});
    const ValueId first = b.unary("silu", x);
    const ValueId second = b.unary("silu", x);
    const ValueId third = b.scalar("mul", second, 2.0);
    const ValueId fourth = b.scalar("mul", second, 3.0);
    b.output(b.binary("add", b.binary("add", first, third), fourth), "y");
    const Graph graph = withoutRepeats(b.finish().value());
    EXPECT_EQ(graph.nodes.size(), 5U);
    EXPECT_TRUE(validate(graph).ok());
}

TEST(WithoutRepeats, WhatIsWrittenToIsNot)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {4}});
    const ValueId first = b.unary("silu", x);
    const ValueId second = b.unary("silu", x);
    b.addInPlace(first, second);
    b.output(b.binary("add", first, second), "y");
    EXPECT_EQ(withoutRepeats(b.finish().value()).nodes.size(), 4U);
}

}  // namespace
}  // namespace qs::core
