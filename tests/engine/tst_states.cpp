#include "core/engine/execute/executor.h"

#include "core/graph/builder.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

namespace qs::engine {
namespace {

using core::DType;
using core::GraphBuilder;
using core::ValueId;

// A state keeps its content from run to run: a counter that adds its input and returns twice the
// count.
TEST(States, ACounterCountsAcrossRunsUntilItIsReset)
{
    const c10::InferenceMode guard;
    const core::TensorType scalar{DType::Float32, {1}};
    GraphBuilder builder;
    const ValueId step = builder.input("step", scalar);
    const ValueId count = builder.state("count", scalar);
    const ValueId after = builder.addInPlace(count, step);
    builder.output(builder.scalar("mul", after, 2.0), "twice");
    const core::Graph graph = builder.finish().value();

    const at::Tensor state = at::zeros({1});
    const auto executor =
        Executor::create(graph, {{"count", state}}, c10::Device(c10::kCPU)).value();
    const auto run = [&](float value) {
        return executor.run({at::full({1}, value)})[0].item<float>();
    };
    EXPECT_EQ(run(1.0F), 2.0F);
    EXPECT_EQ(run(2.0F), 6.0F);
    EXPECT_EQ(state.item<float>(), 3.0F);
    state.zero_();
    EXPECT_EQ(run(5.0F), 10.0F);
}

TEST(States, MutationsKeepTheirPlaceInTheOrder)
{
    const c10::InferenceMode guard;
    const core::TensorType scalar{DType::Float32, {1}};
    GraphBuilder builder;
    const ValueId step = builder.input("step", scalar);
    const ValueId count = builder.state("count", scalar);
    const ValueId before = builder.scalar("mul", count, 1.0);
    const ValueId after = builder.addInPlace(count, step);
    builder.output(builder.binary("sub", after, before), "difference");
    const core::Graph graph = builder.finish().value();
    const auto executor =
        Executor::create(graph, {{"count", at::full({1}, 7.0)}}, c10::Device(c10::kCPU)).value();
    EXPECT_EQ(executor.run({at::full({1}, 4.0)})[0].item<float>(), 4.0F);
}

}  // namespace
}  // namespace qs::engine
