#include "core/measure/sampler.h"

#include "core/stats/stopping.h"
#include "core/stats/warmup.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace qs::core {

namespace {

double fractionOf(double elapsed, double whole)
{
    return whole > 0.0 ? std::clamp(elapsed / whole, 0.0, 1.0) : 1.0;
}

Error cancelled()
{
    return {ErrorCode::Cancelled, "stopped while measuring"};
}

void tell(const PassSample& sample, const SamplingHooks& hooks)
{
    if (hooks.sampled)
        hooks.sampled(sample.seconds());
}

// The time that was measured in one go. Rules that add up samples mean this.
double blockSeconds(const PassSample& sample, const SamplingHooks& hooks)
{
    return sample.seconds() * hooks.passesPerSample;
}

Status warmUp(const MeasurementSettings& settings, const SamplingHooks& hooks,
              SamplingOutcome& outcome)
{
    WarmupDetector detector({.minimumSeconds = settings.minimumWarmupSeconds,
                             .maximumSeconds = settings.maximumWarmupSeconds});
    const double begin = hooks.now();
    std::vector<double> passes;
    WarmupState state = WarmupState::Warming;
    while (state == WarmupState::Warming) {
        QS_TRY(const PassSample sample, hooks.runPass());
        outcome.warmupPasses += hooks.passesPerSample;
        outcome.warmupSeconds = hooks.now() - begin;
        state = detector.add(blockSeconds(sample, hooks), outcome.warmupSeconds);
        passes.push_back(sample.seconds());
        tell(sample, hooks);
        if (!hooks.progress(Phase::Warmup,
                            fractionOf(outcome.warmupSeconds, settings.maximumWarmupSeconds)))
            return cancelled();
    }
    const std::size_t kept = std::min(passes.size(), kMostWarmupSamples);
    outcome.warmupSamples.assign(passes.end() - static_cast<std::ptrdiff_t>(kept), passes.end());
    outcome.warmupEnd = state == WarmupState::Steady ? WarmupEnd::Steady : WarmupEnd::TimeLimit;
    return {};
}

}  // namespace

int passesPerBlock(double passSeconds)
{
    if (!(passSeconds > 0.0))
        return 1;
    return static_cast<int>(
        std::clamp(std::ceil(kShortestBlock / passSeconds), 1.0, double{kMostPassesPerBlock}));
}

Result<SamplingOutcome> samplePasses(const MeasurementSettings& settings,
                                     const SamplingHooks& hooks)
{
    SamplingOutcome outcome;
    QS_RETURN_IF_ERROR(warmUp(settings, hooks, outcome));
    if (hooks.warm)
        hooks.warm();
    StoppingCriterion criterion(
        {.minimumSeconds = settings.minimumSampleSeconds,
         .maximumSeconds = settings.maximumSampleSeconds,
         .minimumSamples = static_cast<std::size_t>(settings.minimumSamples),
         .maximumSamples = static_cast<std::size_t>(settings.maximumSamples),
         .maximumRelativeNoise = settings.maximumRelativeNoise,
         .kind = settings.stopping});
    const double begin = hooks.now();
    while (true) {
        const double start = hooks.now();
        QS_TRY(PassSample sample, hooks.runPass());
        sample.start = start;
        outcome.sampleSeconds = hooks.now() - begin;
        const auto reason = criterion.add(blockSeconds(sample, hooks), outcome.sampleSeconds);
        tell(sample, hooks);
        outcome.samples.push_back(std::move(sample));
        if (!hooks.progress(Phase::Measure,
                            fractionOf(outcome.sampleSeconds, settings.maximumSampleSeconds)))
            return cancelled();
        if (reason) {
            outcome.stopReason = *reason;
            return outcome;
        }
    }
}

Result<PassStretch> repeatPasses(double seconds, const SamplingHooks& hooks)
{
    PassStretch stretch;
    stretch.start = hooks.now();
    do {
        QS_RETURN_IF_ERROR(hooks.runPass());
        stretch.passes += passesRunForSample(hooks.passesPerSample);
        stretch.seconds = hooks.now() - stretch.start;
        if (!hooks.progress(Phase::Energy, fractionOf(stretch.seconds, seconds)))
            return cancelled();
    } while (stretch.seconds < seconds);
    return stretch;
}

}  // namespace qs::core
