#pragma once

#include "core/stats/interval.h"

#include <cstddef>
#include <span>

namespace qs::core {

// What can be said of two cells' quality on the same pictures. Values are distances from the
// reference: smaller is better.
enum class QualityVerdict { TooFewPictures, Better, Worse, Same, Ambiguous };

[[nodiscard]] const char* toString(QualityVerdict verdict);

// Fewer pictures cannot reach any verdict: with five, the smallest possible chance is 1/32.
inline constexpr std::size_t kFewestPictures = 6;

// Chance of differences with a mean as large as theirs, or larger, if each were equally likely to
// lie as far on the other side of `bound` (sign-flip permutation test): exact up to 20 values, else
// of 100 000 draws with a fixed seed. Needs no normal distribution, which distances of pictures do
// not follow. 1 without values.
[[nodiscard]] double signFlipChance(std::span<const double> differences, double bound);

// Distances of cell A and of cell B from the reference, paired by picture. BETTER means that A is
// closer by more than `margin` (the noise floor: what lies below it is no difference at all), SAME
// that the 95 % interval of the mean difference lies within it. `error` bounds the chance of a
// wrong BETTER or WORSE.
[[nodiscard]] QualityVerdict judgeQuality(std::span<const double> distancesOfA,
                                          std::span<const double> distancesOfB, double margin,
                                          double error = 0.05);

}  // namespace qs::core
