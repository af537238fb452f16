#include "core/stats/ranking.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace qs::core {
namespace {

TEST(HighestScores, AreInOrderWithTheirShares)
{
    const std::vector<float> scores{1.0F, 3.0F, 2.0F, 3.0F};
    const auto best = highestScores(scores, 3).value();
    ASSERT_EQ(best.size(), 3U);
    EXPECT_EQ(best[0].index, 1U) << "of equal scores the first";
    EXPECT_EQ(best[1].index, 3U);
    EXPECT_EQ(best[2].index, 2U);
    const double sum = std::exp(-2.0) + 1.0 + std::exp(-1.0) + 1.0;
    EXPECT_NEAR(best[0].probability, 1.0 / sum, 1e-12);
    EXPECT_NEAR(best[2].probability, std::exp(-1.0) / sum, 1e-12);
}

TEST(HighestScores, OfFewOrOfHugeScores)
{
    EXPECT_EQ(highestScores(std::vector<float>{2.0F}, 5).value().size(), 1U);
    const auto best = highestScores(std::vector<float>{3e38F, -3e38F}, 5).value();
    EXPECT_DOUBLE_EQ(best[0].probability, 1.0);
    EXPECT_DOUBLE_EQ(best[1].probability, 0.0);
    EXPECT_TRUE(highestScores(std::vector<float>{1.0F, 2.0F}, 0).value().empty());
}

TEST(HighestScores, RefuseWhatCannotBeRanked)
{
    EXPECT_FALSE(highestScores({}, 5).ok());
    const std::vector<float> broken{1.0F, std::numeric_limits<float>::quiet_NaN()};
    EXPECT_FALSE(highestScores(broken, 5).ok());
}

TEST(LargestDifferences, AreInOrderWithTheirPlaces)
{
    const std::vector<float> reference{0.0F, 1.0F, 2.0F, 3.0F, 4.0F};
    const std::vector<float> values{0.5F, 1.0F, 0.0F, 2.5F, 4.25F};
    const auto largest = largestDifferences(values, reference, 3).value();
    ASSERT_EQ(largest.size(), 3U);
    EXPECT_EQ(largest[0], (ValueDifference{2, 0.0F, 2.0F}));
    EXPECT_EQ(largest[1].index, 0U) << "of the same size the first";
    EXPECT_EQ(largest[2].index, 3U);
    EXPECT_DOUBLE_EQ(largest[2].difference(), -0.5);
}

TEST(LargestDifferences, LeaveOutWhatIsEqualAndRefuseOtherSizes)
{
    const std::vector<float> values{1.0F, 2.0F};
    EXPECT_TRUE(largestDifferences(values, values, 3).value().empty());
    EXPECT_FALSE(largestDifferences(values, std::vector<float>{1.0F}, 3).ok());
    EXPECT_FALSE(largestDifferences({}, {}, 3).ok());
}

}  // namespace
}  // namespace qs::core
