#include "core/engine/execute/executor.h"

#include "core/graph/builder.h"
#include "tests/engine/cpu_device.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::engine {
namespace {

using tests::kCpu;

using core::DType;
using core::Graph;
using core::GraphBuilder;
using core::ValueId;
using ::testing::HasSubstr;

core::TensorType floats(std::vector<std::int64_t> shape)
{
    return {DType::Float32, std::move(shape)};
}

class ExecutorTest : public ::testing::Test
{
    c10::InferenceMode m_guard;
};

TEST_F(ExecutorTest, RunsALinearLayerAsAtenDoes)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", floats({2, 3, 8}));
    const ValueId y =
        builder.linear(x, builder.weight("w", floats({5, 8})), builder.weight("b", floats({5})));
    builder.output(y, "y");
    const Graph graph = builder.finish().value();
    const at::Tensor weight = at::randn({5, 8});
    const at::Tensor bias = at::randn({5});
    const auto executor = Executor::create(graph, {{"w", weight}, {"b", bias}}, kCpu);
    ASSERT_TRUE(executor.ok()) << executor.error().message;
    const at::Tensor input = at::randn({2, 3, 8});
    const auto outputs = executor.value().run({input});
    ASSERT_EQ(outputs.size(), 1U);
    EXPECT_TRUE(outputs[0].allclose(input.matmul(weight.t()) + bias, 1e-5, 1e-6));
}

TEST_F(ExecutorTest, ListsGoInAndOut)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", floats({4, 6}));
    const auto halves = builder.chunk(x, 2, -1);
    builder.output(builder.concatenate({halves[1], halves[0], halves[1]}, 1), "y");
    const Graph graph = builder.finish().value();
    const auto executor = Executor::create(graph, {}, kCpu).value();
    const at::Tensor input = at::randn({4, 6});
    const auto parts = input.chunk(2, -1);
    EXPECT_TRUE(executor.run({input})[0].equal(at::cat({parts[1], parts[0], parts[1]}, 1)));
}

TEST_F(ExecutorTest, ValuesDieAfterTheirLastUse)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", floats({16}));
    const ValueId a = builder.unary("abs", x);      // used once, by b
    const ValueId b = builder.unary("cos", a);      // used by c and d
    const ValueId c = builder.unary("sin", b);      // never used again
    const ValueId d = builder.binary("add", b, b);  // output
    builder.output(d, "d");
    const Graph graph = builder.finish().value();
    const auto executor = Executor::create(graph, {}, kCpu).value();
    auto values = executor.begin({at::randn({16})});
    const auto alive = [&](ValueId id) { return !values[static_cast<std::size_t>(id)].isNone(); };
    executor.runRange(0, 1, values, {});
    EXPECT_FALSE(alive(x));
    EXPECT_TRUE(alive(a));
    executor.runRange(1, 2, values, {});
    EXPECT_FALSE(alive(a));
    executor.runRange(2, 3, values, {});
    EXPECT_FALSE(alive(c)) << "a result that nobody reads is dropped at once";
    EXPECT_TRUE(alive(b));
    executor.runRange(3, 4, values, {});
    EXPECT_FALSE(alive(b));
    EXPECT_TRUE(alive(d));
    EXPECT_EQ(executor.outputs(values).size(), 1U);
}

TEST_F(ExecutorTest, RunningInRangesGivesTheSameAndShowsEachResult)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", floats({3, 4}));
    const ValueId y = builder.scalar("mul", builder.unary("abs", x), 2.0);
    builder.output(builder.scalar("add", y, 1.0), "y");
    const Graph graph = builder.finish().value();
    const auto executor = Executor::create(graph, {}, kCpu).value();
    const at::Tensor input = at::randn({3, 4});
    std::vector<std::string> seen;
    auto values = executor.begin({input});
    const Executor::Observer observer = [&](const core::Node& node,
                                            const std::vector<at::Tensor>& results) {
        EXPECT_EQ(results.size(), 1U);
        seen.push_back(node.operation->fullName());
    };
    executor.runRange(0, 2, values, observer);
    executor.runRange(2, executor.instructionCount(), values, observer);
    EXPECT_THAT(seen, ::testing::ElementsAre("aten::abs", "aten::mul.Scalar", "aten::add.Scalar"));
    EXPECT_TRUE(executor.outputs(values)[0].equal(executor.run({input})[0]));
}

// Packages ask the same flag as the operations that are called one by one.
TEST_F(ExecutorTest, WhatRunsInPlaceOfAnOperationMayUseTf32WhereTheGraphMay)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", floats({3, 4}));
    builder.output(builder.unary("abs", x), "y");
    Graph graph = builder.finish().value();
    for (const bool allowed : {true, false}) {
        graph.allowTf32 = allowed;
        const auto executor = Executor::create(graph, {}, kCpu).value();
        at::globalContext().setAllowTF32CuBLAS(!allowed);
        auto values = executor.begin({at::ones({3, 4})});
        EXPECT_EQ(at::globalContext().allowTF32CuBLAS(), allowed);
        EXPECT_EQ(at::globalContext().allowTF32CuDNN(), allowed);
        executor.replace(0, values, {at::ones({3, 4})});
    }
}

TEST_F(ExecutorTest, SaysWhatIsMissingOrWrong)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", floats({2, 8}));
    builder.output(builder.linear(x, builder.weight("deep.w", floats({5, 8}))), "y");
    const Graph graph = builder.finish().value();
    EXPECT_THAT(Executor::create(graph, {}, kCpu).error().message, HasSubstr("deep.w"));
    EXPECT_THAT(Executor::create(graph, {{"deep.w", at::ones({8, 5})}}, kCpu).error().message,
                HasSubstr("another type than float32[5, 8]"));

    Graph unknownArgument = graph;
    unknownArgument.nodes[0].arguments.push_back({"colour", true});
    EXPECT_THAT(
        Executor::create(unknownArgument, {{"deep.w", at::ones({5, 8})}}, kCpu).error().message,
        HasSubstr("unknown argument"));
    Graph tooFew = graph;
    tooFew.nodes[0].arguments.pop_back();
    EXPECT_THAT(Executor::create(tooFew, {{"deep.w", at::ones({5, 8})}}, kCpu).error().message,
                HasSubstr("lacks its argument weight"));
}

TEST_F(ExecutorTest, OurOwnOperationMustBeLoweredFirst)
{
    GraphBuilder builder;
    const ValueId x = builder.input("x", floats({2, 8}));
    builder.output(builder.linear(x, builder.weight("w", floats({5, 8}))), "y");
    Graph graph = builder.finish().value();
    graph.nodes[0].operation = core::findOperation(core::kQsLinear);
    const auto result = Executor::create(graph, {{"w", at::ones({5, 8})}}, kCpu);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, core::ErrorCode::Unsupported);
}

}  // namespace
}  // namespace qs::engine
