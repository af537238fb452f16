#include "core/engine/compile/kernel_tuning.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace qs::engine {

using core::Result;

namespace {

constexpr std::size_t kInARow = 20;
constexpr int kTurns = 5;

struct Tried {
    const Candidate* candidate = nullptr;
    std::unique_ptr<FusedKernel> kernel;
    std::unique_ptr<RecordedWork> recorded;
    double leastSeconds = std::numeric_limits<double>::infinity();
};

// Built and recorded; an error where the device does not take it.
Result<Tried> tryOut(const KernelSite& site, const Candidate& candidate,
                     const std::vector<Tensors>& turns)
{
    Tried tried{&candidate, {}, {}};
    QS_TRY(tried.kernel, candidate.make());
    try {
        static_cast<void>(tried.kernel->run(turns.front()));
    } catch (const LaunchError& error) {
        return core::Error{core::ErrorCode::Unsupported, error.what()};
    }
    QS_TRY(tried.recorded, site.backend.record([&] {
        for (std::size_t i = 0; i < kInARow; ++i)
            static_cast<void>(tried.kernel->run(turns[i % turns.size()]));
    }));
    return tried;
}

void time(Backend& backend, std::vector<Tried>& all)
{
    for (int turn = 0; turn < kTurns; ++turn) {
        for (Tried& each : all) {
            SamplePlan plan;
            plan.steps = {[&each] { each.recorded->launch(); }};
            plan.held = backend.holdsStreams();
            each.leastSeconds = std::min(each.leastSeconds, backend.timeSample(plan).seconds());
        }
    }
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
    std::vector<Tried> all;
    core::Error failure{core::ErrorCode::Unsupported, "there is nothing to try"};
    const std::vector<Tensors> inputs = turns();
    for (const Candidate& candidate : candidates) {
        auto tried = tryOut(site, candidate, inputs);
        if (tried.ok())
            all.push_back(std::move(tried.value()));
        else
            failure = tried.error();
    }
    if (all.empty())
        return failure;
    time(site.backend, all);
    const auto best = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return a.leastSeconds < b.leastSeconds;
    });
    site.backend.kernels().add(key, best->candidate->name);
    return std::move(best->kernel);
}

}  // namespace qs::engine
