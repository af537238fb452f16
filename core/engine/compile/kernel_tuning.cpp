#include "core/engine/compile/kernel_tuning.h"

#include "core/base/format.h"
#include "core/engine/execute/executor.h"
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

// Kept are the seconds, a line, and the name.
std::optional<MadeKernel> keptKernel(const std::vector<Candidate>& candidates,
                                     const std::string& kept)
{
    const std::string name = kept.substr(kept.find('\n') + 1);
    for (const Candidate& candidate : candidates) {
        if (candidate.name != name)
            continue;
        MadeKernel kernel = candidate.make();
        if (kernel.ok())
            kernel.value()->wasChosen(name, std::strtod(kept.c_str(), nullptr), true);
        return kernel;
    }
    return std::nullopt;
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
    if (const auto kept = site.backend.kernels().find(key)) {
        if (auto kernel = keptKernel(candidates, *kept))
            return std::move(*kernel);
    }
    const auto begin = std::chrono::steady_clock::now();
    compileSideBySide(site, candidates);
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
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    site.backend.kernels().add(key, core::formatExact(seconds.count()) + "\n" + name);
    best->wasChosen(name, seconds.count(), false);
    return best;
}

}  // namespace qs::engine
