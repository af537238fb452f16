#include "core/stats/quantiles.h"

#include "core/base/checks.h"
#include "core/stats/incomplete_beta.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace qs::core {

namespace {

constexpr double kDoubt = 0.01;  // one minus the confidence of the bound

}  // namespace

std::vector<double> sorted(std::span<const double> values)
{
    std::vector<double> ascending(values.begin(), values.end());
    std::sort(ascending.begin(), ascending.end());
    return ascending;
}

double quantile(std::span<const double> sortedValues, double probability)
{
    QS_ASSERT(!sortedValues.empty());
    QS_ASSERT(probability >= 0.0 && probability <= 1.0);
    const double place = static_cast<double>(sortedValues.size() - 1) * probability;
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sortedValues.size() - 1);
    const double share = place - static_cast<double>(below);
    return sortedValues[below] + share * (sortedValues[above] - sortedValues[below]);
}

Quartiles quartiles(std::span<const double> sortedValues)
{
    return {.lower = quantile(sortedValues, 0.25),
            .median = quantile(sortedValues, 0.5),
            .upper = quantile(sortedValues, 0.75)};
}

double median(std::span<const double> values)
{
    return quantile(sorted(values), 0.5);
}

std::size_t samplesNeededFor(double percent, int beyond)
{
    QS_ASSERT(percent > 0.0 && percent < 100.0);
    QS_ASSERT(beyond >= 0);
    const auto enough = [&](std::size_t within) {
        return regularizedIncompleteBeta(static_cast<double>(within), beyond + 1.0,
                                         percent / 100.0) <= kDoubt;
    };
    // The bound tightens with every sample, so the smallest count is found by doubling and halving.
    std::size_t high = 1;
    while (!enough(high))
        high *= 2;
    std::size_t low = high / 2;
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (enough(middle) ? high : low) = middle;
    }
    return high + static_cast<std::size_t>(beyond);
}

namespace {

// Every row asks for the same few percentiles. One store for all threads: glibc aborts when a
// thread's own object finds no memory for its destructor.
std::size_t knownSamplesNeededFor(double percent)
{
    static std::mutex guard;
    static std::map<double, std::size_t> known;
    const std::scoped_lock lock(guard);
    const auto [place, isNew] = known.try_emplace(percent);
    if (isNew)
        place->second = samplesNeededFor(percent);
    return place->second;
}

}  // namespace

std::optional<double> percentile(std::span<const double> sortedValues, double percent)
{
    if (sortedValues.size() < knownSamplesNeededFor(percent))
        return std::nullopt;
    return quantile(sortedValues, percent / 100.0);
}

}  // namespace qs::core
