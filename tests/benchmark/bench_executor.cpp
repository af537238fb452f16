// What the executor adds to an operation: a chain of small operations, direct calls against
// instructions. "per_op" of both; their difference is the executor's own overhead.

#include "core/engine/execute/executor.h"
#include "core/graph/builder.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/randn.h>
#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>

namespace {

constexpr int kPairs = 200;

void directCalls(benchmark::State& state)
{
    const c10::InferenceMode guard;
    const at::Tensor input = at::randn({4});
    const at::Tensor factor = at::randn({4});
    for (auto _ : state) {
        at::Tensor x = input;
        for (int i = 0; i < kPairs; ++i)
            x = at::mul(at::abs(x), factor);
        benchmark::DoNotOptimize(x);
    }
    state.counters["per_op"] = benchmark::Counter(
        2.0 * kPairs, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void executor(benchmark::State& state)
{
    const c10::InferenceMode guard;
    qs::core::GraphBuilder builder;
    const qs::core::TensorType type{qs::core::DType::Float32, {4}};
    const auto input = builder.input("x", type);
    const auto factor = builder.weight("factor", type);
    auto x = input;
    for (int i = 0; i < kPairs; ++i)
        x = builder.binary("mul", builder.unary("abs", x), factor);
    builder.output(x, "y");
    const qs::core::Graph graph = builder.finish().value();
    const auto program =
        qs::engine::Executor::create(graph, {{"factor", at::randn({4})}}, c10::Device(c10::kCPU))
            .value();
    const at::Tensor value = at::randn({4});
    for (auto _ : state)
        benchmark::DoNotOptimize(program.run({value}));
    state.counters["per_op"] = benchmark::Counter(
        2.0 * kPairs, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

}  // namespace

BENCHMARK(directCalls);
BENCHMARK(executor);
BENCHMARK_MAIN();
