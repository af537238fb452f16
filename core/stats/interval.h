#pragma once

#include "core/stats/moments.h"

#include <cstddef>
#include <optional>
#include <span>

namespace qs::core {

inline constexpr double kUsualConfidence = 0.95;

struct Interval {
    double lower = 0.0;
    double upper = 0.0;

    bool operator==(const Interval&) const = default;
};

// A number with the range that holds the truth with the stated confidence. Without an interval
// there was too little to tell (one repeat), and the number supports no verdict.
struct Estimate {
    double value = 0.0;
    std::optional<Interval> interval;
    std::size_t count = 0;  // what it was formed from: samples, or rounds

    bool operator==(const Estimate&) const = default;
};

// The t with P(T <= t) = probability (between 0 and 1, both excluded) for Student's distribution;
// degreesOfFreedom > 0, not necessarily whole. Found on the incomplete beta function.
[[nodiscard]] double studentTQuantile(double probability, double degreesOfFreedom);

// P(T >= t) for Student's distribution; degreesOfFreedom > 0, t may be infinite.
[[nodiscard]] double studentTUpperTail(double t, double degreesOfFreedom);

// Interval of the mean. `effectiveCount` is the number of independent samples that the moments are
// worth; nothing if that is below two.
[[nodiscard]] std::optional<Interval> meanInterval(const Moments& moments, double effectiveCount,
                                                   double confidence = kUsualConfidence);

// Interval of what stands behind times or rates, which are never below zero: that of the mean of
// their logarithms, carried back. Above zero however few and scattered the values are, and the
// interval of 1 / value is that of the value turned over. Needs two values that are all > 0, or all
// the same.
[[nodiscard]] std::optional<Interval> positiveInterval(std::span<const double> values,
                                                       double confidence = kUsualConfidence);

// Of `amount` / value for a value in the interval: seconds per pass and pictures per second. Both
// ends > 0.
[[nodiscard]] Interval inverted(const Interval& interval, double amount = 1.0);

// ln(reference / candidate) of each round. Seconds per round, paired by index; equally many, at
// least one, all > 0.
[[nodiscard]] Moments logRatios(std::span<const double> referenceSeconds,
                                std::span<const double> candidateSeconds);

// How many times faster than the reference: geometric mean of reference/candidate over rounds, with
// the interval of the mean log ratio (symmetric under exchange of the two). Seconds per round,
// paired by index, so that drift between rounds cancels; equally many, at least one, all > 0.
[[nodiscard]] Estimate pairedRatio(std::span<const double> referenceSeconds,
                                   std::span<const double> candidateSeconds,
                                   double confidence = kUsualConfidence);

}  // namespace qs::core
