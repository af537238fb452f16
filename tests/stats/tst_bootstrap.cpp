#include "core/stats/bootstrap.h"

#include <gtest/gtest.h>

namespace qs::core {
namespace {

// Rounds of `count` samples that spread by some percent, by formula.
std::vector<RoundSamples> samplesOf(double base, int rounds, int count)
{
    std::vector<RoundSamples> all;
    for (int round = 0; round < rounds; ++round) {
        RoundSamples samples;
        for (int k = 0; k < count; ++k)
            samples.push_back(base * (1.0 + 0.01 * ((7 * round) % 5 - 2)) +
                              0.01 * base * (((13 * k + 5 * round) % 11) - 5) / 5.0);
        all.push_back(std::move(samples));
    }
    return all;
}

// Against 60 000 draws of the same bootstrap with numpy.
TEST(UnpairedRatio, AgreesWithNumpy)
{
    const Estimate ratio = unpairedRatio(samplesOf(10.0, 5, 20), samplesOf(9.0, 6, 16));
    EXPECT_NEAR(ratio.value, 1.1172498465316145, 1e-12);
    ASSERT_TRUE(ratio.interval.has_value());
    EXPECT_NEAR(ratio.interval->lower, 1.0879, 2e-3);
    EXPECT_NEAR(ratio.interval->upper, 1.1433, 2e-3);
    EXPECT_EQ(ratio.count, 5U);
}

TEST(UnpairedRatio, IsTheSameEveryTime)
{
    const auto reference = samplesOf(10.0, 4, 8);
    const auto candidate = samplesOf(9.0, 4, 8);
    EXPECT_EQ(unpairedRatio(reference, candidate, 0.95, 500).interval,
              unpairedRatio(reference, candidate, 0.95, 500).interval);
    EXPECT_FALSE(unpairedRatio(reference, candidate, 0.95, 500, 1).interval ==
                 unpairedRatio(reference, candidate, 0.95, 500, 2).interval);
}

TEST(UnpairedRatio, SaysNothingOfSpreadBelowThreeRounds)
{
    const Estimate ratio = unpairedRatio(samplesOf(10.0, 2, 8), samplesOf(9.0, 9, 8));
    EXPECT_GT(ratio.value, 1.0);
    EXPECT_FALSE(ratio.interval.has_value());
}

TEST(UnpairedRatio, RoundsSpreadMoreThanTheirSamples)
{
    // Samples of a round that all agree: only rounds can make the interval wide.
    const std::vector<RoundSamples> rounds{{1.00, 1.00}, {1.02, 1.02}, {0.98, 0.98}, {1.01, 1.01}};
    const Estimate ratio = unpairedRatio(rounds, rounds);
    EXPECT_DOUBLE_EQ(ratio.value, 1.0);
    EXPECT_GT(ratio.interval->upper - ratio.interval->lower, 0.02);
}

}  // namespace
}  // namespace qs::core
