#include "core/engine/compile/kernel_tuning.h"

#include "core/base/format.h"
#include "core/engine/execute/executor.h"
#include "core/engine/internal/torch_types.h"
#include "core/lower/fused/kernel_source.h"

#include <ATen/ops/empty_strided.h>
#include <torch/headeronly/version.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <limits>
#include <optional>
#include <utility>

namespace qs::engine {

using core::Result;

namespace {

constexpr std::size_t kInARow = 20;
constexpr int kTurns = 5;

class LibraryKernel final : public FusedKernel
{
public:
    explicit LibraryKernel(Executor executor)
        : FusedKernel(std::string()), m_executor(std::move(executor))
    {
    }
    [[nodiscard]] Tensors run(const Tensors& inputs) const override
    {
        return m_executor.run(inputs);
    }
    [[nodiscard]] bool isOwn() const override { return false; }

private:
    Executor m_executor;
};

// What cannot be kept would be compiled twice; what does not compile says so when it is made.
void compileSideBySide(const KernelSite& site, const std::vector<Candidate>& candidates)
{
    const core::KernelCache& cache = site.backend.kernels();
    std::vector<std::future<void>> compiling;
    for (const Candidate& candidate : candidates) {
        if (candidate.isSource && cache.keeps())
            compiling.push_back(std::async(std::launch::async, [&] {
                static_cast<void>(core::compileKernel(core::cudaPrelude() + candidate.text,
                                                      site.device.computeMajor,
                                                      site.device.computeMinor, cache)
                                      .ok());
            }));
    }
    for (const std::future<void>& each : compiling)
        each.wait();
}

// Kept are the seconds, a line, and the name. None where it cannot be made any more.
std::unique_ptr<FusedKernel> keptKernel(const std::vector<Candidate>& candidates,
                                        const std::string& kept)
{
    const std::string name = kept.substr(kept.find('\n') + 1);
    for (const Candidate& candidate : candidates) {
        if (candidate.name != name)
            continue;
        MadeKernel kernel = candidate.make();
        if (!kernel.ok())
            return nullptr;
        kernel.value()->wasChosen(name, std::strtod(kept.c_str(), nullptr), true);
        return std::move(kernel.value());
    }
    return nullptr;
}

// What trying the candidates gave.
struct Trial {
    std::unique_ptr<FusedKernel> best;
    std::string name;
    double least = std::numeric_limits<double>::infinity();
    core::Error failure{core::ErrorCode::Unsupported, "there is nothing to try"};
    bool complete = true;  // memory was enough for each of them

    void failed(core::Error error)
    {
        complete = complete && error.code != core::ErrorCode::OutOfMemory;
        failure = std::move(error);
    }
};

void tryOne(const KernelSite& site, const Candidate& candidate, const std::vector<Tensors>& inputs,
            Trial& trial)
{
    auto kernel = candidate.make();
    if (!kernel.ok())
        return trial.failed(kernel.error());
    const auto seconds = leastSeconds(
        site.backend, [&](const Tensors& given) { static_cast<void>(kernel.value()->run(given)); },
        inputs);
    if (!seconds.ok())
        return trial.failed(seconds.error());
    if (seconds.value() >= trial.least)
        return;
    trial.least = seconds.value();
    trial.name = candidate.name;
    trial.best = std::move(kernel.value());
}

Trial tryAll(const KernelSite& site, const std::vector<Candidate>& candidates,
             const std::function<std::vector<Tensors>()>& turns)
{
    Trial trial;
    std::vector<Tensors> inputs;
    const core::Status made = catching([&]() -> core::Status {
        inputs = turns();
        return {};
    });
    if (!made.ok()) {
        trial.failed(made.error());
        return trial;
    }
    for (const Candidate& candidate : candidates)
        tryOne(site, candidate, inputs, trial);
    return trial;
}

}  // namespace

Candidate ofLibrary(const KernelSite& site)
{
    return {"library", core::toText(site.graph) + TORCH_VERSION, [site]() -> MadeKernel {
                QS_TRY(Executor executor, Executor::create(site.graph, {}, site.backend.device()));
                return std::unique_ptr<FusedKernel>(
                    std::make_unique<LibraryKernel>(std::move(executor)));
            }};
}

// What recording them took of the device is given back: of many ways to compute a large group it
// would not hold all.
Result<double> leastSeconds(Backend& backend, const std::function<void(const Tensors&)>& call,
                            const std::vector<Tensors>& turns)
{
    double least = std::numeric_limits<double>::infinity();
    const core::Status timed = catching([&]() -> core::Status {
        call(turns.front());
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
        return {};
    });
    backend.releaseCache();
    if (!timed.ok())
        return timed.error();
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
    const core::KernelCache& choices = site.backend.choices();
    const auto kept = [&]() -> std::unique_ptr<FusedKernel> {
        const auto choice = choices.find(key);
        return choice ? keptKernel(candidates, *choice) : nullptr;
    };
    if (auto kernel = kept())
        return kernel;
    const auto begin = std::chrono::steady_clock::now();
    compileSideBySide(site, candidates);
    Trial trial = tryAll(site, candidates, turns);
    // Another process may have chosen meanwhile: all cells of a run take the same.
    if (auto kernel = kept())
        return kernel;
    // Too little memory to try is enough for one, and says nothing of the next cell.
    if (trial.best == nullptr)
        return trial.complete ? MadeKernel(trial.failure) : candidates.front().make();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (trial.complete)
        choices.add(key, core::formatExact(seconds.count()) + "\n" + trial.name);
    trial.best->wasChosen(trial.name, seconds.count(), false);
    return std::move(trial.best);
}

}  // namespace qs::engine
