#pragma once

#include <cstddef>
#include <span>

namespace qs::core {

// More severe outliers than this share flag the measurement.
inline constexpr double kSevereOutlierShare = 0.05;

// Counts after Tukey: more than 1.5 (mild) or 3 (severe) interquartile ranges outside the
// quartiles. Outliers are counted and never dropped: a slow sample without a recorded cause is part
// of the truth.
struct OutlierCounts {
    std::size_t mild = 0;  // without the severe ones
    std::size_t severe = 0;

    bool operator==(const OutlierCounts&) const = default;
};

// `sortedValues` ascending; nothing counts as an outlier among fewer than four values.
[[nodiscard]] OutlierCounts countOutliers(std::span<const double> sortedValues);

}  // namespace qs::core
