#include "core/lower/fused/made_once.h"

#include "core/device/description.h"
#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"
#include "core/lower/fused/fused_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kPlaces = 64;

std::vector<std::string> operationsOf(const Graph& graph)
{
    std::vector<std::string> names;
    for (const Node& node : graph.nodes)
        names.emplace_back(node.operation->name);
    return names;
}

// Numbers turned by their places.
Graph turned(GraphBuilder& b)
{
    const ValueId x = b.input("x", {DType::Float32, {8, kPlaces}});
    const ValueId angles = b.scalar("mul", b.cast(arange(b, kPlaces), DType::Float32), 0.01);
    const ValueId products = b.binary("mul", x, b.unary("cos", angles));
    b.output(b.binary("add", products, b.unary("sin", angles)), "y");
    return b.finish().value();
}

TEST(MadeOnce, TablesOfPositionsAreWeights)
{
    GraphBuilder b;
    const MadeOnce made = madeOnce(turned(b)).value();
    EXPECT_THAT(operationsOf(made.once),
                ElementsAre("aten::arange", "aten::to", "aten::mul", "aten::cos", "aten::sin"));
    EXPECT_THAT(made.once.inputs, IsEmpty());
    EXPECT_THAT(operationsOf(made.rest), ElementsAre("aten::mul", "aten::add"));
    ASSERT_EQ(made.once.outputs.size(), 2U);
    for (const ValueId id : made.once.outputs) {
        const Value& table = made.once.value(id);
        const auto weight =
            std::find_if(made.rest.values.begin(), made.rest.values.end(), [&](const Value& each) {
                return each.kind == ValueKind::Weight && each.name == table.name;
            });
        ASSERT_NE(weight, made.rest.values.end());
        EXPECT_EQ(weight->type, table.type);
    }
}

TEST(MadeOnce, APassOfAStageHasNoTables)
{
    GraphBuilder b;
    StageProgram stage;
    stage.name = "net";
    stage.graph = turned(b);
    const RegionStage fused = fusedStage(stage, commonGpus().front()).value();
    EXPECT_EQ(fused.once.nodes.size(), 5U);
    EXPECT_THAT(operationsOf(fused.graph), ElementsAre("qs::region"));
}

TEST(MadeOnce, WhatDependsOnInputsOrWeightsIsMadeInEachPass)
{
    GraphBuilder b;
    const TensorType type{DType::Float32, {kPlaces}};
    const ValueId weight = b.weight("w", type);
    b.output(b.binary("mul", b.input("x", type), b.unary("cos", weight)), "y");
    const Graph graph = b.finish().value();
    const MadeOnce made = madeOnce(graph).value();
    EXPECT_THAT(made.once.nodes, IsEmpty());
    EXPECT_EQ(toText(made.rest), toText(graph));
}

TEST(MadeOnce, ConstantsThatAreWrittenToAreReadInEachPass)
{
    GraphBuilder b;
    const ValueId table = b.constant("table", {DType::Float32, {2}}, {1.0, 2.0});
    const ValueId first = b.constant("first", {DType::Int64, {1}}, {0.0});
    const ValueId before = b.unary("cos", table);
    const ValueId x = b.input("x", {DType::Float32, {1}});
    const ValueId written = indexCopyInPlace(b, table, 0, first, x);
    b.output(b.binary("add", before, written), "y");
    EXPECT_THAT(madeOnce(b.finish().value()).value().once.nodes, IsEmpty());
}

TEST(MadeOnce, ResultsOfTheGraphAreMadeInEachPass)
{
    GraphBuilder b;
    const ValueId angles = b.cast(arange(b, kPlaces), DType::Float32);
    b.output(b.binary("mul", b.input("x", {DType::Float32, {kPlaces}}), angles), "y");
    b.output(b.unary("cos", angles), "table");
    const MadeOnce made = madeOnce(b.finish().value()).value();
    EXPECT_THAT(operationsOf(made.once), ElementsAre("aten::arange", "aten::to"));
    EXPECT_THAT(operationsOf(made.rest), ElementsAre("aten::mul", "aten::cos"));
}

TEST(MadeOnce, ProductsAreCountedInEachPass)
{
    GraphBuilder b;
    const ValueId places = b.reshape(b.cast(arange(b, kPlaces), DType::Float32), {8, 8});
    const ValueId x = b.input("x", {DType::Float32, {8, 8}});
    b.output(b.binary("mul", x, b.linear(places, places)), "y");
    const MadeOnce made = madeOnce(b.finish().value()).value();
    EXPECT_THAT(operationsOf(made.rest), ElementsAre("aten::linear", "aten::mul"));
}

}  // namespace
}  // namespace qs::core
