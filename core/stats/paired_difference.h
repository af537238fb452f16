#pragma once

#include "core/stats/interval.h"

#include <cstddef>
#include <span>

namespace qs::core {

// What can be said of two cells' quality on the same pictures. Values are distances from the
// reference: smaller is better.
enum class QualityVerdict { TooFewPictures, Better, Worse, Same, Ambiguous };

// "better", "worse", "same", "undecided", "too few images".
[[nodiscard]] const char* toString(QualityVerdict verdict);

// Fewer pictures reach no verdict. Six show a loss if all of them lie beyond all of the floor, see
// separationPValue(), and there is not much else to compare.
inline constexpr std::size_t kFewestPictures = 6;

// Chance of differences with a mean as large as theirs, or larger, if each were equally likely to
// lie as far on the other side of `bound` (sign-flip permutation test): exact up to 20 values, else
// of 100 000 draws with a fixed seed. Needs no normal distribution, which distances of pictures do
// not follow. 1 without values.
[[nodiscard]] double signFlipPValue(std::span<const double> differences, double bound);

// Chance that each of `high` lies above all of `low` if both come from one distribution: of all
// (n + m)! / (n! m!) ways to choose which of the values are `high`, one. The most extreme case of
// the rank-sum test (Wilcoxon 1945; Mann and Whitney 1947), exact whatever the distribution. What
// pictures have in common makes it smaller: a picture that is hard for one is hard for the other,
// so that its value of `low` is high as well. 1 where any value of `high` does not lie above, and
// without values.
[[nodiscard]] double separationPValue(std::span<const double> high, std::span<const double> low);

// Note [Quality verdicts]
// Distances of cell A and of cell B from the reference, paired by picture. BETTER means that A is
// closer by more than `margin` (the noise floor: what lies below it is no difference at all), SAME
// that the 95 % interval of the mean difference lies within it. A sweep compares many cells, and
// one of fifty harmless ones is always unlucky with its pictures: their claims are corrected
// together (holmAdjusted() in verdict.h), so that `error` bounds the chance of any wrong BETTER or
// WORSE among all of them.
//
// A cell is held against the noise floor itself picture by picture: were it one more run of the
// floor, its distance and that of the floor could change places in each of them. Two tests ask how
// likely what is seen would be then: the sign-flip test of the differences, and how well the two
// are separated. The first knows nothing smaller than 2^-n and does not care by how much, the
// second needs every picture beyond all of the floor, and then reaches n!² / (2n)!. The smaller of
// both counts twice. With eight pictures 64 cells can be judged together, with 16 millions; what
// no test can settle stays AMBIGUOUS.
struct QualityEvidence {
    Estimate closer;      // mean over pictures by which A is, with its 95 % interval
    double margin = 0.0;  // of the same kind
    // Chances of pictures like these, or more extreme ones, if the truth were just at the margin
    // (signFlipPValue), or if A were one more run of the floor; 1 where the mean is not beyond it.
    double better = 1.0;
    double worse = 1.0;

    // Of either of two claims, or of one claim by either of two tests, for the correction over a
    // sweep.
    [[nodiscard]] double claim() const;

    bool operator==(const QualityEvidence&) const = default;
};

inline constexpr double kQualityError = 0.01;

// Equally many on both sides; margin >= 0.
[[nodiscard]] QualityEvidence weighQuality(std::span<const double> distancesOfA,
                                           std::span<const double> distancesOfB, double margin);

// Of one cell against the noise floor: `floor` is the largest distance of each picture in any run
// of it, `margin` the largest mean of a run. BETTER is never said. As many of both.
[[nodiscard]] QualityEvidence weighAgainstFloor(std::span<const double> distances,
                                                std::span<const double> floor, double margin);

// `adjustedClaim`: what holmAdjusted made of evidence.claim().
[[nodiscard]] QualityVerdict judge(const QualityEvidence& evidence, double adjustedClaim,
                                   double error = kQualityError);

// Of a comparison that is made alone.
[[nodiscard]] QualityVerdict judgeQuality(std::span<const double> distancesOfA,
                                          std::span<const double> distancesOfB, double margin,
                                          double error = kQualityError);

}  // namespace qs::core
