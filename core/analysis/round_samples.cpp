#include "core/analysis/round_samples.h"

#include "core/stats/quantiles.h"

namespace qs::core {

namespace {

constexpr std::size_t kThinned = 16;

RoundSamples thinned(const std::vector<double>& samples)
{
    if (samples.size() <= kThinned)
        return samples;
    const std::vector<double> ascending = sorted(samples);
    RoundSamples few;
    for (std::size_t i = 0; i < kThinned; ++i)
        few.push_back(quantile(ascending, (static_cast<double>(i) + 0.5) / kThinned));
    return few;
}

}  // namespace

std::vector<RoundSamples> thinnedSamples(const std::vector<CountedRound>& rounds)
{
    std::vector<RoundSamples> samples;
    for (const CountedRound& each : rounds) {
        if (each.timed())
            samples.push_back(thinned(each.row->passes));
    }
    return samples;
}

}  // namespace qs::core
