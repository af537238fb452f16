#pragma once

#include "core/base/result.h"
#include "core/stats/stopping.h"
#include "core/sweep/preset.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// One timed pass through all stages, or the mean over some of them in a row. Seconds.
struct PassSample {
    double hostSeconds = 0.0;
    double deviceSeconds = 0.0;    // 0 where the device has no clock of its own
    double endToEndSeconds = 0.0;  // with the copy of its batch; 0 where inputs stay on the device
    double copySeconds = 0.0;      // of that copy alone; 0 where inputs stay on the device
    std::vector<double> stageSeconds;
    double start = 0.0;  // by the clock of the hooks

    [[nodiscard]] double seconds() const
    {
        return deviceSeconds > 0.0 ? deviceSeconds : hostSeconds;
    }
};

// As many as can be told apart where they are drawn.
inline constexpr std::size_t kMostWarmupSamples = 128;

enum class WarmupEnd {
    Steady,
    TimeLimit,  // passes were not steady yet
    Count,      // as many as were asked for, steady or not
};
inline constexpr auto kWarmupEnds = enumNames<WarmupEnd>({{WarmupEnd::Steady, "steady"},
                                                          {WarmupEnd::TimeLimit, "time_limit"},
                                                          {WarmupEnd::Count, "count"}});

struct SamplingOutcome {
    std::vector<PassSample> samples;
    std::vector<double> warmupSamples;  // seconds, the last kMostWarmupSamples of them
    std::optional<double> firstSample = std::nullopt;  // of the warm-up, seconds
    int warmupPasses = 0;
    double warmupSeconds = 0.0;
    double sampleSeconds = 0.0;
    WarmupEnd warmupEnd = WarmupEnd::Steady;
    StopReason stopReason = StopReason::QuietEnough;
};

// What sampling needs from outside. `now` is a monotonic clock in seconds; tests inject their own.
struct SamplingHooks {
    // How many passes a sample is the mean of.
    int passesPerSample = 1;
    std::function<Result<PassSample>()> runPass;
    std::function<double()> now;
    // Called after each pass with the phase and an estimate of its progress in [0, 1]; false asks
    // to stop.
    std::function<bool(Phase phase, double fraction)> progress;
    // Told of the time of each pass, warm-up included, between two of them: must be cheap. May be
    // empty.
    std::function<void(double seconds)> sampled = {};
    // Called once between warm-up and sampling, e.g. to reset memory peaks; may be empty.
    std::function<void()> warm;
};

// Warms up until three windows agree, or for so many samples as the settings ask for, then samples
// until the noise is low or cannot get lower.
[[nodiscard]] Result<SamplingOutcome> samplePasses(const MeasurementSettings& settings,
                                                   const SamplingHooks& hooks);

// Passes in a row of which no samples are kept.
struct PassStretch {
    std::int64_t passes = 0;
    double start = 0.0;    // by the clock of the hooks
    double seconds = 0.0;  // until the last of them was over
};

// The same passes back to back until `seconds` are over, one sample's worth at least. `progress`
// is called for the energy phase; `warm` is not.
[[nodiscard]] Result<PassStretch> repeatPasses(double seconds, const SamplingHooks& hooks);

// Note [Blocks]
// GPU events tell time in steps of half a microsecond. So that one step is no more than 0.05 % of a
// sample, passes shorter than a millisecond are timed in blocks of that length and divided. After
// each block of several passes the stages are timed in a pass of their own (see CudaTimer::sample).
inline constexpr double kShortestBlock = 1e-3;  // seconds
inline constexpr int kMostPassesPerBlock = 1000;
[[nodiscard]] int passesPerBlock(double passSeconds);
// How many passes run for one sample of so many.
[[nodiscard]] inline int passesRunForSample(int passesPerSample)
{
    return passesPerSample > 1 ? passesPerSample + 1 : 1;
}

}  // namespace qs::core
