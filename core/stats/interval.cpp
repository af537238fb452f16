#include "core/stats/interval.h"

#include "core/base/checks.h"
#include "core/stats/incomplete_beta.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <mutex>
#include <unordered_map>

namespace qs::core {

namespace {

// P(|T| > t) for t >= 0.
double twoSidedTail(double t, double degreesOfFreedom)
{
    const double x = degreesOfFreedom / (degreesOfFreedom + t * t);
    return regularizedIncompleteBeta(degreesOfFreedom / 2.0, 0.5, x);
}

// For a probability of at least one half.
double upperQuantile(double probability, double degreesOfFreedom)
{
    const double tail = 2.0 * (1.0 - probability);
    double high = 1.0;
    while (twoSidedTail(high, degreesOfFreedom) > tail && high < 1e300)
        high *= 2.0;
    // The tail falls steadily with t: halving needs no derivative and cannot run away. 100 halvings
    // pass the precision of a double.
    double low = 0.0;
    for (int step = 0; step < 100; ++step) {
        const double middle = low + (high - low) / 2.0;
        (twoSidedTail(middle, degreesOfFreedom) > tail ? low : high) = middle;
    }
    return low + (high - low) / 2.0;
}

}  // namespace

double studentTQuantile(double probability, double degreesOfFreedom)
{
    QS_ASSERT(probability > 0.0 && probability < 1.0);
    QS_ASSERT(degreesOfFreedom > 0.0);
    if (probability < 0.5)
        return -studentTQuantile(1.0 - probability, degreesOfFreedom);
    if (probability != 0.5 + kUsualConfidence / 2.0)
        return upperQuantile(probability, degreesOfFreedom);
    // A run asks for the same few numbers of rounds a hundred thousand times; effective counts are
    // not whole, so that the store is emptied before it grows with them. One for all threads:
    // glibc aborts when a thread's own object finds no memory for its destructor.
    constexpr std::size_t kMostKnown = 4096;
    static std::mutex guard;
    static std::unordered_map<double, double> known;
    const std::scoped_lock lock(guard);
    if (known.size() >= kMostKnown)
        known.clear();
    const auto [place, isNew] = known.try_emplace(degreesOfFreedom);
    if (isNew)
        place->second = upperQuantile(probability, degreesOfFreedom);
    return place->second;
}

double studentTUpperTail(double t, double degreesOfFreedom)
{
    QS_ASSERT(degreesOfFreedom > 0.0);
    const double beyond = std::isinf(t) ? 0.0 : twoSidedTail(std::abs(t), degreesOfFreedom) / 2.0;
    return t >= 0.0 ? beyond : 1.0 - beyond;
}

std::optional<Interval> meanInterval(const Moments& moments, double effectiveCount,
                                     double confidence)
{
    QS_ASSERT(confidence > 0.0 && confidence < 1.0);
    if (effectiveCount < 2.0 || moments.count() < 2)
        return std::nullopt;
    const double t = studentTQuantile(0.5 + confidence / 2.0, effectiveCount - 1.0);
    const double reach = t * moments.standardDeviation() / std::sqrt(effectiveCount);
    return Interval{.lower = moments.mean() - reach, .upper = moments.mean() + reach};
}

std::optional<Interval> positiveInterval(std::span<const double> values, double confidence)
{
    if (values.size() < 2)
        return std::nullopt;
    // A logarithm and back is not exact: without any spread the ends are the value itself.
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*least == *most)
        return Interval{.lower = *least, .upper = *most};
    if (!(*least > 0.0))
        return std::nullopt;
    Moments logarithms;
    for (const double value : values)
        logarithms.add(std::log(value));
    const auto ofMean = meanInterval(logarithms, static_cast<double>(values.size()), confidence);
    QS_ASSERT(ofMean);
    return Interval{.lower = std::max(std::exp(ofMean->lower), DBL_MIN),
                    .upper = std::min(std::exp(ofMean->upper), DBL_MAX)};
}

Interval inverted(const Interval& interval, double amount)
{
    QS_ASSERT(interval.lower > 0.0 && interval.lower <= interval.upper);
    return {.lower = amount / interval.upper, .upper = amount / interval.lower};
}

Moments logRatios(std::span<const double> referenceSeconds,
                  std::span<const double> candidateSeconds)
{
    QS_ASSERT(referenceSeconds.size() == candidateSeconds.size());
    QS_ASSERT(!referenceSeconds.empty());
    Moments logarithms;
    for (std::size_t i = 0; i < referenceSeconds.size(); ++i) {
        QS_ASSERT(referenceSeconds[i] > 0.0 && candidateSeconds[i] > 0.0);
        logarithms.add(std::log(referenceSeconds[i]) - std::log(candidateSeconds[i]));
    }
    return logarithms;
}

Estimate pairedRatio(std::span<const double> referenceSeconds,
                     std::span<const double> candidateSeconds, double confidence)
{
    const Moments logarithms = logRatios(referenceSeconds, candidateSeconds);
    Estimate ratio{
        .value = std::exp(logarithms.mean()), .interval = {}, .count = logarithms.count()};
    const auto rounds = static_cast<double>(logarithms.count());
    if (const auto reach = meanInterval(logarithms, rounds, confidence))
        ratio.interval = Interval{.lower = std::exp(reach->lower), .upper = std::exp(reach->upper)};
    return ratio;
}

}  // namespace qs::core
