#include "core/stats/quantiles.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace qs::core {
namespace {

std::vector<double> oneTo(std::size_t count)
{
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

TEST(Quantiles, InterpolateBetweenNeighbours)
{
    const std::vector<double> values{1.0, 2.0, 4.0, 8.0};
    EXPECT_DOUBLE_EQ(quantile(values, 0.0), 1.0);
    EXPECT_DOUBLE_EQ(quantile(values, 0.25), 1.75);
    EXPECT_DOUBLE_EQ(quantile(values, 0.5), 3.0);
    EXPECT_DOUBLE_EQ(quantile(values, 0.75), 5.0);
    EXPECT_DOUBLE_EQ(quantile(values, 1.0), 8.0);
    EXPECT_DOUBLE_EQ(quantile(std::vector{7.0}, 0.3), 7.0);
}

TEST(Quantiles, QuartilesAndTheirRange)
{
    const Quartiles middle = quartiles(oneTo(9));
    EXPECT_EQ(middle.lower, 3.0);
    EXPECT_EQ(middle.median, 5.0);
    EXPECT_EQ(middle.upper, 7.0);
    EXPECT_EQ(middle.range(), 4.0);
}

TEST(Quantiles, MedianTakesAnyOrder)
{
    EXPECT_EQ(median(std::vector{9.0, 1.0, 5.0}), 5.0);
    EXPECT_EQ(median(std::vector{9.0, 1.0, 5.0, 6.0}), 5.5);
}

struct Needed {
    double percent;
    int beyond;
    std::size_t samples;
};

class SamplesNeeded : public testing::TestWithParam<Needed>
{
};

TEST_P(SamplesNeeded, FollowTheEarlyStoppingRule)
{
    EXPECT_EQ(samplesNeededFor(GetParam().percent, GetParam().beyond), GetParam().samples);
}

INSTANTIATE_TEST_SUITE_P(
    Table, SamplesNeeded,
    testing::Values(Needed{50, 0, 7}, Needed{50, 1, 11}, Needed{50, 2, 14}, Needed{50, 5, 22},
                    Needed{50, 10, 35}, Needed{90, 0, 44}, Needed{90, 1, 64}, Needed{90, 2, 81},
                    Needed{90, 5, 127}, Needed{90, 10, 197}, Needed{95, 0, 90}, Needed{95, 1, 130},
                    Needed{95, 2, 165}, Needed{95, 5, 259}, Needed{95, 10, 398}, Needed{99, 0, 459},
                    Needed{99, 1, 662}, Needed{99, 2, 838}, Needed{99, 5, 1307},
                    Needed{99, 10, 2010}, Needed{99.9, 0, 4603}, Needed{99.9, 1, 6636},
                    Needed{99.9, 2, 8403}, Needed{99.9, 5, 13105}, Needed{99.9, 10, 20140}));

TEST(Quantiles, PercentilesNeedEnoughSamples)
{
    EXPECT_FALSE(percentile({}, 90).has_value());
    EXPECT_FALSE(percentile(oneTo(63), 90).has_value());
    EXPECT_DOUBLE_EQ(percentile(oneTo(64), 90).value(), 57.7);
    EXPECT_FALSE(percentile(oneTo(129), 95).has_value());
    EXPECT_DOUBLE_EQ(percentile(oneTo(130), 95).value(), 123.55);
    EXPECT_FALSE(percentile(oneTo(661), 99).has_value());
    EXPECT_DOUBLE_EQ(percentile(oneTo(662), 99).value(), 655.39);
}

TEST(QuantilesDeathTest, RefuseNothing)
{
    EXPECT_DEATH(static_cast<void>(quantile({}, 0.5)), "empty");
    EXPECT_DEATH(static_cast<void>(quantile(std::vector{1.0}, 1.5)), "probability");
    EXPECT_DEATH(static_cast<void>(samplesNeededFor(100.0)), "percent");
}

}  // namespace
}  // namespace qs::core
