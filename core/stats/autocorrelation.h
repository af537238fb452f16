#pragma once

#include <cstddef>
#include <span>

namespace qs::core {

// Above this, neighbouring samples repeat each other and counting them all would make intervals too
// narrow.
inline constexpr double kNotableAutocorrelation = 0.3;

// Correlation of each value with its successor; 0 for fewer than three values or values without
// spread.
[[nodiscard]] double lag1Autocorrelation(std::span<const double> values);

// How many independent samples `count` samples are worth: n·(1 − ρ)/(1 + ρ) for a first-order
// autoregressive process if ρ is notable, else n; at least 1 unless count is 0.
[[nodiscard]] double effectiveCount(std::size_t count, double autocorrelation);

}  // namespace qs::core
