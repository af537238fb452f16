#pragma once

#include <cstdint>

// What numbers of a record may be at most: beyond, the record is damaged.
namespace qs::core {

inline constexpr double kLongestSeconds = 1e9;
inline constexpr double kLargestFigure = 1e300;
inline constexpr std::int64_t kLargestCount = std::int64_t{1} << 60U;
inline constexpr std::int64_t kMostSamples = 1'000'000;  // of a calibration

}  // namespace qs::core
