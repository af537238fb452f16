#include "core/stats/bootstrap.h"

#include "core/base/checks.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <random>

namespace qs::core {

namespace {

constexpr std::size_t kFewestRounds = 3;

// Uniform in 0 … bound - 1. Not std::uniform_int_distribution: that draws differently with every
// standard library. The bias of the remainder is below 1e-13 for what is drawn from here.
std::size_t drawBelow(std::mt19937_64& random, std::size_t bound)
{
    return static_cast<std::size_t>(random() % bound);
}

double medianOfRounds(std::span<const RoundSamples> rounds)
{
    std::vector<double> medians;
    for (const RoundSamples& round : rounds)
        medians.push_back(median(round));
    return median(medians);
}

// `medians` and `values` are room to work in, so that ten thousand draws allocate once.
double resampled(std::span<const RoundSamples> rounds, std::mt19937_64& random,
                 std::vector<double>& medians, std::vector<double>& values)
{
    medians.clear();
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        const RoundSamples& round = rounds[drawBelow(random, rounds.size())];
        values.clear();
        for (std::size_t k = 0; k < round.size(); ++k)
            values.push_back(round[drawBelow(random, round.size())]);
        medians.push_back(median(values));
    }
    return median(medians);
}

}  // namespace

Estimate unpairedRatio(std::span<const RoundSamples> reference,
                       std::span<const RoundSamples> candidate, double confidence,
                       std::size_t resamples, std::uint64_t seed)
{
    QS_ASSERT(!reference.empty() && !candidate.empty());
    QS_ASSERT(confidence > 0.0 && confidence < 1.0);
    for (const auto& side : {reference, candidate}) {
        for (const RoundSamples& round : side)
            QS_ASSERT(!round.empty());
    }
    Estimate ratio{.value = medianOfRounds(reference) / medianOfRounds(candidate),
                   .interval = {},
                   .count = std::min(reference.size(), candidate.size())};
    if (ratio.count < kFewestRounds)
        return ratio;
    std::mt19937_64 random(seed);
    std::vector<double> ratios;
    std::vector<double> medians;
    std::vector<double> values;
    ratios.reserve(resamples);
    for (std::size_t i = 0; i < resamples; ++i) {
        const double above = resampled(reference, random, medians, values);
        ratios.push_back(above / resampled(candidate, random, medians, values));
    }
    std::sort(ratios.begin(), ratios.end());
    const double tail = (1.0 - confidence) / 2.0;
    ratio.interval =
        Interval{.lower = quantile(ratios, tail), .upper = quantile(ratios, 1.0 - tail)};
    return ratio;
}

}  // namespace qs::core
