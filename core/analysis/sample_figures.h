#pragma once

#include "core/analysis/counted_rounds.h"
#include "core/stats/outliers.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace qs::core {

// The samples of a cell, all rounds together; seconds per pass, fractions and counts. Samples that
// were discarded for a recorded cause are left out. Described, not judged: between rounds only
// ratios count.
struct SampleFigures {
    std::size_t count = 0;
    double mean = 0.0;
    std::optional<double> standardDeviation;  // of all samples; needs two
    double minimum = 0.0;
    double maximum = 0.0;
    // Only with enough samples: kSamplesForP90 and so on.
    std::optional<double> p90;
    std::optional<double> p95;
    std::optional<double> p99;
    OutlierCounts outliers;        // of each round by its own quartiles, summed
    double autocorrelation = 0.0;  // lag 1, the median of the rounds
    double effectiveCount = 0.0;   // independent samples that they are worth, summed
    double trend = 0.0;            // over a round, the largest of the rounds either way, a fraction
    bool drifting = false;         // some round grew slower or faster by more than 1 %
    int significantDigits = 1;     // of the median of a round, the fewest of the rounds

    bool operator==(const SampleFigures&) const = default;
};

// Fewest samples that bound these percentiles (MLPerf Inference's early stopping with one sample
// beyond): samplesNeededFor().
inline constexpr std::size_t kSamplesForP90 = 64;
inline constexpr std::size_t kSamplesForP95 = 130;
inline constexpr std::size_t kSamplesForP99 = 662;

// Of the ok rounds; nothing if none has samples.
[[nodiscard]] std::optional<SampleFigures> sampleFigures(const std::vector<CountedRound>& rounds);

}  // namespace qs::core
