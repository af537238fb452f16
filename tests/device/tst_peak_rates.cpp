#include "core/device/peak_rates.h"

#include <gtest/gtest.h>

namespace qs::core {
namespace {

DeviceDescription named(const char* name)
{
    DeviceDescription device;
    device.id = "cuda:0";
    device.name = name;
    device.kind = DeviceKind::Cuda;
    device.computeMajor = 9;
    device.processors = 132;
    return device;
}

TEST(PeakRates, AreOfTheVeryDevice)
{
    ASSERT_TRUE(publishedPeakRates(named("NVIDIA H200")));
    EXPECT_DOUBLE_EQ(publishedPeakRates(named("NVIDIA H200"))->bits16, 989.4e12);
    EXPECT_FALSE(publishedPeakRates(named("NVIDIA H200 NVL"))) << "a sister with other clocks";
    EXPECT_FALSE(publishedPeakRates(named("NVIDIA H2"))) << "a beginning is no name";
    EXPECT_FALSE(publishedPeakRates(named("")));
    EXPECT_FALSE(publishedPeakRates(describeCpu()));
}

// What a multiprocessor does in a cycle is a power of two; the figures must agree with one clock.
TEST(PeakRates, AgreeWithTheArchitecture)
{
    const PeakRates rates = *publishedPeakRates(named("NVIDIA H200"));
    const double hertz = rates.bits16 / (132.0 * 4096.0);
    EXPECT_NEAR(hertz, 1.83e9, 0.01e9);
    EXPECT_NEAR(rates.bits8 / (132.0 * 8192.0) / hertz, 1.0, 1e-3);
    EXPECT_NEAR(rates.tf32 / (132.0 * 2048.0) / hertz, 1.0, 1e-3);
}

TEST(PeakRates, BoundWhatIsRead)
{
    const PeakRates rates = *publishedPeakRates(named("NVIDIA H200"));
    const double cached = 50.0 * 1024 * 1024;
    EXPECT_EQ(shortestReading(rates, 1e6), 0.0) << "it may lie in the cache";
    EXPECT_DOUBLE_EQ(shortestReading(rates, 4.8e12 + cached), 1.0);
    EXPECT_LT(publishedPeakRates(named("NVIDIA H100 80GB HBM3"))->memory, rates.memory);
}

TEST(PeakRates, BoundEachScheme)
{
    const PeakRates rates = *publishedPeakRates(named("NVIDIA H200"));
    EXPECT_EQ(peakRateOf(rates, "fp32"), rates.bits32);
    EXPECT_EQ(peakRateOf(rates, "tf32"), rates.tf32);
    EXPECT_EQ(peakRateOf(rates, "bf16"), rates.bits16);
    EXPECT_EQ(peakRateOf(rates, "int8wo"), rates.bits16) << "weights are widened first";
    EXPECT_EQ(peakRateOf(rates, "int8dq"), rates.bits8);
    EXPECT_EQ(peakRateOf(rates, "float8dq-row"), rates.bits8);
    EXPECT_FALSE(peakRateOf(rates, "int2"));
    EXPECT_FALSE(peakRateOf(rates, ""));
}

}  // namespace
}  // namespace qs::core
