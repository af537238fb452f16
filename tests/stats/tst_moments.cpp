#include "core/stats/moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace qs::core {
namespace {

// Two repeats of a compiled and an uncompiled run with figures that their authors published.
TEST(Moments, AgreeWithPublishedFigures)
{
    const Moments uncompiled = momentsOf(std::vector{873.3770228539997, 885.256329754});
    EXPECT_DOUBLE_EQ(uncompiled.mean(), 879.3166763039999);
    EXPECT_NEAR(uncompiled.standardDeviation(), 8.399938464786358, 1e-12);
    EXPECT_NEAR(100.0 * uncompiled.coefficientOfVariation(), 0.9552802410268753, 1e-12);

    const Moments compiled = momentsOf(std::vector{477.9758402569996, 477.2128747119996});
    EXPECT_NEAR(compiled.standardDeviation(), 0.5394981106812202, 1e-12);
    EXPECT_NEAR(100.0 * compiled.coefficientOfVariation(), 0.11296157549322172, 1e-12);
    EXPECT_NEAR(uncompiled.mean() / compiled.mean(), 1.841, 5e-4);
}

TEST(Moments, AreExactForSmallWholeNumbers)
{
    const Moments moments = momentsOf(std::vector{2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0});
    EXPECT_EQ(moments.count(), 8U);
    EXPECT_DOUBLE_EQ(moments.mean(), 5.0);
    EXPECT_DOUBLE_EQ(moments.variance(), 32.0 / 7.0);
    EXPECT_EQ(moments.minimum(), 2.0);
    EXPECT_EQ(moments.maximum(), 9.0);
}

TEST(Moments, OfPartsAreThoseOfTheWhole)
{
    Moments moments;
    moments.add(Moments());
    moments.add(momentsOf(std::vector{2.0, 4.0, 4.0}));
    moments.add(Moments());
    moments.add(momentsOf(std::vector{4.0, 5.0, 5.0, 7.0, 9.0}));
    EXPECT_EQ(moments.count(), 8U);
    EXPECT_DOUBLE_EQ(moments.mean(), 5.0);
    EXPECT_DOUBLE_EQ(moments.variance(), 32.0 / 7.0);
    EXPECT_EQ(moments.minimum(), 2.0);
    EXPECT_EQ(moments.maximum(), 9.0);
}

// The textbook formula (mean of squares minus square of the mean) loses every digit here.
TEST(Moments, KeepSmallDifferencesOnALargeOffset)
{
    Moments moments;
    for (int i = 0; i < 1000; ++i)
        moments.add(1e9 + (i % 2 == 0 ? 0.5 : -0.5));
    EXPECT_NEAR(moments.variance(), 0.25 * 1000.0 / 999.0, 1e-9);
}

TEST(Moments, OfTooFewNumbersAreUndefined)
{
    EXPECT_TRUE(std::isnan(Moments().mean()));
    EXPECT_TRUE(std::isnan(Moments().minimum()));
    EXPECT_TRUE(std::isnan(Moments().maximum()));
    const Moments one = momentsOf(std::vector{3.0});
    EXPECT_EQ(one.mean(), 3.0);
    EXPECT_TRUE(std::isnan(one.variance()));
    EXPECT_TRUE(std::isnan(one.coefficientOfVariation()));
    EXPECT_FALSE(std::isfinite(momentsOf(std::vector{-1.0, 1.0}).coefficientOfVariation()));
}

}  // namespace
}  // namespace qs::core
