#include "core/stats/paired_difference.h"

#include "core/base/checks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace qs::core {

namespace {

constexpr std::size_t kExactUpTo = 20;
constexpr int kDraws = 100'000;

double sumOf(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double value : values)
        sum += value;
    return sum;
}

// The sums of all sign patterns of some of the values, ascending.
std::vector<double> signedSums(std::span<const double> values)
{
    std::vector<double> sums{0.0};
    for (const double value : values) {
        const std::size_t count = sums.size();
        for (std::size_t i = 0; i < count; ++i) {
            sums.push_back(sums[i] - value);
            sums[i] += value;
        }
    }
    std::sort(sums.begin(), sums.end());
    return sums;
}

// All sign patterns, as pairs of a pattern of each half: views ask for every cell of a run again
// and again, and 16 pictures have 65 536 patterns, but 256 in each half. Sums that differ in
// rounding only count as equal, so that the pattern as it is counts as itself.
double exactPValue(const std::vector<double>& values, double observed, double slack)
{
    const std::span<const double> all(values);
    const std::vector<double> first = signedSums(all.first(all.size() / 2));
    const std::vector<double> second = signedSums(all.subspan(all.size() / 2));
    std::uint64_t reached = 0;
    std::size_t missing = second.size();  // of the second half, too small for this sum of the first
    for (const double sum : first) {
        while (missing > 0 && sum + second[missing - 1] >= observed - slack)
            --missing;
        reached += second.size() - missing;
    }
    return static_cast<double>(reached) /
           (static_cast<double>(first.size()) * static_cast<double>(second.size()));
}

double drawnPValue(const std::vector<double>& values, double observed, double slack)
{
    std::mt19937_64 random(1);
    int reached = 1;  // the pattern as it is
    for (int draw = 0; draw < kDraws; ++draw) {
        double sum = 0.0;
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i % 64 == 0)
                bits = random();
            sum += (bits >> (i % 64) & 1U) != 0 ? values[i] : -values[i];
        }
        reached += sum >= observed - slack ? 1 : 0;
    }
    return static_cast<double>(reached) / (kDraws + 1);
}

}  // namespace

const char* toString(QualityVerdict verdict)
{
    switch (verdict) {
    case QualityVerdict::TooFewPictures:
        return "too few images";
    case QualityVerdict::Better:
        return "better";
    case QualityVerdict::Worse:
        return "worse";
    case QualityVerdict::Same:
        return "same";
    case QualityVerdict::Ambiguous:
        return "undecided";
    }
    return "";
}

double signFlipPValue(std::span<const double> differences, double bound)
{
    if (differences.empty())
        return 1.0;
    std::vector<double> values;
    double size = 0.0;
    for (const double difference : differences) {
        QS_ASSERT(std::isfinite(difference));
        values.push_back(difference - bound);
        size += std::abs(values.back());
    }
    const double observed = sumOf(values);
    const double slack = 1e-12 * size;
    return values.size() <= kExactUpTo ? exactPValue(values, observed, slack)
                                       : drawnPValue(values, observed, slack);
}

double separationPValue(std::span<const double> high, std::span<const double> low)
{
    if (high.empty() || low.empty() ||
        *std::min_element(high.begin(), high.end()) <= *std::max_element(low.begin(), low.end()))
        return 1.0;
    double chance = 1.0;
    for (std::size_t i = 1; i <= high.size(); ++i)
        chance *= static_cast<double>(i) / static_cast<double>(low.size() + i);
    return chance;
}

double QualityEvidence::claim() const
{
    return std::min(1.0, 2.0 * std::min(better, worse));
}

QualityEvidence weighQuality(std::span<const double> distancesOfA,
                             std::span<const double> distancesOfB, double margin)
{
    QS_ASSERT(distancesOfA.size() == distancesOfB.size());
    QS_ASSERT(margin >= 0.0);
    std::vector<double> closer;  // by how much A is
    std::vector<double> farther;
    Moments moments;
    for (std::size_t i = 0; i < distancesOfA.size(); ++i) {
        closer.push_back(distancesOfB[i] - distancesOfA[i]);
        farther.push_back(-closer.back());
        moments.add(closer.back());
    }
    QualityEvidence evidence{
        .closer = {.value = moments.mean(),
                   .interval = meanInterval(moments, static_cast<double>(moments.count())),
                   .count = moments.count()},
        .margin = margin};
    if (moments.mean() > margin)
        evidence.better = signFlipPValue(closer, margin);
    if (moments.mean() < -margin)
        evidence.worse = signFlipPValue(farther, margin);
    return evidence;
}

QualityEvidence weighAgainstFloor(std::span<const double> distances, std::span<const double> floor,
                                  double margin)
{
    QS_ASSERT(distances.size() == floor.size());
    const std::vector<double> ofReference(distances.size(), 0.0);
    QualityEvidence evidence = weighQuality(distances, ofReference, margin);
    evidence.worse = 1.0;
    if (evidence.closer.value >= -margin)
        return evidence;
    std::vector<double> beyond;
    for (std::size_t i = 0; i < distances.size(); ++i)
        beyond.push_back(distances[i] - floor[i]);
    evidence.worse = std::min(signFlipPValue(beyond, 0.0), separationPValue(distances, floor));
    return evidence;
}

QualityVerdict judge(const QualityEvidence& evidence, double adjustedClaim, double error)
{
    if (evidence.closer.count < kFewestPictures)
        return QualityVerdict::TooFewPictures;
    const double margin = evidence.margin;
    if (adjustedClaim <= error && evidence.closer.value > margin)
        return QualityVerdict::Better;
    if (adjustedClaim <= error && evidence.closer.value < -margin)
        return QualityVerdict::Worse;
    const auto& interval = evidence.closer.interval;
    const bool within = interval && interval->lower >= -margin && interval->upper <= margin;
    return within ? QualityVerdict::Same : QualityVerdict::Ambiguous;
}

QualityVerdict judgeQuality(std::span<const double> distancesOfA,
                            std::span<const double> distancesOfB, double margin, double error)
{
    const QualityEvidence evidence = weighQuality(distancesOfA, distancesOfB, margin);
    return judge(evidence, evidence.claim(), error);
}

}  // namespace qs::core
