#include "core/stats/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace qs::core {
namespace {

const std::vector<double> kThreeOfReference{10.0, 10.1, 9.9};

RatioEvidence slowerBy(double factor, double wobble)
{
    std::vector<double> seconds;
    double sign = 1.0;
    for (const double reference : kThreeOfReference) {
        seconds.push_back(reference * (factor + wobble * sign));
        sign = sign > 0.0 ? -1.0 : 0.0;
    }
    return weighRatio(kThreeOfReference, seconds);
}

// The promise is kept: with so many more rounds of the same the verdict is there, with one less it
// is not.
TEST(Outlook, SaysHowManyRoundsWouldDecide)
{
    const RatioEvidence open = slowerBy(1.05, 0.02);
    ASSERT_EQ(judge(open, std::nullopt, 10 * open.claim()), Verdict::Ambiguous);
    const Outlook outlook = outlookOf(open, std::nullopt, 10, 1);
    EXPECT_EQ(outlook.leaning, Verdict::Slower);
    ASSERT_TRUE(outlook.moreRounds);
    EXPECT_GT(*outlook.moreRounds, 1);
    const auto verdictAfter = [&](int more) {
        RatioEvidence later = open;
        later.ratio.count += static_cast<std::size_t>(more);
        later.logVariance.freedom += more;
        const double rounds = static_cast<double>(later.ratio.count);
        const double error = std::sqrt(open.logVariance.variance / rounds);
        later.slower =
            studentTUpperTail((-open.logMean - std::log1p(VerdictRule().clearGap)) / error,
                              later.logVariance.freedom);
        const double reach = error * studentTQuantile(0.975, later.logVariance.freedom);
        later.ratio.interval =
            Interval{std::exp(open.logMean - reach), std::exp(open.logMean + reach)};
        return judge(later, std::nullopt, 10 * later.claim(), 1);
    };
    EXPECT_EQ(verdictAfter(*outlook.moreRounds), Verdict::Slower);
    EXPECT_EQ(verdictAfter(*outlook.moreRounds - 1), Verdict::Ambiguous);
}

TEST(Outlook, MoreRivalsAndLaterLooksNeedMoreRounds)
{
    const RatioEvidence open = slowerBy(1.05, 0.02);
    const int few = *outlookOf(open, std::nullopt, 2, 1).moreRounds;
    EXPECT_LT(few, *outlookOf(open, std::nullopt, 100, 1).moreRounds);
    EXPECT_LT(few, *outlookOf(open, std::nullopt, 2, 4).moreRounds);
}

TEST(Outlook, LeansToTheSideOfTheRatio)
{
    const RatioEvidence slower = slowerBy(1.2, 0.05);
    EXPECT_EQ(outlookOf(slower, std::nullopt, 5, 1).leaning, Verdict::Slower);
    const RatioEvidence faster = slowerBy(0.8, 0.05);
    EXPECT_EQ(outlookOf(faster, std::nullopt, 5, 1).leaning, Verdict::Faster);
    EXPECT_EQ(outlookOf(slowerBy(1.0005, 0.02), std::nullopt, 5, 1).leaning, Verdict::Same);
}

TEST(Outlook, SaysSoWhereMoreRoundsAreNoUse)
{
    // Just at the gap: nothing short of thousands of rounds.
    const Outlook atGap = outlookOf(slowerBy(1.0105, 0.1), std::nullopt, 50, 1);
    EXPECT_FALSE(atGap.moreRounds);
    EXPECT_EQ(atGap.leaning, Verdict::Slower);
    // The clock was higher, the work is the same.
    const RatioEvidence equal = slowerBy(1.0, 0.0001);
    EXPECT_FALSE(outlookOf(slowerBy(1.05, 0.02), equal, 5, 1).moreRounds);
}

// Two runs of equal times lean to no side.
TEST(Outlook, UnpairedRoundsLeanLikePairedOnes)
{
    const auto leaning = [](double factor) {
        std::vector<RoundSamples> before;
        std::vector<RoundSamples> after;
        for (const double seconds : kThreeOfReference) {
            before.push_back({seconds});
            after.push_back({seconds * factor});
        }
        return outlookOf(weighUnpaired(before, after), std::nullopt, 5, 1).leaning;
    };
    EXPECT_EQ(leaning(1.0), Verdict::Ambiguous);
    EXPECT_EQ(leaning(1.02), Verdict::Slower);
    EXPECT_EQ(leaning(0.98), Verdict::Faster);
}

TEST(Outlook, ThreeRoundsAreTheLeast)
{
    const RatioEvidence two = weighRatio(std::vector{1.0, 1.0}, std::vector{2.0, 2.1});
    EXPECT_EQ(outlookOf(two, std::nullopt, 1, 0), (Outlook{Verdict::Ambiguous, 1}));
}

}  // namespace
}  // namespace qs::core
