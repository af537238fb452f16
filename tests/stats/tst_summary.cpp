#include "core/stats/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace qs::core {
namespace {

std::vector<double> noisy(std::size_t count, double mean, double deviation)
{
    std::mt19937 random(3);
    std::normal_distribution<double> normal(mean, deviation);
    std::vector<double> values(count);
    for (double& value : values)
        value = normal(random);
    return values;
}

TEST(Summary, OfNothingIsNothing)
{
    EXPECT_FALSE(summarize({}).has_value());
}

TEST(Summary, OfOneSampleClaimsNoSpread)
{
    const SampleSummary summary = summarize(std::vector{0.25}).value();
    EXPECT_EQ(summary.count, 1U);
    EXPECT_EQ(summary.mean, 0.25);
    EXPECT_EQ(summary.quartiles.median, 0.25);
    EXPECT_FALSE(summary.standardDeviation.has_value());
    EXPECT_FALSE(summary.coefficientOfVariation.has_value());
    EXPECT_FALSE(summary.isDrifting());
}

TEST(Summary, GathersWhatTheOthersSay)
{
    // Out of order on purpose: 4 1 3 2 5.
    const SampleSummary summary = summarize(std::vector{4.0, 1.0, 3.0, 2.0, 5.0}).value();
    EXPECT_EQ(summary.count, 5U);
    EXPECT_DOUBLE_EQ(summary.mean, 3.0);
    EXPECT_DOUBLE_EQ(summary.standardDeviation.value(), std::sqrt(2.5));
    EXPECT_DOUBLE_EQ(summary.coefficientOfVariation.value(), std::sqrt(2.5) / 3.0);
    EXPECT_EQ(summary.minimum, 1.0);
    EXPECT_EQ(summary.maximum, 5.0);
    EXPECT_EQ(summary.quartiles.lower, 2.0);
    EXPECT_EQ(summary.quartiles.upper, 4.0);
    // Products of distances (1, -2, 0, -1, 2): -2 + 0 + 0 - 2 = -4 over 10.
    EXPECT_DOUBLE_EQ(summary.autocorrelation, -0.4);
    EXPECT_DOUBLE_EQ(summary.effectiveCount, 5.0);
    EXPECT_FALSE(summary.p90.has_value());
}

TEST(Summary, TheOrderOfTimeShowsInTheTrend)
{
    std::vector<double> values = noisy(200, 1.0, 0.001);
    EXPECT_FALSE(summarize(values)->isDrifting());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] *= 1.0 + 0.02 * static_cast<double>(i) / 200.0;
    const SampleSummary drifting = summarize(values).value();
    EXPECT_TRUE(drifting.isDrifting());
    EXPECT_NEAR(drifting.trend, 0.02, 0.002);
    EXPECT_LT(drifting.effectiveCount, 50.0);
}

TEST(Summary, PercentilesAppearWithTheirSampleCounts)
{
    const auto present = [](std::size_t count) {
        const SampleSummary summary = summarize(noisy(count, 1.0, 0.1)).value();
        return 100 * summary.p90.has_value() + 10 * summary.p95.has_value() +
               summary.p99.has_value();
    };
    EXPECT_EQ(present(63), 0);
    EXPECT_EQ(present(64), 100);
    EXPECT_EQ(present(130), 110);
    EXPECT_EQ(present(662), 111);
}

TEST(Summary, ManySevereOutliersAreFlagged)
{
    std::vector<double> values = noisy(100, 1.0, 0.001);
    for (std::size_t i = 0; i < 5; ++i)
        values[20 * i] = 2.0;
    EXPECT_EQ(summarize(values)->outliers.severe, 5U);
    EXPECT_FALSE(summarize(values)->hasManySevereOutliers());
    values[50] = 2.0;
    EXPECT_TRUE(summarize(values)->hasManySevereOutliers());
}

TEST(Summary, DigitsOfASteadyClockEndAt25Nanoseconds)
{
    const auto digitsOf = [](double seconds) {
        return significantDigits(std::vector<double>(20, seconds));
    };
    EXPECT_EQ(digitsOf(1.0), 4);
    EXPECT_EQ(digitsOf(26e-6), 3);
    EXPECT_EQ(digitsOf(24e-6), 2);
    EXPECT_EQ(digitsOf(1e-6), 1);
    EXPECT_EQ(digitsOf(10e-9), 1);
    EXPECT_EQ(significantDigits(std::vector{1.0}), 4);
}

TEST(Summary, DigitsFollowTheNoiseOfTheMiddle)
{
    // Eight values, the middle four are 0.99 0.99 1.01 1.01: deviation 0.01, standard error 0.005,
    // times 1.645 is 0.0082, a median of 1 is 121 times that.
    EXPECT_EQ(significantDigits(std::vector{0.1, 0.5, 0.99, 0.99, 1.01, 1.01, 5.0, 9.0}), 2);
    EXPECT_EQ(significantDigits(std::vector{0.1, 0.5, 0.9, 0.9, 1.1, 1.1, 5.0, 9.0}), 1);
}

TEST(SupportedDigits, EndAtTheSecondDigitOfTheHalfWidth)
{
    EXPECT_EQ(supportedDigits(12.3456, {12.30, 12.39}), 4);
    EXPECT_EQ(supportedDigits(12.3456, {11.9, 12.8}), 4);
    EXPECT_EQ(supportedDigits(12.3456, {9.0, 15.0}), 3);
    EXPECT_EQ(supportedDigits(1.2, {0.1, 2.3}), 2);
    EXPECT_EQ(supportedDigits(1.2, {-50.0, 52.0}), 1);
    EXPECT_EQ(supportedDigits(1.2, {1.2, 1.2}), 4);
    EXPECT_EQ(supportedDigits(0.0, {-1.0, 1.0}), 1);
    EXPECT_EQ(supportedDigits(5.0, {4.0, std::numeric_limits<double>::infinity()}), 1);
}

}  // namespace
}  // namespace qs::core
