#include "core/stats/verdict.h"

#include "core/base/checks.h"
#include "core/stats/quantiles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace qs::core {

namespace {

// The chance of a mean log ratio as far above `bound` as this one if the truth is `bound`. Rounds
// without any spread are as sure as they look.
double pValueAbove(double mean, const VarianceSample& variance, double rounds, double bound)
{
    const double distance = mean - bound;
    const double error = std::sqrt(variance.variance / rounds);
    if (error == 0.0)
        return distance > 0.0 ? 0.0 : 1.0;
    return studentTUpperTail(distance / error, variance.freedom);
}

// The interval of the ratio, by the same variance.
Interval intervalOf(double mean, const VarianceSample& variance, double rounds)
{
    double reach = 0.0;
    if (variance.variance > 0.0)
        reach = std::sqrt(variance.variance / rounds) *
                studentTQuantile(0.5 + kUsualConfidence / 2.0, variance.freedom);
    return {.lower = std::exp(mean - reach), .upper = std::exp(mean + reach)};
}

Moments logarithmsOf(std::span<const RoundSamples> rounds)
{
    Moments logarithms;
    for (const RoundSamples& round : rounds)
        logarithms.add(std::log(median(round)));
    return logarithms;
}

// The mean of `reference` less that of `candidate`, whose variances need not be equal.
struct WelchDifference {
    double mean = 0.0;
    double error = 0.0;    // standard error of the mean
    double freedom = 1.0;  // degrees of it, by Satterthwaite; of no meaning without an error
};

WelchDifference welchDifference(const Moments& reference, const Moments& candidate)
{
    const auto share = [](const Moments& side) {
        return side.variance() / static_cast<double>(side.count());
    };
    const auto part = [&](const Moments& side) {
        return share(side) * share(side) / static_cast<double>(side.count() - 1);
    };
    const double variance = share(reference) + share(candidate);
    WelchDifference difference{.mean = reference.mean() - candidate.mean(),
                               .error = std::sqrt(variance)};
    if (variance > 0.0)
        difference.freedom = variance * variance / (part(reference) + part(candidate));
    return difference;
}

// As pValueAbove().
double pValueAboveUnpaired(const WelchDifference& difference, double bound)
{
    const double distance = difference.mean - bound;
    if (difference.error == 0.0)
        return distance > 0.0 ? 0.0 : 1.0;
    return studentTUpperTail(distance / difference.error, difference.freedom);
}

// See weighUnpaired().
Interval reachingOver(const Interval& bootstrap, const WelchDifference& logarithms)
{
    double reach = 0.0;
    if (logarithms.error > 0.0)
        reach =
            logarithms.error * studentTQuantile(0.5 + kUsualConfidence / 2.0, logarithms.freedom);
    return {.lower = std::min(bootstrap.lower, std::exp(logarithms.mean - reach)),
            .upper = std::max(bootstrap.upper, std::exp(logarithms.mean + reach))};
}

// Whether the ratio is certain to be one, give or take `reach` (a fraction).
bool isWithin(const Estimate& ratio, double reach)
{
    return ratio.interval && ratio.interval->lower > 1.0 / (1.0 + reach) &&
           ratio.interval->upper < 1.0 + reach;
}

// Enough for an interval that is shown with three digits; a view asks for many of them at once.
constexpr std::size_t kUnpairedResamples = 1000;

}  // namespace

const char* toString(Verdict verdict)
{
    switch (verdict) {
    case Verdict::TooFewRounds:
        return "too few repeats";
    case Verdict::Faster:
        return "faster";
    case Verdict::Slower:
        return "slower";
    case Verdict::Same:
        return "same";
    case Verdict::Ambiguous:
        return "undecided";
    }
    return "";
}

double RatioEvidence::claim() const
{
    return std::min(1.0, 2.0 * std::min(faster, candidates * slower));
}

