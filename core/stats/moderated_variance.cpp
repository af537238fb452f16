#include "core/stats/moderated_variance.h"

#include "core/base/checks.h"
#include "core/stats/moments.h"
#include "core/stats/polygamma.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace qs::core {

namespace {

// ln of the variances, less what chance alone makes of a logarithm.
std::vector<double> unbiasedLogarithms(std::span<const VarianceSample> samples)
{
    std::vector<double> variances;
    for (const VarianceSample& sample : samples)
        variances.push_back(sample.variance);
    // Rounds that agree to the last bit are the resolution of a clock; their logarithm has no end.
    const double least = 1e-5 * median(variances);
    std::vector<double> logarithms;
    for (const VarianceSample& sample : samples) {
        const double half = sample.freedom / 2.0;
        logarithms.push_back(std::log(std::max(sample.variance, least)) - digamma(half) +
                             std::log(half));
    }
    return logarithms;
}

struct Line {
    double intercept = 0.0;
    double slope = 0.0;
    double parameters = 1.0;

    [[nodiscard]] double at(double x) const { return intercept + slope * x; }
};

// Least squares. Flat where the spreads tell nothing or less than nothing.
Line fitLine(std::span<const VarianceSample> samples, const std::vector<double>& y,
             const PriorRule& rule)
{
    const Line flat{.intercept = momentsOf(y).mean()};
    if (samples.size() < rule.fewestForSpread)
        return flat;
    Moments spreads;
    for (const VarianceSample& sample : samples) {
        if (!sample.spread || !std::isfinite(*sample.spread))
            return flat;
        spreads.add(*sample.spread);
    }
    double product = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i)
        product += (*samples[i].spread - spreads.mean()) * (y[i] - flat.intercept);
    const double squares = spreads.variance() * static_cast<double>(y.size() - 1);
    if (!(squares > 0.0) || !(product > 0.0))
        return flat;
    const double slope = product / squares;
    return {
        .intercept = flat.intercept - slope * spreads.mean(), .slope = slope, .parameters = 2.0};
}

// How much the log variances differ beyond chance; at most 0 if they do not.
double excessVariance(std::span<const VarianceSample> samples, const std::vector<double>& y,
                      const Line& line, const PriorRule& rule)
{
    double squares = 0.0;
    double byChance = 0.0;
    double kurtosis = 0.0;  // excess, of the logarithm of chi-squared
    const auto count = static_cast<double>(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double residual = y[i] - line.at(samples[i].spread.value_or(0.0));
        squares += residual * residual;
        const double half = samples[i].freedom / 2.0;
        const double expected = trigamma(half);
        byChance += expected / count;
        kurtosis += pentagamma(half) / (expected * expected) / count;
    }
    const double freedom = std::max(1.0, count - line.parameters);
    const double seen = squares / freedom;
    const double relativeError = std::sqrt(2.0 / freedom + kurtosis / count);
    return seen * (1.0 + rule.standardErrors * relativeError) - byChance;
}

double meanFreedom(std::span<const VarianceSample> samples)
{
    Moments freedom;
    for (const VarianceSample& sample : samples)
        freedom.add(sample.freedom);
    return freedom.mean();
}

// Of the mean of all variances if every cell were equally noisy: half of each is its baseline's,
// by Satterthwaite 1946.
double sharedFreedom(double freedom, std::size_t baselines, std::size_t samples)
{
    return 4.0 * freedom /
           (1.0 / static_cast<double>(baselines) + 3.0 / static_cast<double>(samples));
}

}  // namespace

double VariancePrior::varianceAt(std::optional<double> spread) const
{
    return std::exp(m_intercept + m_slope * spread.value_or(0.0));
}

VarianceSample VariancePrior::moderated(const VarianceSample& own) const
{
    if (m_freedom == 0.0)
        return own;
    const double prior = varianceAt(own.spread);
    VarianceSample both = own;
    both.freedom = std::min(m_freedom + own.freedom, std::max(m_mostFreedom, own.freedom));
    both.variance = std::isinf(m_freedom) ? prior
                                          : (m_freedom * prior + own.freedom * own.variance) /
                                                (m_freedom + own.freedom);
    return both;
}

VariancePrior fitVariancePrior(std::span<const VarianceSample> samples, std::size_t baselines,
                               const PriorRule& rule)
{
    VariancePrior prior;
    const auto scatters = [](const VarianceSample& sample) { return sample.variance > 0.0; };
    const auto scattered =
        static_cast<std::size_t>(std::count_if(samples.begin(), samples.end(), scatters));
    if (samples.size() < std::max<std::size_t>(2, rule.fewestSamples) ||
        2 * scattered <= samples.size())
        return prior;
    QS_ASSERT(baselines > 0);
    const std::vector<double> y = unbiasedLogarithms(samples);
    const Line line = fitLine(samples, y, rule);
    const double excess = excessVariance(samples, y, line, rule);
    prior.m_freedom = std::numeric_limits<double>::infinity();
    prior.m_mostFreedom = sharedFreedom(meanFreedom(samples), baselines, samples.size());
    prior.m_intercept = line.intercept;
    prior.m_slope = line.slope;
    if (excess > 0.0) {
        const double half = inverseTrigamma(excess);
        prior.m_freedom = 2.0 * half;
        prior.m_intercept += digamma(half) - std::log(half);
    }
    if (rule.samplesPerFreedom > 0.0)
        prior.m_freedom =
            std::min(prior.m_freedom, static_cast<double>(samples.size()) / rule.samplesPerFreedom);
    return prior;
}

}  // namespace qs::core
