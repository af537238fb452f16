#include "core/engine/compile/region_timing.h"

#include "core/engine/execute/executor.h"
#include "core/measure/sampler.h"
#include "core/stats/quantiles.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/max.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <set>

namespace qs::engine {

namespace {

constexpr int kWarmup = 5;
constexpr int kSamples = 15;
constexpr int kFewest = 3;              // samples of calls that take long
constexpr int kCallsInRow = 20;         // fewer than the driver lets wait
constexpr double kEnoughSeconds = 1.0;  // of one figure, unless its fewest samples take longer

// How many times something may be done that takes so long.
int timesWithin(double seconds, int most)
{
    return seconds * most <= kEnoughSeconds ? most : static_cast<int>(kEnoughSeconds / seconds);
}

double medianSeconds(Backend& backend, const std::function<void()>& work)
{
    SamplePlan plan;
    plan.steps = {work};
    double shortest = backend.timeSample(plan).seconds();
    for (int i = 0; i < timesWithin(shortest, kWarmup); ++i)
        shortest = std::min(shortest, backend.timeSample(plan).seconds());
    plan.passes = core::passesPerBlock(0.5 * shortest);
    const int count = std::max(kFewest, timesWithin(shortest * plan.passes, kSamples));
    std::vector<double> samples;
    for (int i = 0; i < count; ++i)
        samples.push_back(backend.timeSample(plan).seconds());
    return core::median(samples);
}

// What is asked for while the GPU works on what was asked before, so that nothing waits for it.
// `seconds`: of the GPU for one call.
std::optional<double> launchSeconds(Backend& backend, const std::function<void()>& work,
                                    double seconds)
{
    if (backend.stream() == nullptr)
        return std::nullopt;
    const int calls = std::max(1, timesWithin(seconds * kFewest, kCallsInRow));
    const int count = std::max(kFewest, timesWithin(seconds * calls, kSamples));
    std::vector<double> samples;
    for (int i = 0; i < count; ++i) {
        backend.synchronize();
        const auto begin = std::chrono::steady_clock::now();
        for (int call = 0; call < calls; ++call)
            work();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        samples.push_back(taken.count() / calls);
    }
    return core::median(samples);
}

// Everything that has to come in and go out once.
std::int64_t bytesOf(const core::Graph& graph)
{
    std::int64_t bytes = 0;
    for (const auto& list : {graph.inputs, graph.outputs}) {
        for (const core::ValueId id : list)
            bytes += graph.value(id).type.bytes();
    }
    return bytes;
}

// A difference that is no finite number counts as not close.
core::PartNumerics compared(const std::vector<at::Tensor>& compiled,
                            const std::vector<at::Tensor>& eager)
{
    core::PartNumerics numerics{.equal = true, .close = true};
    for (std::size_t i = 0; i < eager.size(); ++i) {
        const at::Tensor a = compiled.at(i).to(at::kFloat);
        const at::Tensor b = eager[i].to(at::kFloat);
        numerics.equal = numerics.equal && at::equal(a, b);
        numerics.close =
            numerics.close && at::allclose(a, b, core::kPartTolerance, core::kPartTolerance, false);
        const double largest = b.numel() == 0 ? 0.0 : at::max(at::abs(a - b)).item<double>();
        if (std::isfinite(largest))
            numerics.largestDifference = std::max(numerics.largestDifference, largest);
    }
    return numerics;
}

}  // namespace

core::Result<core::PartTime> timeRegion(const core::Graph& graph, const LoadedPackage& package,
                                        const std::vector<at::Tensor>& inputs, Backend& backend)
{
    QS_TRY(const Executor eager, Executor::create(graph, {}, backend.device()));
    core::PartTime time{
        .bytes = bytesOf(graph),
        .eagerSeconds = medianSeconds(backend, [&] { static_cast<void>(eager.run(inputs)); }),
        .compiledSeconds = medianSeconds(backend, [&] { static_cast<void>(package.run(inputs)); })};
    time.launchSeconds = launchSeconds(
        backend, [&] { static_cast<void>(package.run(inputs)); }, time.compiledSeconds);
    time.numerics = compared(package.run(inputs), eager.run(inputs));
    return time;
}

}  // namespace qs::engine
