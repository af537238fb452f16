#include "core/engine/compile/kernel_tuning.h"

#include <ATen/ops/empty_strided.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace qs::engine {

using core::Result;

namespace {

constexpr std::size_t kInARow = 20;
constexpr int kTurns = 5;

}  // namespace

// What recording them took of the device is given back: of many ways to compute a large group it
// would not hold all.
Result<double> leastSeconds(Backend& backend, const std::function<void(const Tensors&)>& call,
                            const std::vector<Tensors>& turns)
{
    try {
        call(turns.front());
    } catch (const LaunchError& error) {
        return core::Error{core::ErrorCode::Unsupported, error.what()};
    }
    double least = std::numeric_limits<double>::infinity();
    {
        QS_TRY(const auto recorded, backend.record([&] {
            for (std::size_t i = 0; i < kInARow; ++i)
                call(turns[i % turns.size()]);
        }));
        for (int turn = 0; turn < kTurns; ++turn) {
            SamplePlan plan;
            plan.steps = {[&] { recorded->launch(); }};
            plan.held = backend.holdsStreams();
            least = std::min(least, backend.timeSample(plan).seconds());
        }
    }
    backend.releaseCache();
    return least / static_cast<double>(kInARow);
}

std::vector<Tensors> withWeightsOfTheirOwn(const Tensors& inputs, const std::vector<bool>& weights)
{
    constexpr std::int64_t kMost = 20;
    constexpr std::int64_t kForgottenAfter = 128 * 1024 * 1024;  // caches of GPUs have half of it
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
        bytes += weights[i] ? static_cast<std::int64_t>(inputs[i].nbytes()) : 0;
    if (bytes == 0)
        return {inputs};
    const std::int64_t copies = std::min(kMost, kForgottenAfter / bytes + 1);
    std::vector<Tensors> turns(static_cast<std::size_t>(copies), inputs);
    for (std::size_t turn = 1; turn < turns.size(); ++turn) {
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (!weights[i])
                continue;
            // A clone of rows that are padded would lie without the padding.
            const at::Tensor& weight = inputs[i];
            turns[turn][i] = at::empty_strided(weight.sizes(), weight.strides(), weight.options());
            turns[turn][i].copy_(weight);
        }
    }
    return turns;
}

MadeKernel fastest(const KernelSite& site, const std::vector<Candidate>& candidates,
                   const std::function<std::vector<Tensors>()>& turns)
{
    std::string key =
        "fastest on " + site.device.name + " with driver " + site.device.driver + "\n";
    for (const Candidate& candidate : candidates)
        key += candidate.text;
    const auto kept = site.backend.kernels().find(key);
    for (const Candidate& candidate : candidates) {
        if (candidate.name == kept)
            return candidate.make();
    }
    std::unique_ptr<FusedKernel> best;
    std::string name;
    double least = std::numeric_limits<double>::infinity();
    core::Error failure{core::ErrorCode::Unsupported, "there is nothing to try"};
    const std::vector<Tensors> inputs = turns();
    for (const Candidate& candidate : candidates) {
        auto kernel = candidate.make();
        const auto call = [&](const Tensors& given) {
            static_cast<void>(kernel.value()->run(given));
        };
        const auto seconds =
            kernel.ok() ? leastSeconds(site.backend, call, inputs) : Result<double>(kernel.error());
        if (!seconds.ok()) {
            failure = seconds.error();
        } else if (seconds.value() < least) {
            least = seconds.value();
            name = candidate.name;
            best = std::move(kernel.value());
        }
    }
    if (best == nullptr)
        return failure;
    site.backend.kernels().add(key, name);
    return best;
}

}  // namespace qs::engine
