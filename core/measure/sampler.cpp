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

// Runs the passes of a warm-up and keeps what they took.
class WarmUp final
{
public:
    WarmUp(const SamplingHooks& hooks, SamplingOutcome& outcome)
        : m_hooks(hooks), m_outcome(outcome), m_begin(hooks.now())
    {
    }

    [[nodiscard]] double seconds() const { return m_outcome.warmupSeconds; }

    // One sample; what the rules say of it is asked before its progress is told.
    [[nodiscard]] Status sample(const std::function<double(const PassSample& sample)>& fraction)
    {
        QS_TRY(const PassSample sample, m_hooks.runPass());
        m_outcome.warmupPasses += m_hooks.passesPerSample;
        m_outcome.warmupSeconds = m_hooks.now() - m_begin;
        const double done = fraction(sample);
        m_passes.push_back(sample.seconds());
        tell(sample, m_hooks);
        return m_hooks.progress(Phase::Warmup, done) ? Status() : cancelled();
    }

    [[nodiscard]] Status count(int samples)
    {
        for (int i = 1; i <= samples; ++i)
            QS_RETURN_IF_ERROR(sample([&](const PassSample&) { return fractionOf(i, samples); }));
        return {};
    }

    void finish(WarmupEnd end)
    {
        const std::size_t kept = std::min(m_passes.size(), kMostWarmupSamples);
        m_outcome.warmupSamples.assign(m_passes.end() - static_cast<std::ptrdiff_t>(kept),
                                       m_passes.end());
        if (!m_passes.empty())
            m_outcome.firstSample = m_passes.front();
        m_outcome.warmupEnd = end;
    }

private:
    const SamplingHooks& m_hooks;
    SamplingOutcome& m_outcome;
    double m_begin;
    std::vector<double> m_passes;
};

Status warmUp(const MeasurementSettings& settings, const SamplingHooks& hooks,
              SamplingOutcome& outcome)
{
    WarmUp passes(hooks, outcome);
    QS_RETURN_IF_ERROR(passes.count(settings.compileWarmupSamples));
    if (settings.warmupSamples) {
        QS_RETURN_IF_ERROR(passes.count(*settings.warmupSamples));
        passes.finish(WarmupEnd::Count);
        return {};
    }
    WarmupDetector detector({.minimumSeconds = settings.minimumWarmupSeconds,
                             .maximumSeconds = settings.maximumWarmupSeconds});
    const double before = passes.seconds();
    WarmupState state = WarmupState::Warming;
    while (state == WarmupState::Warming) {
        QS_RETURN_IF_ERROR(passes.sample([&](const PassSample& sample) {
            const double elapsed = passes.seconds() - before;
            state = detector.add(blockSeconds(sample, hooks), elapsed);
            return fractionOf(elapsed, settings.maximumWarmupSeconds);
        }));
    }
    passes.finish(state == WarmupState::Steady ? WarmupEnd::Steady : WarmupEnd::TimeLimit);
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
