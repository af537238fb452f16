#include "core/base/checks.h"
#include "core/stats/verdict.h"

#include <algorithm>
#include <cmath>

namespace qs::core {

namespace {

// The evidence after further rounds that show what the present ones do.
RatioEvidence continued(const RatioEvidence& evidence, int more, const VerdictRule& rule)
{
    RatioEvidence later = evidence;
    const auto rounds = static_cast<double>(evidence.ratio.count) + more;
    const double error = std::sqrt(evidence.logVariance.variance / rounds);
    const double freedom = evidence.logVariance.freedom + more;
    const double gap = std::log1p(rule.clearGap);
    const auto chance = [&](double mean) {
        if (error == 0.0)
            return mean > gap ? 0.0 : 1.0;
        return studentTUpperTail((mean - gap) / error, freedom);
    };
    later.ratio.count += static_cast<std::size_t>(more);
    later.logVariance.freedom = freedom;
    later.faster = chance(evidence.logMean);
    later.slower = chance(-evidence.logMean);
    const double reach =
        error > 0.0 ? error * studentTQuantile(0.5 + kUsualConfidence / 2.0, freedom) : 0.0;
    later.ratio.interval = Interval{.lower = std::exp(evidence.logMean - reach),
                                    .upper = std::exp(evidence.logMean + reach)};
    return later;
}

// What lies beyond the gap leans to a side, what lies within it to the middle.
Verdict leaningOf(const RatioEvidence& time, const VerdictRule& rule)
{
    const double mean = std::log(time.ratio.value);
    if (std::abs(mean) <= std::log1p(rule.clearGap))
        return time.paired ? Verdict::Same : Verdict::Ambiguous;
    return mean > 0.0 ? Verdict::Faster : Verdict::Slower;
}

}  // namespace

Outlook outlookOf(const RatioEvidence& time, const std::optional<RatioEvidence>& cycles, int rivals,
                  int look, const VerdictRule& rule)
{
    QS_ASSERT(rivals > 0);
    const auto rounds = static_cast<int>(time.ratio.count);
    const auto fewest = static_cast<int>(rule.fewestRounds);
    if (rounds < fewest)
        return {.leaning = Verdict::Ambiguous, .moreRounds = fewest - rounds};
    if (!time.paired)
        return {.leaning = leaningOf(time, rule)};
    const auto verdictAfter = [&](int more) {
        const RatioEvidence later = continued(time, more, rule);
        std::optional<RatioEvidence> laterCycles;
        if (cycles)
            laterCycles = continued(*cycles, more, rule);
        return judge(later, laterCycles, std::min(1.0, rivals * later.claim()), look, rule);
    };
    // The more rounds, the more is settled: the first that will do is found by halving.
    if (verdictAfter(kMostRoundsForeseen) == Verdict::Ambiguous)
        return {.leaning = leaningOf(time, rule)};
    int tooFew = 0;
    int enough = kMostRoundsForeseen;
    while (enough - tooFew > 1) {
        const int middle = (tooFew + enough) / 2;
        (verdictAfter(middle) == Verdict::Ambiguous ? tooFew : enough) = middle;
    }
    return {.leaning = verdictAfter(enough), .moreRounds = enough};
}

}  // namespace qs::core
