#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace qs::core {

[[nodiscard]] std::vector<double> sorted(std::span<const double> values);

// Linear interpolation between the neighbours of (n − 1)·probability (Hyndman and Fan's type 7,
// numpy's default). `sortedValues` ascending and not empty, probability from 0 to 1.
[[nodiscard]] double quantile(std::span<const double> sortedValues, double probability);

struct Quartiles {
    double lower = 0.0;
    double median = 0.0;
    double upper = 0.0;

    [[nodiscard]] double range() const { return upper - lower; }
};

// Of ascending values, not empty.
[[nodiscard]] Quartiles quartiles(std::span<const double> sortedValues);
// Of values in any order, not empty.
[[nodiscard]] double median(std::span<const double> values);

// Fewest samples from which the percentile can be bounded from above with 99 % confidence although
// `beyond` of them lie beyond the bound: smallest h + t with I_p(h, t + 1) <= 0.01 (early stopping
// of MLPerf Inference). percent between 0 and 100, both excluded.
[[nodiscard]] std::size_t samplesNeededFor(double percent, int beyond = 1);

// Nothing with fewer samples than samplesNeededFor(percent): the 99th percentile of 100 samples
// would be their maximum under another name. `sortedValues` ascending.
[[nodiscard]] std::optional<double> percentile(std::span<const double> sortedValues,
                                               double percent);

}  // namespace qs::core
