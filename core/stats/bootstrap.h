#pragma once

#include "core/stats/interval.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace qs::core {

// The samples of one round of a cell, in seconds.
using RoundSamples = std::vector<double>;

inline constexpr std::size_t kResamples = 10'000;

// How many times faster than the reference, where rounds cannot be paired because the two were not
// measured in the same ones: ratio of the medians over rounds of the rounds' medians. The interval
// is that of a hierarchical bootstrap (rounds are drawn first, then samples inside them), because
// the spread between processes is another than that inside one. Percentiles of `resamples` draws
// from a generator with a fixed seed: the same samples always give the same interval. No interval
// with fewer than three rounds on a side. Drift between the two is NOT cancelled.
[[nodiscard]] Estimate unpairedRatio(std::span<const RoundSamples> reference,
                                     std::span<const RoundSamples> candidate,
                                     double confidence = kUsualConfidence,
                                     std::size_t resamples = kResamples, std::uint64_t seed = 1);

}  // namespace qs::core
