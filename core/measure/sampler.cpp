#include "core/measure/sampler.h"

#include "core/stats/stopping.h"
#include "core/stats/warmup.h"

#include <algorithm>

namespace qs::core {

namespace {

double fractionOf(double elapsed, double whole)
{
    return whole > 0.0 ? std::clamp(elapsed / whole, 0.0, 1.0) : 1.0;
}

Error cancelled()
{
    return {ErrorCode::Cancelled, "stopped while it was measured"};
}

Status warmUp(const MeasurementSettings& settings, const SamplingHooks& hooks,
              SamplingOutcome& outcome)
{
    WarmupDetector detector({.minimumSeconds = settings.minimumWarmupSeconds,
                             .maximumSeconds = settings.maximumWarmupSeconds});
    const double begin = hooks.now();
    WarmupState state = WarmupState::Warming;
    while (state == WarmupState::Warming) {
        QS_TRY(const PassSample sample, hooks.runPass());
        ++outcome.warmupPasses;
        outcome.warmupSeconds = hooks.now() - begin;
        state = detector.add(sample.seconds(), outcome.warmupSeconds);
        if (!hooks.progress("warmup",
                            fractionOf(outcome.warmupSeconds, settings.maximumWarmupSeconds)))
            return cancelled();
    }
    outcome.warmupEnd = state == WarmupState::Steady ? "steady" : "time limit";
    return {};
}

}  // namespace

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
        QS_TRY(PassSample sample, hooks.runPass());
        outcome.sampleSeconds = hooks.now() - begin;
        const auto reason = criterion.add(sample.seconds(), outcome.sampleSeconds);
        outcome.samples.push_back(std::move(sample));
        if (!hooks.progress("measure",
                            fractionOf(outcome.sampleSeconds, settings.maximumSampleSeconds)))
            return cancelled();
        if (reason) {
            outcome.stopReason = toString(*reason);
            return outcome;
        }
    }
}

}  // namespace qs::core
