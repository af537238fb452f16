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
    EXPECT_FALSE(publishedPeakRates(named("NVIDIA H200 NVL"))) << "a sister with other clocks";
    EXPECT_FALSE(publishedPeakRates(named("NVIDIA H2"))) << "a beginning is no name";
    EXPECT_FALSE(publishedPeakRates(named("NVIDIA A100")));
    EXPECT_FALSE(publishedPeakRates(named("NVIDIA GeForce RTX 4090"))) << "runs above its sheet";
    EXPECT_FALSE(publishedPeakRates(named("")));
    EXPECT_FALSE(publishedPeakRates(describeCpu()));
}

struct Sheet {
    const char* name;
    double bits32;  // TFLOP/s, dense, as printed: half of what is printed with sparsity
    double tf32;
    double bits16;
    double bits8;
    double memory;  // GB/s
    double cache;   // MiB
};

// As printed in the data sheets; where they differ, the higher.
constexpr Sheet kSheets[] = {
    {"NVIDIA H200", 66.9, 494.5, 989.4, 1979.0, 4800, 50},
    {"NVIDIA H100 80GB HBM3", 66.9, 494.7, 989.4, 1978.9, 3350, 50},
    {"NVIDIA H100 PCIe", 51.2, 378.0, 756.5, 1513.0, 2039, 50},
    {"NVIDIA H100 NVL", 67.0, 494.75, 989.5, 1979.0, 3938, 50},
    {"NVIDIA A100-SXM4-80GB", 19.5, 156.0, 312.0, 624.0, 2039, 40},
    {"NVIDIA A100-SXM4-40GB", 19.5, 156.0, 312.0, 624.0, 1555, 40},
    {"NVIDIA A100 80GB PCIe", 19.5, 156.0, 312.0, 624.0, 1935, 40},
    {"NVIDIA A100-PCIE-40GB", 19.5, 156.0, 312.0, 624.0, 1555, 40},
    {"NVIDIA L40S", 91.6, 183.0, 366.5, 733.0, 864, 96},
    {"NVIDIA L4", 30.3, 60.5, 121.0, 242.5, 300, 48},
    {"NVIDIA A10", 31.2, 62.5, 125.0, 250.0, 600, 6},
    {"Tesla T4", 8.1, 8.1, 65.0, 130.0, 320, 4},
};

// The rates are processors times cycles; the printed figures, from elsewhere, must agree to their
// digits.
TEST(PeakRates, AgreeWithTheDataSheets)
{
    for (const Sheet& sheet : kSheets) {
        SCOPED_TRACE(sheet.name);
        const auto rates = publishedPeakRates(named(sheet.name));
        ASSERT_TRUE(rates);
        EXPECT_NEAR(rates->bits32 / 1e12 / sheet.bits32, 1.0, 0.006);
        EXPECT_NEAR(rates->tf32 / 1e12 / sheet.tf32, 1.0, 0.006);
        EXPECT_NEAR(rates->bits16 / 1e12 / sheet.bits16, 1.0, 0.003);
        EXPECT_NEAR(rates->bits8 / 1e12 / sheet.bits8, 1.0, 0.003);
        EXPECT_DOUBLE_EQ(rates->memory, sheet.memory * 1e9);
        EXPECT_DOUBLE_EQ(rates->cache, sheet.cache * 1024 * 1024);
    }
}

TEST(PeakRates, AreOrdered)
{
    for (const Sheet& sheet : kSheets) {
        SCOPED_TRACE(sheet.name);
        const auto rates = publishedPeakRates(named(sheet.name));
        ASSERT_TRUE(rates);
        EXPECT_LE(rates->bits32, rates->tf32);
        EXPECT_LT(rates->tf32, rates->bits16);
        EXPECT_LT(rates->bits16, rates->bits8);
    }
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
    EXPECT_EQ(rateOf(rates, PeakClass::Bits32), rates.bits32);
    EXPECT_EQ(rateOf(rates, PeakClass::Tf32), rates.tf32);
    EXPECT_EQ(rateOf(rates, PeakClass::Bits16), rates.bits16);
    EXPECT_EQ(rateOf(rates, PeakClass::Bits8), rates.bits8);
}

}  // namespace
}  // namespace qs::core
