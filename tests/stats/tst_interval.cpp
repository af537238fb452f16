#include "core/stats/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace qs::core {
namespace {

struct KnownQuantile {
    double probability;
    double degreesOfFreedom;
    double t;
};

class StudentT : public testing::TestWithParam<KnownQuantile>
{
};

TEST_P(StudentT, MatchesPublishedTables)
{
    const auto [probability, degrees, t] = GetParam();
    EXPECT_NEAR(studentTQuantile(probability, degrees), t, 1e-8 * t);
    EXPECT_NEAR(studentTQuantile(1.0 - probability, degrees), -t, 1e-8 * t);
}

INSTANTIATE_TEST_SUITE_P(Table, StudentT,
                         testing::Values(KnownQuantile{0.75, 1, 1.0},
                                         KnownQuantile{0.975, 1, 12.706204736174698},
                                         KnownQuantile{0.975, 2, 4.302652729749464},
                                         KnownQuantile{0.975, 3, 3.182446305283708},
                                         KnownQuantile{0.975, 4, 2.776445105197793},
                                         KnownQuantile{0.975, 9, 2.262157162798205},
                                         KnownQuantile{0.975, 10, 2.228138851986274},
                                         KnownQuantile{0.975, 30, 2.042272456301238},
                                         KnownQuantile{0.95, 10, 1.812461122811676},
                                         KnownQuantile{0.995, 5, 4.032142983557536}));

TEST(StudentTQuantile, HasItsClosedForms)
{
    for (const double probability : {0.6, 0.9, 0.99, 0.9995}) {
        EXPECT_NEAR(studentTQuantile(probability, 1) / std::tan(M_PI * (probability - 0.5)), 1.0,
                    1e-9);
        const double a = 2.0 * probability - 1.0;
        EXPECT_NEAR(studentTQuantile(probability, 2) / (a * std::sqrt(2.0 / (1.0 - a * a))), 1.0,
                    1e-9);
    }
    EXPECT_NEAR(studentTQuantile(0.5, 7), 0.0, 1e-12);
}

TEST(StudentTQuantile, ApproachesTheNormalDistribution)
{
    EXPECT_NEAR(studentTQuantile(0.975, 1e7), 1.959963984540054, 1e-6);
}

// The usual confidence is remembered per degrees of freedom.
TEST(StudentTQuantile, IsTheSameTheSecondTimeAndForManyCounts)
{
    const double first = studentTQuantile(0.975, 2.5);
    for (int i = 1; i <= 5000; ++i)
        static_cast<void>(studentTQuantile(0.975, 10.0 + 0.01 * i));
    EXPECT_EQ(studentTQuantile(0.975, 2.5), first);
    EXPECT_EQ(studentTQuantile(0.975, 2.5), -studentTQuantile(0.025, 2.5));
    EXPECT_LT(studentTQuantile(0.95, 2.5), first) << "another probability is another number";
}

TEST(MeanInterval, ByHand)
{
    // Mean 2, standard deviation 1, t(0.975, 2) = 4.3027, root of 3.
    const Moments moments = momentsOf(std::vector{1.0, 2.0, 3.0});
    const Interval interval = meanInterval(moments, 3.0).value();
    EXPECT_NEAR(interval.lower, 2.0 - 4.302652729749464 / std::sqrt(3.0), 1e-9);
    EXPECT_NEAR(interval.upper, 2.0 + 4.302652729749464 / std::sqrt(3.0), 1e-9);
}

TEST(MeanInterval, GrowsWhenSamplesRepeatEachOther)
{
    const Moments moments = momentsOf(std::vector{1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
    const Interval all = meanInterval(moments, 6.0).value();
    const Interval fewer = meanInterval(moments, 2.5).value();
    EXPECT_GT(fewer.upper - fewer.lower, 2.0 * (all.upper - all.lower));
    EXPECT_FALSE(meanInterval(moments, 1.9).has_value());
    EXPECT_FALSE(meanInterval(momentsOf(std::vector{1.0}), 2.0).has_value());
}

TEST(PairedRatio, ByHand)
{
    // Log ratios ln 2 and ln 8: mean ln 4, standard error ln 2.
    const Estimate ratio = pairedRatio(std::vector{2.0, 8.0}, std::vector{1.0, 1.0});
    EXPECT_EQ(ratio.count, 2U);
    EXPECT_NEAR(ratio.value, 4.0, 1e-12);
    const double reach = std::pow(2.0, 12.706204736174698);
    EXPECT_NEAR(ratio.interval.value().lower / (4.0 / reach), 1.0, 1e-6);
    EXPECT_NEAR(ratio.interval.value().upper / (4.0 * reach), 1.0, 1e-6);
}

TEST(PairedRatio, IsSymmetric)
{
    const std::vector<double> a{1.00, 1.02, 0.99, 1.05};
    const std::vector<double> b{0.60, 0.61, 0.63, 0.59};
    const Estimate forward = pairedRatio(a, b);
    const Estimate backward = pairedRatio(b, a);
    EXPECT_NEAR(forward.value * backward.value, 1.0, 1e-12);
    EXPECT_NEAR(forward.interval->lower * backward.interval->upper, 1.0, 1e-12);
}

TEST(PairedRatio, PairsCancelDrift)
{
    // Each round is 10 % slower than the one before, for both: the ratio does not see it.
    std::vector<double> a;
    std::vector<double> b;
    for (int round = 0; round < 5; ++round) {
        a.push_back(2.0 * std::pow(1.1, round));
        b.push_back(std::pow(1.1, round));
    }
    const Estimate ratio = pairedRatio(a, b);
    EXPECT_NEAR(ratio.value, 2.0, 1e-12);
    EXPECT_NEAR(ratio.interval->upper - ratio.interval->lower, 0.0, 1e-9);
}

TEST(PairedRatio, OfOneRoundHasNoInterval)
{
    const Estimate ratio = pairedRatio(std::vector{3.0}, std::vector{2.0});
    EXPECT_NEAR(ratio.value, 1.5, 1e-12);
    EXPECT_FALSE(ratio.interval.has_value());
}

// 95 % intervals must hold the truth in about 95 % of all cases: 93 … 97 % of 2000, which chance
// alone leaves less than once in ten thousand.
TEST(PairedRatio, IntervalsHoldTheTruthAsOftenAsTheySay)
{
    std::mt19937 random(11);
    std::normal_distribution<double> noise(0.0, 0.02);
    int held = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<double> reference;
        std::vector<double> candidate;
        for (int round = 0; round < 5; ++round) {
            reference.push_back(1.3 * std::exp(noise(random)));
            candidate.push_back(std::exp(noise(random)));
        }
        const Interval interval = pairedRatio(reference, candidate).interval.value();
        held += interval.lower <= 1.3 && 1.3 <= interval.upper ? 1 : 0;
    }
    EXPECT_GE(held, 1860);
    EXPECT_LE(held, 1940);
}

// Logarithms of 2, 4 and 3: mean 1.0593513, standard deviation 0.3482375, t(2, 0.975) = 4.302653.
TEST(PositiveInterval, IsThatOfTheLogarithms)
{
    const Interval interval = positiveInterval(std::vector{2.0, 4.0, 3.0}).value();
    EXPECT_NEAR(interval.lower, 1.214438, 1e-5);
    EXPECT_NEAR(interval.upper, 6.851182, 1e-5);
    const Interval rates = positiveInterval(std::vector{0.5, 0.25, 1.0 / 3.0}).value();
    EXPECT_NEAR(rates.lower, inverted(interval).lower, 1e-12) << "of the values turned over";
    EXPECT_NEAR(rates.upper, inverted(interval).upper, 1e-12);
}

TEST(PositiveInterval, IsAboveZeroHoweverTheValuesScatter)
{
    const Interval interval = positiveInterval(std::vector{0.004, 0.274, 0.25}).value();
    EXPECT_GT(interval.lower, 0.0);
    EXPECT_LT(interval.lower, 0.004);
    EXPECT_GT(interval.upper, 0.274);
    const Interval extreme = positiveInterval(std::vector{1e-300, 1e300}).value();
    EXPECT_GT(extreme.lower, 0.0);
    EXPECT_TRUE(std::isfinite(extreme.upper));
    EXPECT_EQ(positiveInterval(std::vector{0.1, 0.1, 0.1}), (Interval{0.1, 0.1}));
    EXPECT_EQ(positiveInterval(std::vector{0.0, 0.0}), (Interval{0.0, 0.0}));
    EXPECT_FALSE(positiveInterval(std::vector{0.0, 1.0}));
    EXPECT_FALSE(positiveInterval(std::vector{1.0}));
}

TEST(IntervalDeathTest, BrokenContractsStop)
{
    EXPECT_DEATH(static_cast<void>(pairedRatio(std::vector{1.0}, std::vector{1.0, 2.0})), "size");
    EXPECT_DEATH(static_cast<void>(pairedRatio(std::vector{0.0}, std::vector{1.0})), "> 0.0");
    EXPECT_DEATH(static_cast<void>(studentTQuantile(1.0, 3.0)), "probability");
}

}  // namespace
}  // namespace qs::core
