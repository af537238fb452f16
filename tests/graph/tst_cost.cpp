#include "core/graph/builder.h"
#include "core/graph/cost.h"

#include <gtest/gtest.h>

namespace qs::core {
namespace {

TEST(GraphCost, OfALinearLayer)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::BFloat16, {2, 3, 8}});
    const ValueId weight = b.weight("w", {DType::BFloat16, {16, 8}});
    b.output(b.linear(x, weight, b.weight("b", {DType::BFloat16, {16}})), "y");
    const Graph graph = b.finish().value();
    const Cost cost = costOf(graph, graph.nodes[0]);
    EXPECT_EQ(cost.matmulFlops, 2.0 * 6 * 8 * 16);
    EXPECT_EQ(cost.attentionFlops, 0.0);
    EXPECT_EQ(cost.weightBytes, 2.0 * (16 * 8 + 16));
    EXPECT_EQ(cost.activationBytes, 2.0 * (6 * 8 + 6 * 16));
    EXPECT_EQ(cost.parameters, 16 * 8 + 16);
    EXPECT_EQ(cost.flops(), cost.matmulFlops);
}

TEST(GraphCost, OfAttention)
{
    GraphBuilder b;
    const TensorType type{DType::Float32, {2, 4, 10, 8}};
    const ValueId q = b.input("q", type);
    const TensorType longer{DType::Float32, {2, 4, 20, 8}};
    const ValueId k = b.input("k", longer);
    b.output(b.attention(q, k, b.input("v", longer)), "y");
    const Graph graph = b.finish().value();
    const Cost cost = costOf(graph);
    // Q·Kᵀ and P·V, each 2 · B·H·Nq·Nk·D.
    EXPECT_EQ(cost.attentionFlops, 2.0 * 2.0 * (2 * 4 * 10 * 20 * 8));
    EXPECT_EQ(cost.matmulFlops, 0.0);
    EXPECT_EQ(cost.activationBytes, 4.0 * (2 * 640 + 2 * 1280));
    EXPECT_EQ(cost.flops(), cost.attentionFlops);
}

TEST(GraphCost, OfEightBitProducts)
{
    GraphBuilder b;
    const ValueId a = b.input("a", {DType::Int8, {32, 64}});
    const ValueId c = b.input("c", {DType::Int8, {64, 16}});
    b.output(b.integerMatmul(a, c), "y");
    const Cost cost = costOf(b.finish().value());
    EXPECT_EQ(cost.matmulFlops, 2.0 * 32 * 64 * 16);
    EXPECT_EQ(cost.activationBytes, 32 * 64 + 64 * 16 + 4.0 * 32 * 16);
}

TEST(GraphCost, ElementwiseWorkCountsBytesAndNoArithmetic)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::BFloat16, {4, 4}});
    b.output(b.cast(b.unary("silu", x), DType::Float32), "y");
    const Cost cost = costOf(b.finish().value());
    EXPECT_EQ(cost.flops(), 0.0);
    EXPECT_EQ(cost.activationBytes, (32 + 32) + (32 + 64));
}

TEST(GraphCost, ViewsCostNothing)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::BFloat16, {4, 6}});
    const ValueId viewed = b.transpose(b.view(x, {2, 2, 6}), 0, 2);
    b.output(b.chunk(b.select(viewed, 2, 0), 3, 0)[1], "y");
    const Graph graph = b.finish().value();
    for (const Node& node : graph.nodes) {
        EXPECT_EQ(costOf(graph, node).activationBytes, 0.0);
        EXPECT_EQ(costOf(graph, node).flops(), 0.0);
    }
}

TEST(GraphCost, AWeightReadTwiceIsCountedOnce)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {2, 4}});
    const ValueId weight = b.weight("w", {DType::Float32, {4, 4}});
    ValueId y = -1;
    {
        const ModuleScope first(b, "first");
        y = b.linear(x, weight);
    }
    const ModuleScope second(b, "second");
    b.output(b.linear(y, weight), "y");
    const Graph graph = b.finish().value();
    EXPECT_EQ(costOf(graph).parameters, 16);
    EXPECT_EQ(costOf(graph).weightBytes, 64.0);
    const auto modules = costPerModule(graph);
    ASSERT_EQ(modules.size(), 2U);
    EXPECT_EQ(modules[0].cost.parameters, 16);
    EXPECT_EQ(modules[1].cost.parameters, 0);
    EXPECT_EQ(costOf(graph, graph.nodes[1]).parameters, 16) << "alone, the node does read it";
}

// Lowered int8 and float8 products read their codes transposed: those bytes belong to the weight.
TEST(GraphCost, AWeightReadThroughViewsIsNoActivation)
{
    GraphBuilder b;
    const ValueId x = b.input("x", {DType::Int8, {32, 64}});
    const ValueId codes = b.weight("w:codes", {DType::Int8, {16, 64}});
    b.output(b.integerMatmul(x, b.matrixTranspose(codes)), "y");
    const Graph graph = b.finish().value();
    const Cost view = costOf(graph, graph.nodes[0]);
    EXPECT_EQ(view.weightBytes, 0.0);
    EXPECT_EQ(view.activationBytes, 0.0);
    const Cost product = costOf(graph, graph.nodes[1]);
    EXPECT_EQ(product.weightBytes, 16.0 * 64);
    EXPECT_EQ(product.parameters, 16 * 64);
    EXPECT_EQ(product.activationBytes, 32.0 * 64 + 4.0 * 32 * 16);
    EXPECT_EQ(costOf(graph).activationBytes, product.activationBytes);
    EXPECT_EQ(costOf(graph).weightBytes, product.weightBytes);
}

TEST(GraphCost, ModulesAddUpInOrderOfAppearance)
{
    GraphBuilder b;
    ValueId x = b.input("x", {DType::Float32, {2, 4}});
    for (const char* name : {"z", "a", "z"}) {
        const ModuleScope scope(b, name);
        x = b.unary("silu",
                    b.linear(x, b.weight(std::string(name) + ".w", {DType::Float32, {4, 4}})));
    }
    b.output(x, "y");
    const Graph graph = b.finish().value();
    const auto modules = costPerModule(graph);
    ASSERT_EQ(modules.size(), 2U);
    EXPECT_EQ(modules[0].module, "z");
    EXPECT_EQ(modules[1].module, "a");
    EXPECT_EQ(modules[0].cost.matmulFlops, 2 * modules[1].cost.matmulFlops);
    Cost sum;
    for (const LayerCost& layer : modules)
        sum += layer.cost;
    const Cost whole = costOf(graph);
    EXPECT_EQ(sum.matmulFlops, whole.matmulFlops);
    EXPECT_EQ(sum.attentionFlops, whole.attentionFlops);
    EXPECT_EQ(sum.weightBytes, whole.weightBytes);
    EXPECT_EQ(sum.activationBytes, whole.activationBytes);
    EXPECT_EQ(sum.parameters, whole.parameters);
}

}  // namespace
}  // namespace qs::core
