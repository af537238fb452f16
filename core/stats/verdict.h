#pragma once

#include "core/stats/bootstrap.h"
#include "core/stats/interval.h"
#include "core/stats/moderated_variance.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace qs::core {

// What can be claimed about a ratio. Ambiguous is an answer: more rounds may settle it.
enum class Verdict { TooFewRounds, Faster, Slower, Same, Ambiguous };

// "faster", "slower", "same", "undecided", "too few repeats": the words of every view and file.
[[nodiscard]] const char* toString(Verdict verdict);

// Note [Verdicts]
// FASTER means: at least `clearGap` faster, beyond what chance explains. Two bars have to be taken.
// The 95 % interval of the ratio lies beyond the gap; and, because a sweep makes many comparisons
// and one of them is always lucky, the chance of any wrong claim among all of them stays below
// `error` (Holm 1979). Where the clock of the processor is known the chance in cycles has to be
// below the error as well: a lucky clock is no speed-up. That is a second bar on a claim that has
// passed the correction already. It can only take claims away, so that the chance in cycles is not
// corrected itself. SAME means that the interval lies within `sameWithin` of 1, in cycles, too,
// where the clock is known: a cell that needs more work at a higher clock is not the same. Rounds
// may be added to comparisons that are not settled; each further look has a smaller share of the
// error, so that looking often enough does not find what is not there.
// Rounds that could not be paired carry the drift between them: the clock of a warm card alone
// makes some percent. FASTER and SLOWER then need `unpairedDrift` beyond the gap, and SAME is never
// said, because a drift may as well hide a difference.
struct VerdictRule {
    double clearGap = 0.005;      // fraction
    double unpairedDrift = 0.05;  // fraction
    double sameWithin = 0.01;
    double error = 0.01;  // of any FASTER or SLOWER of a sweep, over all looks
    std::size_t fewestRounds = 3;
};

// How an open comparison leans, and how many more rounds would settle it if they showed the same.
struct Outlook {
    Verdict leaning = Verdict::Ambiguous;  // Faster, Slower or Same; Ambiguous: to no side
    std::optional<int> moreRounds = {};    // nothing: more than kMostRoundsForeseen, or unknown

    bool operator==(const Outlook&) const = default;
};
inline constexpr int kMostRoundsForeseen = 100;

// Note [The best as baseline]
// The fastest of several cells was lucky, too: its rounds are shorter than its truth, and whatever
// is compared with it in the same rounds looks slower than it is. That is why SLOWER has to hold
// against any of the candidates: its chance counts once for each of them (Bonferroni: a wrong
// SLOWER against the chosen one is a wrong SLOWER against one of them). FASTER than the luckiest
// needs no correction, because the choice works against it.

// How well the rounds of two cells tell them apart.
struct RatioEvidence {
    Estimate ratio;  // above 1 is faster, with its 95 % interval
    // Chances of rounds like these, or more extreme ones, if the ratio were just at the gap
    // (one-sided Student's t of the log ratios); 1 with fewer than two rounds.
    double faster = 1.0;
    double slower = 1.0;
    bool paired = true;  // by rounds, so that drift has cancelled
    // What the chances and the interval of paired rounds are made of: the mean of the log ratios
    // and their variance, and the degrees of freedom it is known with; 0 below two rounds.
    double logMean = 0.0;
    VarianceSample logVariance = {.variance = 0.0, .freedom = 0.0};
    // Among so many cells the reference was chosen, as the fastest in these very rounds. See Note
    // [The best as baseline].
    int candidates = 1;

    // Of either claim, for the correction over a sweep.
    [[nodiscard]] double claim() const;

    bool operator==(const RatioEvidence&) const = default;
};

// Seconds, or cycles, per round, paired by index; equally many, all > 0, at least one.
[[nodiscard]] RatioEvidence weighRatio(std::span<const double> reference,
                                       std::span<const double> candidate,
                                       const VerdictRule& rule = {});

// The same evidence with what the other comparisons of the run say of its variance, see Note
// [Moderated variances]. Of paired rounds, at least two.
[[nodiscard]] RatioEvidence moderated(const RatioEvidence& evidence, const VariancePrior& prior,
                                      const VerdictRule& rule = {});

// The same of rounds that the two do not share: the ratio as unpairedRatio() gives it, the chances
// by Welch's t of the logarithms of the rounds' medians (Welch 1947, degrees of freedom by
// Satterthwaite 1946). At least three rounds on each side. The interval reaches over that of the
// bootstrap and the 95 % interval of Welch's t: percentiles of three resampled rounds cannot reach
// beyond the outermost of them and hold the truth in less than 90 % of simulated cases, while t
// knows nothing of the samples inside the rounds and holds the ratio of means rather than of
// medians.
[[nodiscard]] RatioEvidence weighUnpaired(std::span<const RoundSamples> reference,
                                          std::span<const RoundSamples> candidate,
                                          const VerdictRule& rule = {});

// The p-values of claims made together, each raised so that comparing it with one error bounds the
// chance of any wrong claim among them (Holm's step-down). In the order given, at most 1.
[[nodiscard]] std::vector<double> holmAdjusted(std::span<const double> claims);

// The share of the error that look number `look` has, 0 for the first: three quarters of what is
// left each time, so that all looks together stay below rule.error.
[[nodiscard]] double errorOfLook(const VerdictRule& rule, int look);

// How many times as much a chance counts at that look as it does at the first. Comparisons of
// different looks are corrected together by these: with chances multiplied first, the sum over all
// looks and comparisons keeps to the error whatever the order they come in.
[[nodiscard]] double weightOfLook(const VerdictRule& rule, int look);

// `adjustedClaim`: what holmAdjusted made of time.claim() among comparisons of the same look.
// `cycles`: the same comparison in cycles, if both cells have a clock.
[[nodiscard]] Verdict judge(const RatioEvidence& time, const std::optional<RatioEvidence>& cycles,
                            double adjustedClaim, int look = 0, const VerdictRule& rule = {});

// Of a comparison that is not settled. `rivals`: the comparisons of the sweep, itself included,
// whose claims are no stronger, which is what Holm multiplies its chance with. `look`: the one that
// the further rounds would be judged at.
[[nodiscard]] Outlook outlookOf(const RatioEvidence& time,
                                const std::optional<RatioEvidence>& cycles, int rivals, int look,
                                const VerdictRule& rule = {});

}  // namespace qs::core
