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

// Note [Quality verdicts]
// Distances of cell A and of cell B from the reference, paired by picture. BETTER means that A is
// closer by more than `margin` (the noise floor: what lies below it is no difference at all), SAME
// that the 95 % interval of the mean difference lies within it. A sweep compares many cells, and
// one of fifty harmless ones is always unlucky with its pictures: their claims are corrected
// together (holmAdjusted() in verdict.h), so that `error` bounds the chance of any wrong BETTER or
// WORSE among all of them. n pictures reach no smaller chance than 2^-n, 1e-5 if patterns are
// drawn: with eight pictures six cells can be judged together, with 16 more than a thousand; beyond
// that what is there stays AMBIGUOUS.
struct QualityEvidence {
    Estimate closer;      // mean over pictures by which A is, with its 95 % interval
    double margin = 0.0;  // of the same kind
    // Chances of pictures like these, or more extreme ones, if the truth were just at the margin
    // (signFlipChance); 1 where the mean is not beyond it.
    double better = 1.0;
    double worse = 1.0;

    // Of either claim, for the correction over a sweep.
    [[nodiscard]] double claim() const;
};

inline constexpr double kQualityError = 0.05;

// Equally many on both sides; margin >= 0.
[[nodiscard]] QualityEvidence weighQuality(std::span<const double> distancesOfA,
                                           std::span<const double> distancesOfB, double margin);

// `adjustedClaim`: what holmAdjusted made of evidence.claim().
[[nodiscard]] QualityVerdict judge(const QualityEvidence& evidence, double adjustedClaim,
                                   double error = kQualityError);

// Of a comparison that is made alone.
[[nodiscard]] QualityVerdict judgeQuality(std::span<const double> distancesOfA,
                                          std::span<const double> distancesOfB, double margin,
                                          double error = kQualityError);

}  // namespace qs::core
