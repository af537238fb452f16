#include "core/stats/paired_difference.h"

#include "core/base/checks.h"

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

// All sign patterns in Gray code: one value changes its sign from one to the next. Sums that differ
// in rounding only count as equal, so that the pattern as it is counts as itself.
double exactChance(std::vector<double> values, double observed, double slack)
{
    const std::uint64_t patterns = std::uint64_t{1} << values.size();
    std::uint64_t reached = 0;
    double sum = sumOf(values);
    for (std::uint64_t pattern = 0; pattern < patterns; ++pattern) {
        reached += sum >= observed - slack ? 1U : 0U;
        const auto next = static_cast<std::size_t>(__builtin_ctzll(pattern + 1));
        if (next < values.size()) {
            sum -= 2.0 * values[next];
            values[next] = -values[next];
        }
    }
    return static_cast<double>(reached) / static_cast<double>(patterns);
}

double drawnChance(const std::vector<double>& values, double observed, double slack)
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
        return "too few pictures";
    case QualityVerdict::Better:
        return "BETTER";
    case QualityVerdict::Worse:
        return "WORSE";
    case QualityVerdict::Same:
        return "SAME";
    case QualityVerdict::Ambiguous:
        return "AMBIGUOUS";
    }
    return "";
}

double signFlipChance(std::span<const double> differences, double bound)
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
    return values.size() <= kExactUpTo ? exactChance(values, observed, slack)
                                       : drawnChance(values, observed, slack);
}

QualityVerdict judgeQuality(std::span<const double> distancesOfA,
                            std::span<const double> distancesOfB, double margin, double error)
{
    QS_ASSERT(distancesOfA.size() == distancesOfB.size());
    QS_ASSERT(margin >= 0.0);
    if (distancesOfA.size() < kFewestPictures)
        return QualityVerdict::TooFewPictures;
    std::vector<double> closer;  // by how much A is
    std::vector<double> farther;
    Moments moments;
    for (std::size_t i = 0; i < distancesOfA.size(); ++i) {
        closer.push_back(distancesOfB[i] - distancesOfA[i]);
        farther.push_back(-closer.back());
        moments.add(closer.back());
    }
    // Two claims are possible, each has half of the error.
    if (moments.mean() > margin && signFlipChance(closer, margin) <= error / 2.0)
        return QualityVerdict::Better;
    if (moments.mean() < -margin && signFlipChance(farther, margin) <= error / 2.0)
        return QualityVerdict::Worse;
    const auto interval = meanInterval(moments, static_cast<double>(moments.count()));
    const bool within = interval && interval->lower >= -margin && interval->upper <= margin;
    return within ? QualityVerdict::Same : QualityVerdict::Ambiguous;
}

}  // namespace qs::core
