#include "core/engine/compile/kernel_tuning.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace qs::engine {

using core::Result;

namespace {

constexpr std::size_t kInARow = 20;
constexpr int kTurns = 5;

Result<std::vector<double>> leastSeconds(const KernelSite& site,
                                         const std::vector<std::unique_ptr<FusedKernel>>& kernels,
                                         const std::vector<Tensors>& turns)
{
    std::vector<std::unique_ptr<RecordedWork>> recorded;
    for (const auto& kernel : kernels) {
        static_cast<void>(kernel->run(turns.front()));  // libraries choose at the first call
        QS_TRY(auto work, site.backend.record([&] {
            for (std::size_t i = 0; i < kInARow; ++i)
                static_cast<void>(kernel->run(turns[i % turns.size()]));
        }));
        recorded.push_back(std::move(work));
    }
    std::vector<double> least(kernels.size(), std::numeric_limits<double>::infinity());
    for (int turn = 0; turn < kTurns; ++turn) {
        for (std::size_t i = 0; i < recorded.size(); ++i) {
            SamplePlan plan;
            plan.steps = {[&] { recorded[i]->launch(); }};
            plan.held = site.backend.holdsStreams();
            least[i] = std::min(least[i], site.backend.timeSample(plan).seconds());
        }
    }
    return least;
}

}  // namespace

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
    std::vector<std::unique_ptr<FusedKernel>> kernels;
    for (const Candidate& candidate : candidates) {
        QS_TRY(auto kernel, candidate.make());
        kernels.push_back(std::move(kernel));
    }
    QS_TRY(const std::vector<double> least, leastSeconds(site, kernels, turns()));
    const auto best =
        static_cast<std::size_t>(std::min_element(least.begin(), least.end()) - least.begin());
    site.backend.kernels().add(key, candidates[best].name);
    return std::move(kernels[best]);
}

}  // namespace qs::engine
