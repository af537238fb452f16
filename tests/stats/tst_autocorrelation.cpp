#include "core/stats/autocorrelation.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace qs::core {
namespace {

TEST(Autocorrelation, ByHand)
{
    // Distances from the mean -1.5 -0.5 0.5 1.5: (0.75 - 0.25 + 0.75) / 5.
    EXPECT_DOUBLE_EQ(lag1Autocorrelation(std::vector{1.0, 2.0, 3.0, 4.0}), 0.25);
    // +1 -1 +1 -1: three products of -1 over four squares.
    EXPECT_DOUBLE_EQ(lag1Autocorrelation(std::vector{1.0, -1.0, 1.0, -1.0}), -0.75);
}

TEST(Autocorrelation, OfTooLittleIsZero)
{
    EXPECT_EQ(lag1Autocorrelation({}), 0.0);
    EXPECT_EQ(lag1Autocorrelation(std::vector{1.0, 2.0}), 0.0);
    EXPECT_EQ(lag1Autocorrelation(std::vector{2.0, 2.0, 2.0}), 0.0);
}

TEST(Autocorrelation, FindsTheCoefficientOfAProcess)
{
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    std::vector<double> values{0.0};
    for (int i = 0; i < 20'000; ++i)
        values.push_back(0.6 * values.back() + normal(random));
    EXPECT_NEAR(lag1Autocorrelation(values), 0.6, 0.02);
}

TEST(Autocorrelation, NotableOnesCostSamples)
{
    EXPECT_DOUBLE_EQ(effectiveCount(90, 0.5), 30.0);
    EXPECT_DOUBLE_EQ(effectiveCount(100, 0.2), 100.0);
    EXPECT_DOUBLE_EQ(effectiveCount(100, 0.3), 100.0);
    EXPECT_DOUBLE_EQ(effectiveCount(100, -0.9), 100.0);
    EXPECT_DOUBLE_EQ(effectiveCount(10, 0.99), 1.0);
    EXPECT_DOUBLE_EQ(effectiveCount(0, 0.5), 0.0);
}

}  // namespace
}  // namespace qs::core
