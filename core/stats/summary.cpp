#include "core/stats/summary.h"

#include "core/base/checks.h"
#include "core/stats/autocorrelation.h"
#include "core/stats/moments.h"
#include "core/stats/trend.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace qs::core {

namespace {

constexpr double kSmallestReach = 25e-9;  // seconds; below that no clock of ours is to be trusted
constexpr int kMostDigits = 4;
constexpr std::size_t kFewestForTrend = 10;  // of two samples one is always the slower

}  // namespace

bool SampleSummary::hasManySevereOutliers() const
{
    return static_cast<double>(outliers.severe) > kSevereOutlierShare * static_cast<double>(count);
}

bool SampleSummary::isDrifting() const
{
    return count >= kFewestForTrend && std::abs(trend) > kNotableTrend;
}

std::optional<SampleSummary> summarize(std::span<const double> seconds)
{
    if (seconds.empty())
        return std::nullopt;
    const Moments moments = momentsOf(seconds);
    const std::vector<double> ascending = sorted(seconds);
    SampleSummary summary;
    summary.count = moments.count();
    summary.mean = moments.mean();
    if (moments.count() > 1) {
        summary.standardDeviation = moments.standardDeviation();
        if (moments.mean() > 0.0)
            summary.coefficientOfVariation = moments.coefficientOfVariation();
    }
    summary.minimum = moments.minimum();
    summary.maximum = moments.maximum();
    summary.quartiles = quartiles(ascending);
    summary.p90 = percentile(ascending, 90);
    summary.p95 = percentile(ascending, 95);
    summary.p99 = percentile(ascending, 99);
    summary.autocorrelation = lag1Autocorrelation(seconds);
    summary.effectiveCount = effectiveCount(summary.count, summary.autocorrelation);
    summary.outliers = countOutliers(ascending);
    summary.trend = relativeTrend(seconds);
    summary.significantDigits = significantDigits(ascending);
    return summary;
}

int significantDigits(std::span<const double> sortedSeconds)
{
    QS_ASSERT(!sortedSeconds.empty());
    const std::size_t count = sortedSeconds.size();
    const std::size_t first = count / 4;
    const std::size_t last =
        (3 * count + 3) / 4;  // rounded up, so that one sample is its own middle
    const auto middle = sortedSeconds.subspan(first, last - first);
    const Moments moments = momentsOf(middle);
    double squares = 0.0;
    for (const double value : middle)
        squares += (value - moments.mean()) * (value - moments.mean());
    const auto points = static_cast<double>(middle.size());
    const double reach =
        std::max(1.645 * std::sqrt(squares / points) / std::sqrt(points), kSmallestReach);
    const double center = quantile(sortedSeconds, 0.5);
    if (center <= reach)
        return 1;
    return std::clamp(static_cast<int>(std::floor(std::log10(center / reach))), 1, kMostDigits);
}

int supportedDigits(double value, const Interval& interval)
{
    const double halfWidth = (interval.upper - interval.lower) / 2.0;
    if (!std::isfinite(halfWidth) || !std::isfinite(value) || value == 0.0)
        return 1;
    if (halfWidth <= 0.0)
        return kMostDigits;
    const auto place = [](double of) { return static_cast<int>(std::floor(std::log10(of))); };
    return std::clamp(place(std::abs(value)) - place(halfWidth) + 2, 1, kMostDigits);
}

}  // namespace qs::core
