#include "core/base/format.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <limits>

namespace qs::core {
namespace {

TEST(Format, BytesUseBinaryUnits)
{
    EXPECT_EQ(formatBytes(0), "0 B");
    EXPECT_EQ(formatBytes(1536), "1.500 KiB");
    EXPECT_EQ(formatBytes(761911712), "726.6 MiB");
    EXPECT_EQ(formatBytes(std::pow(2.0, 41)), "2.000 TiB");
}

TEST(Format, SecondsChooseTheirUnit)
{
    EXPECT_EQ(formatSeconds(0), "0 s");
    EXPECT_EQ(formatSeconds(0.00153), "1.53 ms");
    EXPECT_EQ(formatSeconds(2.5e-7), "250 ns");
    EXPECT_EQ(formatSeconds(75), "1 min 15 s");
    EXPECT_EQ(formatSeconds(4000), "1 h 07 min");
    EXPECT_EQ(formatSeconds(3599.9), "60 min 00 s");
}

TEST(Format, SignificantDigitsAreKeptOnBothSidesOfThePoint)
{
    EXPECT_EQ(formatSignificant(123456, 3), "123000");
    EXPECT_EQ(formatSignificant(0.012345, 3), "0.0123");
    EXPECT_EQ(formatSignificant(-12.346, 4), "-12.35");
    EXPECT_EQ(formatSignificant(1.5e-9, 2), "1.5e-09");
}

TEST(Format, CountsAndFlops)
{
    EXPECT_EQ(formatCount(354548032), "354.5 M");
    EXPECT_EQ(formatCount(12), "12.00");
    EXPECT_EQ(formatFlops(189.0e9), "189.0 GFLOP");
    EXPECT_EQ(formatGrouped(354548032), "354,548,032");
    EXPECT_EQ(formatGrouped(-1000), "-1,000");
    EXPECT_EQ(formatGrouped(999), "999");
}

TEST(Format, ExactTextReadsBackToTheSameNumber)
{
    for (const double value : {0.1, 1.0 / 3.0, 1e300, -1e-300, 3.0})
        EXPECT_EQ(std::stod(formatExact(value)), value);
    EXPECT_EQ(formatExact(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(Format, IsDeafToTheLocale)
{
    // Present on most systems; where it is not, the C locale stays and the test still holds.
    std::setlocale(LC_ALL, "de_DE.UTF-8");
    EXPECT_EQ(formatSignificant(1.5, 2), "1.5");
    EXPECT_EQ(formatExact(0.25), "0.25");
    std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace qs::core
