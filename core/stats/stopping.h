#pragma once

#include "core/base/enum_names.h"
#include "core/stats/entropy.h"
#include "core/stats/moments.h"

#include <array>
#include <cstddef>
#include <optional>

namespace qs::core {

// Why sampling ended; it is written beside the numbers.
enum class StopReason {
    QuietEnough,      // the relative noise fell below the limit
    WillNotConverge,  // the noise has settled above the limit: more samples would not help
    NoiseUndefined,   // the noise was not a finite number for a long time (a clock that stands
                      // still)
    FixedCount,       // as many samples as were asked for
    FixedTime,        // as much time as was asked for
    NothingNew,       // the entropy of the samples no longer rises
    MaximumSamples,
    TimeLimit,
};

inline constexpr auto kStopReasons =
    enumNames<StopReason>({{StopReason::QuietEnough, "noise_below_target"},
                           {StopReason::WillNotConverge, "noise_settled"},
                           {StopReason::NoiseUndefined, "noise_undefined"},
                           {StopReason::FixedCount, "count"},
                           {StopReason::FixedTime, "time"},
                           {StopReason::NothingNew, "entropy_converged"},
                           {StopReason::MaximumSamples, "maximum_samples"},
                           {StopReason::TimeLimit, "time_limit"}});

// What decides that there are enough samples.
enum class StoppingKind {
    Noise,    // the spread is small, or will not get smaller
    Count,    // maximumSamples exactly
    Time,     // the samples add up to minimumSeconds
    Entropy,  // see EntropyWatch
};

// When to stop. The noise is the coefficient of variation of the samples so far, as in nvbench's
// default criterion "stdrel". Times in seconds.
struct StoppingRule {
    double minimumSeconds = 0.5;      // sum of the samples before noise may end the measurement
    double maximumSeconds = 15.0;     // elapsed time, including what lies between the samples
    std::size_t minimumSamples = 10;  // kept even when the time limit has passed …
    std::size_t maximumSamples = 1000;
    double maximumRelativeNoise = 0.005;  // fraction
    StoppingKind kind = StoppingKind::Noise;
};

// One use: add() each sample until it answers with a reason.
class StoppingCriterion final
{
public:
    explicit StoppingCriterion(const StoppingRule& rule);

    // `sampleSeconds`: the sample. `elapsedSeconds`: since sampling began, by the caller's clock.
    [[nodiscard]] std::optional<StopReason> add(double sampleSeconds, double elapsedSeconds);

    [[nodiscard]] std::size_t count() const { return m_samples.count(); }
    // Coefficient of variation so far; NaN below two samples.
    [[nodiscard]] double relativeNoise() const { return m_samples.coefficientOfVariation(); }

private:
    // Noise values that the trailing window keeps.
    static constexpr std::size_t kWindow = 512;

    void remember(double noise);
    [[nodiscard]] bool noiseHasSettled() const;
    [[nodiscard]] std::optional<StopReason> judge() const;
    [[nodiscard]] std::optional<StopReason> judgeNoise() const;

    StoppingRule m_rule;
    Moments m_samples;
    double m_totalSeconds = 0.0;
    std::array<double, kWindow> m_noises{};
    std::size_t m_noiseCount = 0;  // remembered in all, also those the window has lost
    std::size_t m_undefinedInARow = 0;
    EntropyWatch m_entropy;
};

}  // namespace qs::core
