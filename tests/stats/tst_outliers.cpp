#include "core/stats/outliers.h"

#include <gtest/gtest.h>

#include <vector>

namespace qs::core {
namespace {

// Quartiles of 1 … 9 with two more at the ends stay near; fences by hand: q1 = 3, q3 = 7, range 4,
// so mild beyond -3 and 13, severe beyond -9 and 19.
std::vector<double> nineWith(double replacementOfNine)
{
    return {1, 2, 3, 4, 5, 6, 7, 8, replacementOfNine};
}

TEST(Outliers, AreCountedByTheirFence)
{
    EXPECT_EQ(countOutliers(nineWith(9)), (OutlierCounts{.mild = 0, .severe = 0}));
    EXPECT_EQ(countOutliers(nineWith(13)), (OutlierCounts{.mild = 0, .severe = 0}));
    EXPECT_EQ(countOutliers(nineWith(13.01)), (OutlierCounts{.mild = 1, .severe = 0}));
    EXPECT_EQ(countOutliers(nineWith(19)), (OutlierCounts{.mild = 1, .severe = 0}));
    EXPECT_EQ(countOutliers(nineWith(19.01)), (OutlierCounts{.mild = 0, .severe = 1}));
}

TEST(Outliers, OnBothSides)
{
    const std::vector<double> values{-100, 2, 3, 4, 5, 6, 7, 8, 14};
    EXPECT_EQ(countOutliers(values), (OutlierCounts{.mild = 1, .severe = 1}));
}

TEST(Outliers, OfASteadySeriesWithOneJumpAreSevere)
{
    EXPECT_EQ(countOutliers(std::vector{1.0, 1.0, 1.0, 1.0, 1.5}),
              (OutlierCounts{.mild = 0, .severe = 1}));
}

TEST(Outliers, NeedFourValues)
{
    EXPECT_EQ(countOutliers(std::vector{1.0, 1.0, 100.0}), OutlierCounts{});
}

}  // namespace
}  // namespace qs::core
