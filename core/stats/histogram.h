#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace qs::core {

// Values from `lower` up to `upper`; the last bin holds its upper end as well.
struct HistogramBin {
    double lower = 0.0;
    double upper = 0.0;
    std::size_t count = 0;
};

// More bins than this cannot be told apart in a drawing; a far outlier would ask for thousands.
inline constexpr std::size_t kMostBins = 60;

// Bins of one width from the least to the largest value, after Freedman and Diaconis: 2 quartile
// ranges over the cube root of the count. Equal values give one bin without width, no values none.
[[nodiscard]] std::vector<HistogramBin> histogram(std::span<const double> values);

}  // namespace qs::core
