#pragma once

#include "core/stats/interval.h"
#include "core/stats/outliers.h"
#include "core/stats/quantiles.h"

#include <cstddef>
#include <optional>
#include <span>

namespace qs::core {

// What is said about the samples of one measurement. Times in seconds; the rest are fractions and
// counts. Everything describes one process: between processes only ratios over rounds count
// (pairedRatio).
struct SampleSummary {
    std::size_t count = 0;
    double mean = 0.0;
    std::optional<double> standardDeviation;  // of the sample; needs two
    std::optional<double> coefficientOfVariation;
    double minimum = 0.0;
    double maximum = 0.0;
    Quartiles quartiles;
    std::optional<double> p90;  // only with enough samples, see percentile()
    std::optional<double> p95;
    std::optional<double> p99;
    double autocorrelation = 0.0;  // lag 1, in order of time
    double effectiveCount = 0.0;   // independent samples that they are worth
    OutlierCounts outliers;
    double trend = 0.0;         // change over the whole series, as a fraction
    int significantDigits = 1;  // of the median that are worth printing

    // More than 5 % of the samples lie far outside: something disturbed the measurement.
    [[nodiscard]] bool hasManySevereOutliers() const;
    // The workload grew slower or faster by more than 1 % while it was measured.
    [[nodiscard]] bool isDrifting() const;
};

// Nothing without samples. `seconds` in the order in which they were taken.
[[nodiscard]] std::optional<SampleSummary> summarize(std::span<const double> seconds);

// Digits of the median that the samples support, 1 to 4: floor(log10(median / c)) with c = 1.645
// standard errors of the values between the quartiles, and at least 25 ns (torch.utils.benchmark's
// rule). `sortedSeconds` ascending, not empty.
[[nodiscard]] int significantDigits(std::span<const double> sortedSeconds);

// Digits of a value that its interval supports: the value down to the second digit of the half
// width, 1 to 4. An interval without width supports four.
[[nodiscard]] int supportedDigits(double value, const Interval& interval);

}  // namespace qs::core
