#include "core/engine/compile/region_timing.h"

#include "core/engine/execute/executor.h"
#include "core/measure/sampler.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <functional>
#include <set>

namespace qs::engine {

namespace {

constexpr int kWarmup = 5;
constexpr int kSamples = 15;

double medianSeconds(Backend& backend, const std::function<void()>& work)
{
    SamplePlan plan;
    plan.steps = {work};
    double shortest = backend.timeSample(plan).seconds();
    for (int i = 0; i < kWarmup; ++i)
        shortest = std::min(shortest, backend.timeSample(plan).seconds());
    plan.passes = core::passesPerBlock(0.5 * shortest);
    std::vector<double> samples;
    for (int i = 0; i < kSamples; ++i)
        samples.push_back(backend.timeSample(plan).seconds());
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

}  // namespace

core::Result<core::PartTime> timeRegion(const core::Graph& graph, const LoadedPackage& package,
                                        const std::vector<at::Tensor>& inputs, Backend& backend)
{
    QS_TRY(const Executor eager, Executor::create(graph, {}, backend.device()));
    return core::PartTime{bytesOf(graph),
                          medianSeconds(backend, [&] { static_cast<void>(eager.run(inputs)); }),
                          medianSeconds(backend, [&] { static_cast<void>(package.run(inputs)); })};
}

}  // namespace qs::engine
