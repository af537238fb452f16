#include "core/stats/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace qs::core {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<double> kReference{10.0, 10.1, 9.9, 10.05, 9.95};
const std::vector<double> kThreePercent{9.7, 9.75, 9.72, 9.69, 9.74};

std::vector<double> scaled(const std::vector<double>& values, double factor)
{
    std::vector<double> result;
    for (const double value : values)
        result.push_back(value * factor);
    return result;
}

Verdict alone(const std::vector<double>& reference, const std::vector<double>& candidate,
              const std::optional<RatioEvidence>& cycles = std::nullopt, int look = 0)
{
    const RatioEvidence evidence = weighRatio(reference, candidate);
    return judge(evidence, cycles, evidence.claim(), look);
}

// scipy.stats.t.sf.
TEST(StudentTUpperTail, AgreesWithScipy)
{
    EXPECT_NEAR(studentTUpperTail(0.5, 3), 0.325723982424076, 1e-14);
    EXPECT_NEAR(studentTUpperTail(1.0, 7), 0.175308331410104, 1e-14);
    EXPECT_NEAR(studentTUpperTail(2.5, 4), 0.033383272405994, 1e-14);
    EXPECT_NEAR(studentTUpperTail(-1.3, 9), 0.887046813663475, 1e-14);
    EXPECT_NEAR(studentTUpperTail(10.0, 2), 0.004926228511663, 1e-14);
    EXPECT_EQ(studentTUpperTail(std::numeric_limits<double>::infinity(), 4), 0.0);
    EXPECT_EQ(studentTUpperTail(-std::numeric_limits<double>::infinity(), 4), 1.0);
}

// One-sided t tests of the log ratios against ln 1.005, computed with numpy and scipy.
TEST(WeighRatio, AgreesWithScipy)
{
    const RatioEvidence evidence = weighRatio(kReference, kThreePercent);
    EXPECT_NEAR(evidence.faster, 0.0015360292218844674, 1e-14);
    EXPECT_NEAR(evidence.slower, 0.999599116637408, 1e-12);
    EXPECT_NEAR(evidence.ratio.value, 1.0287836945962732, 1e-14);
    EXPECT_NEAR(evidence.claim(), 2 * 0.0015360292218844674, 1e-14);
}

TEST(WeighRatio, IsSymmetric)
{
    const RatioEvidence there = weighRatio(kReference, kThreePercent);
    const RatioEvidence back = weighRatio(kThreePercent, kReference);
    EXPECT_NEAR(there.faster, back.slower, 1e-15);
    EXPECT_NEAR(there.slower, back.faster, 1e-15);
    EXPECT_NEAR(there.ratio.value * back.ratio.value, 1.0, 1e-14);
}

TEST(WeighRatio, RoundsWithoutSpreadAreAsSureAsTheyLook)
{
    const std::vector<double> ones(5, 1.0);
    EXPECT_EQ(weighRatio(ones, scaled(ones, 0.9)).faster, 0.0);
    EXPECT_EQ(weighRatio(ones, scaled(ones, 0.9)).slower, 1.0);
    EXPECT_EQ(weighRatio(ones, ones).claim(), 1.0);
    EXPECT_EQ(weighRatio(std::vector{1.0}, std::vector{0.5}).claim(), 1.0) << "one round";
}

// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
TEST(Holm, AgreesWithR)
{
    const std::vector<double> claims{0.01, 0.04, 0.03, 0.005};
    EXPECT_THAT(holmAdjusted(claims),
                ElementsAre(DoubleNear(0.03, 1e-15), DoubleNear(0.06, 1e-15),
                            DoubleNear(0.06, 1e-15), DoubleNear(0.02, 1e-15)));
    EXPECT_THAT(holmAdjusted({}), IsEmpty());
    EXPECT_THAT(holmAdjusted(std::vector{0.9, 0.8}), ElementsAre(1.0, 1.0));
    EXPECT_THAT(holmAdjusted(std::vector{0.02}), ElementsAre(0.02)) << "one claim stays as it is";
}

TEST(Judge, SaysFasterSlowerAndSame)
{
    EXPECT_EQ(alone(kReference, kThreePercent), Verdict::Faster);
    EXPECT_EQ(alone(kThreePercent, kReference), Verdict::Slower);
    EXPECT_EQ(alone(kReference, scaled(kReference, 1.002)), Verdict::Same);
    EXPECT_EQ(alone(kReference, scaled(kReference, 1.007)), Verdict::Slower)
        << "equal in every round but for seven thousandths";
}

TEST(Judge, WaitsForThreeRounds)
{
    EXPECT_EQ(alone({1.0, 1.0}, {0.5, 0.5}), Verdict::TooFewRounds);
    EXPECT_EQ(alone({1.0, 1.0, 1.0}, {0.5, 0.5, 0.5}), Verdict::Faster);
}

TEST(Judge, LeavesOpenWhatIsOpen)
{
    EXPECT_EQ(alone(kReference, {9.0, 10.5, 9.1, 10.4, 9.2}), Verdict::Ambiguous);
    // Faster by two percent, but other comparisons of the sweep could have been that lucky.
    const RatioEvidence evidence = weighRatio(kReference, kThreePercent);
    EXPECT_EQ(judge(evidence, std::nullopt, 50 * evidence.claim()), Verdict::Ambiguous);
    // The fourth look would have needed more.
    EXPECT_EQ(alone(kReference, kThreePercent, std::nullopt, 3), Verdict::Ambiguous);
}

