#include "core/stats/histogram.h"

#include <gtest/gtest.h>

#include <numeric>

namespace qs::core {
namespace {

std::size_t total(const std::vector<HistogramBin>& bins)
{
    return std::accumulate(
        bins.begin(), bins.end(), std::size_t{0},
        [](std::size_t sum, const HistogramBin& bin) { return sum + bin.count; });
}

TEST(Histogram, CountsEveryValueOnce)
{
    std::vector<double> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>((i * 7919U) % 1000U);
    const auto bins = histogram(values);
    // 2 * 499.5 / 10 wide over a range of 999.
    EXPECT_EQ(bins.size(), 10U);
    EXPECT_EQ(total(bins), values.size());
    EXPECT_EQ(bins.front().lower, 0.0);
    EXPECT_EQ(bins.back().upper, 999.0);
    for (const HistogramBin& bin : bins)
        EXPECT_EQ(bin.count, 100U);
}

TEST(Histogram, FewAndEqualValues)
{
    EXPECT_TRUE(histogram({}).empty());
    const std::vector<double> equal(7, 0.25);
    const auto one = histogram(equal);
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one.front().count, 7U);
    EXPECT_EQ(one.front().lower, one.front().upper);
    const std::vector<double> two{1.0, 3.0};
    EXPECT_EQ(total(histogram(two)), 2U);
}

TEST(Histogram, FarOutlierDoesNotAskForThousandsOfBins)
{
    std::vector<double> values{1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1e6};
    EXPECT_EQ(histogram(values).size(), kMostBins);
    EXPECT_EQ(total(histogram(values)), values.size());
    // No spread between the quartiles at all.
    const std::vector<double> spiky{1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0};
    const auto bins = histogram(spiky);
    EXPECT_EQ(bins.front().count, 7U);
    EXPECT_EQ(bins.back().count, 1U);
}

}  // namespace
}  // namespace qs::core
