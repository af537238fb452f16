#pragma once

#include <cstddef>
#include <span>

namespace qs::core {

// A measurement whose trend over all kept samples is larger than this is flagged as drifting.
inline constexpr double kNotableTrend = 0.01;

// Median of the slopes between all pairs (Theil and Sen), per sample: outliers up to 29 % do not
// move it. 0 below two values. More than kTrendPoints values are reduced to medians of equal blocks
// first, because the pairs grow with the square; the slope stays per original sample.
inline constexpr std::size_t kTrendPoints = 64;
[[nodiscard]] double theilSenSlope(std::span<const double> values);

// Change over the whole series, slope·n over the median, as a fraction: +0.02 means 2 % slower at
// the end. 0 if the median is zero.
[[nodiscard]] double relativeTrend(std::span<const double> values);

}  // namespace qs::core