TEST(Judge, ALuckyClockIsNoSpeedUp)
{
    const RatioEvidence sameCycles = weighRatio(kReference, kReference);
    EXPECT_EQ(alone(kReference, kThreePercent, sameCycles), Verdict::Ambiguous);
    EXPECT_EQ(alone(kThreePercent, kReference, sameCycles), Verdict::Ambiguous);
    EXPECT_EQ(alone(kReference, kThreePercent, weighRatio(kReference, kThreePercent)),
              Verdict::Faster);
}

TEST(Judge, MoreWorkAtAHigherClockIsNotTheSame)
{
    const std::vector<double> equalSeconds = scaled(kReference, 1.0005);
    const std::vector<double> more = scaled(kReference, 1.03);
    EXPECT_EQ(alone(kReference, equalSeconds, weighRatio(kReference, more)), Verdict::Ambiguous);
    EXPECT_EQ(alone(kReference, equalSeconds, weighRatio(more, kReference)), Verdict::Ambiguous)
        << "nor is less work at a lower one";
    EXPECT_EQ(alone(kReference, equalSeconds, weighRatio(kReference, equalSeconds)), Verdict::Same);
    // And cycles alone do not make it: the seconds differ.
    EXPECT_EQ(alone(kReference, more, weighRatio(kReference, equalSeconds)), Verdict::Ambiguous);
    EXPECT_EQ(alone(more, kReference, weighRatio(kReference, equalSeconds)), Verdict::Ambiguous);
    // Cycles so uncertain that they tell nothing do not support it either.
    EXPECT_EQ(
        alone(kReference, equalSeconds, weighRatio(kReference, {{9.0, 10.5, 9.1, 10.4, 9.2}})),
        Verdict::Ambiguous);
}

// Rounds of one sample each.
std::vector<RoundSamples> roundsOf(double base, int rounds)
{
    std::vector<RoundSamples> all;
    for (int round = 0; round < rounds; ++round)
        all.push_back({base * (1.0 + 0.001 * ((7 * round) % 5 - 2))});
    return all;
}

// Welch's t test of the log ratio against ln(1.005 x 1.05), its tail integrated numerically.
TEST(WeighUnpaired, AgreesWithWelch)
{
    const RatioEvidence evidence = weighUnpaired(roundsOf(10.0, 5), roundsOf(9.45, 4));
    EXPECT_FALSE(evidence.paired);
    EXPECT_NEAR(evidence.faster, 0.01594628380428859, 1e-9);
    EXPECT_NEAR(evidence.slower, 0.9999999999848511, 1e-9);
    EXPECT_EQ(evidence.ratio.count, 4U);
}

TEST(WeighUnpaired, TheIntervalIsAtLeastThatOfWelch)
{
    // ln 2 ± t(4, 0.975) · 0.01 · √(2/3): both sides have the same three, in logarithms.
    const auto side = [](double base) {
        return std::vector<RoundSamples>{{base * std::exp(-0.01)}, {base}, {base * std::exp(0.01)}};
    };
    const Estimate ratio = weighUnpaired(side(2.0), side(1.0)).ratio;
    const double reach = 2.7764451051977987 * 0.01 * std::sqrt(2.0 / 3.0);
    EXPECT_NEAR(ratio.interval->lower, 2.0 * std::exp(-reach), 1e-12);
    EXPECT_NEAR(ratio.interval->upper, 2.0 * std::exp(reach), 1e-12);
    const std::vector<RoundSamples> still(3, {1.0});
    EXPECT_EQ(*weighUnpaired(still, still).ratio.interval, (Interval{1.0, 1.0}));
}

TEST(WeighUnpaired, ClaimsOnlyWhatNoDriftExplains)
{
    const auto verdict = [](double candidate) {
        const RatioEvidence evidence = weighUnpaired(roundsOf(10.0, 5), roundsOf(candidate, 5));
        return judge(evidence, std::nullopt, evidence.claim());
    };
    EXPECT_EQ(verdict(5.0), Verdict::Faster);
    EXPECT_EQ(verdict(20.0), Verdict::Slower);
    EXPECT_EQ(verdict(9.7), Verdict::Ambiguous) << "three percent may be the clock";
    EXPECT_EQ(verdict(10.3), Verdict::Ambiguous);
    EXPECT_EQ(verdict(10.0), Verdict::Ambiguous) << "and a clock may hide a difference";
    EXPECT_EQ(judge(weighUnpaired(roundsOf(10.0, 5), roundsOf(5.0, 2)), std::nullopt, 0.0),
              Verdict::TooFewRounds);
}

TEST(Judge, AllLooksTogetherStayBelowTheError)
{
    const VerdictRule rule;
    double sum = 0.0;
    for (int look = 0; look < 40; ++look) {
        sum += errorOfLook(rule, look);
        EXPECT_LE(sum, rule.error);
    }
    EXPECT_GT(errorOfLook(rule, 0), rule.error / 2.0) << "most runs are looked at once";
}

}  // namespace
}  // namespace qs::core
