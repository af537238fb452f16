#include "core/stats/trend.h"

#include <gtest/gtest.h>

#include <vector>

namespace qs::core {
namespace {

std::vector<double> line(std::size_t count, double start, double slope)
{
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(start + slope * static_cast<double>(i));
    return values;
}

TEST(Trend, OfALineIsItsSlope)
{
    EXPECT_NEAR(theilSenSlope(line(10, 1.0, 0.5)), 0.5, 1e-12);
    EXPECT_NEAR(theilSenSlope(line(50, 1.0, -0.001)), -0.001, 1e-12);
    EXPECT_EQ(theilSenSlope(line(10, 1.0, 0.0)), 0.0);
}

TEST(Trend, ByHand)
{
    // Slopes 1, 2, 5 / 3, 3, 2, 1: median (5/3 + 2) / 2.
    EXPECT_NEAR(theilSenSlope(std::vector{0.0, 1.0, 4.0, 5.0}), (5.0 / 3.0 + 2.0) / 2.0, 1e-12);
}

TEST(Trend, OutliersDoNotMoveIt)
{
    std::vector<double> values = line(40, 1.0, 0.01);
    for (std::size_t i = 0; i < values.size(); i += 8)
        values[i] += 100.0;
    EXPECT_NEAR(theilSenSlope(values), 0.01, 0.003);
}

TEST(Trend, LongSeriesAreReducedButKeepTheirSlope)
{
    EXPECT_NEAR(theilSenSlope(line(kTrendPoints, 1.0, 0.5)), 0.5, 1e-12);
    EXPECT_NEAR(theilSenSlope(line(kTrendPoints + 1, 1.0, 0.5)), 0.5, 1e-12);
    EXPECT_NEAR(theilSenSlope(line(10 * kTrendPoints + 3, 1.0, 0.5)), 0.5, 1e-12);
}

TEST(Trend, RelativeToTheMedianOverTheWholeSeries)
{
    // 101 samples around 1.0 that grow by 0.0002 each: 0.0202 of the median 1.01.
    EXPECT_NEAR(relativeTrend(line(101, 1.0, 0.0002)), 0.0202 / 1.01, 1e-12);
    EXPECT_EQ(relativeTrend(std::vector{1.0}), 0.0);
    EXPECT_EQ(relativeTrend(std::vector{0.0, 0.0, 0.0}), 0.0);
    EXPECT_EQ(theilSenSlope({}), 0.0);
}

}  // namespace
}  // namespace qs::core