RatioEvidence weighRatio(std::span<const double> reference, std::span<const double> candidate,
                         const VerdictRule& rule)
{
    RatioEvidence evidence{.ratio = pairedRatio(reference, candidate)};
    const Moments logarithms = logRatios(reference, candidate);
    if (logarithms.count() < 2)
        return evidence;
    const auto rounds = static_cast<double>(logarithms.count());
    const double gap = std::log1p(rule.clearGap);
    evidence.logMean = logarithms.mean();
    evidence.logVariance = {.variance = logarithms.variance(), .freedom = rounds - 1.0};
    evidence.faster = pValueAbove(evidence.logMean, evidence.logVariance, rounds, gap);
    evidence.slower = pValueAbove(-evidence.logMean, evidence.logVariance, rounds, gap);
    return evidence;
}

RatioEvidence moderated(const RatioEvidence& evidence, const VariancePrior& prior,
                        const VerdictRule& rule)
{
    QS_ASSERT(evidence.paired && evidence.ratio.count >= 2);
    if (prior.freedom() == 0.0)
        return evidence;
    const auto rounds = static_cast<double>(evidence.ratio.count);
    const double gap = std::log1p(rule.clearGap);
    RatioEvidence shared = evidence;
    shared.logVariance = prior.moderated(evidence.logVariance);
    shared.faster = pValueAbove(evidence.logMean, shared.logVariance, rounds, gap);
    shared.slower = pValueAbove(-evidence.logMean, shared.logVariance, rounds, gap);
    shared.ratio.interval = intervalOf(evidence.logMean, shared.logVariance, rounds);
    return shared;
}

RatioEvidence weighUnpaired(std::span<const RoundSamples> reference,
                            std::span<const RoundSamples> candidate, const VerdictRule& rule)
{
    RatioEvidence evidence{
        .ratio = unpairedRatio(reference, candidate, kUsualConfidence, kUnpairedResamples),
        .paired = false};
    if (evidence.ratio.count < rule.fewestRounds)
        return evidence;
    const double gap = std::log1p(rule.clearGap) + std::log1p(rule.unpairedDrift);
    const Moments ofReference = logarithmsOf(reference);
    const Moments ofCandidate = logarithmsOf(candidate);
    const WelchDifference faster = welchDifference(ofReference, ofCandidate);
    evidence.faster = pValueAboveUnpaired(faster, gap);
    evidence.slower = pValueAboveUnpaired(welchDifference(ofCandidate, ofReference), gap);
    if (evidence.ratio.interval)
        evidence.ratio.interval = reachingOver(*evidence.ratio.interval, faster);
    return evidence;
}

std::vector<double> holmAdjusted(std::span<const double> claims)
{
    std::vector<std::size_t> order(claims.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return claims[a] < claims[b]; });
    std::vector<double> adjusted(claims.size());
    double largest = 0.0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const auto left = static_cast<double>(order.size() - rank);
        largest = std::max(largest, std::min(1.0, left * claims[order[rank]]));
        adjusted[order[rank]] = largest;
    }
    return adjusted;
}

double errorOfLook(const VerdictRule& rule, int look)
{
    QS_ASSERT(look >= 0);
    return rule.error * 0.75 * std::pow(0.25, look);
}

double weightOfLook(const VerdictRule& rule, int look)
{
    return errorOfLook(rule, 0) / errorOfLook(rule, look);
}

Verdict judge(const RatioEvidence& time, const std::optional<RatioEvidence>& cycles,
              double adjustedClaim, int look, const VerdictRule& rule)
{
    if (time.ratio.count < rule.fewestRounds || !time.ratio.interval)
        return Verdict::TooFewRounds;
    const Interval& interval = *time.ratio.interval;
    const double above = (1.0 + rule.clearGap) * (time.paired ? 1.0 : 1.0 + rule.unpairedDrift);
    const double error = errorOfLook(rule, look);
    if (adjustedClaim <= error) {
        const bool fasterInCycles = !cycles || (cycles->faster <= error);
        const bool slowerInCycles = !cycles || (cycles->slower <= error);
        if (interval.lower > above && fasterInCycles)
            return Verdict::Faster;
        if (interval.upper < 1.0 / above && slowerInCycles)
            return Verdict::Slower;
    }
    const bool isSame = time.paired && isWithin(time.ratio, rule.sameWithin) &&
                        (!cycles || isWithin(cycles->ratio, rule.sameWithin));
    return isSame ? Verdict::Same : Verdict::Ambiguous;
}

}  // namespace qs::core
