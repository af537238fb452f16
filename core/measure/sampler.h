#pragma once

#include "core/base/result.h"
#include "core/sweep/preset.h"

#include <functional>
#include <string>
#include <vector>

namespace qs::core {

// One timed pass through all stages. Seconds.
struct PassSample {
    double hostSeconds = 0.0;
    double deviceSeconds = 0.0; // 0 where the device has no clock of its own
    std::vector<double> stageSeconds;

    [[nodiscard]] double seconds() const
    {
        return deviceSeconds > 0.0 ? deviceSeconds : hostSeconds;
    }
};

struct SamplingOutcome {
    std::vector<PassSample> samples;
    int warmupPasses = 0;
    double warmupSeconds = 0.0;
    double sampleSeconds = 0.0;
    std::string warmupEnd;
    std::string stopReason;
};

// What sampling needs from outside. `now` is a monotonic clock in seconds; tests inject their own.
struct SamplingHooks {
    std::function<Result<PassSample>()> runPass;
    std::function<double()> now;
    // Called after each pass with the phase and an estimate of its progress in [0, 1]; false asks
    // to stop.
    std::function<bool(const std::string& phase, double fraction)> progress;
    // Called once between warm-up and sampling, e.g. to reset memory peaks; may be empty.
    std::function<void()> warm;
};

// Warms up until three windows agree, then samples until the noise is low or cannot get lower.
[[nodiscard]] Result<SamplingOutcome> samplePasses(const MeasurementSettings& settings,
                                                   const SamplingHooks& hooks);

} // namespace qs::core
