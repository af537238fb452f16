#include "core/measure/throttling.h"

#include "core/device/clock_reasons.h"

#include <gtest/gtest.h>

using namespace qs::core;

namespace {

// Ten samples of 100 ms from 1 s on; the device is read every 100 ms, and is at 1900 MHz.
CellResult quiet()
{
    CellResult result;
    for (int i = 0; i < 10; ++i) {
        result.hostSeconds.push_back(0.1);
        result.sampleStart.push_back(1.0 + 0.1 * i);
    }
    for (int i = 0; i <= 12; ++i) {
        DevicePoint point;
        point.at = 0.95 + 0.1 * i;
        point.smClockMegahertz = 1900.0;
        point.slowdownBits = 0;
        result.trace.points.push_back(point);
    }
    return result;
}

}  // namespace

TEST(Throttling, QuietSamplesAllCount)
{
    const Throttling found = findThrottling(quiet());
    EXPECT_TRUE(found.discards.empty());
    EXPECT_EQ(found.throughout, std::nullopt);
}

TEST(Throttling, ThePowerCapIsNoDisturbance)
{
    CellResult result = quiet();
    for (DevicePoint& point : result.trace.points)
        point.slowdownBits = kPowerCap;
    EXPECT_TRUE(findThrottling(result).discards.empty());
    EXPECT_EQ(findThrottling(result).throughout, std::nullopt);
}

TEST(Throttling, SamplesThatMetHeatAreNamed)
{
    CellResult result = quiet();
    // At 1.25 s: the middle of the third sample.
    result.trace.points[3].slowdownBits = kHardwareHeat;
    const auto discards = findThrottling(result).discards;
    ASSERT_EQ(discards.size(), 1U);
    EXPECT_EQ(discards[0], (Discard{2, Slowdown::Heat}));
    result.trace.points[3].slowdownBits = kPowerBrake;
    EXPECT_EQ(findThrottling(result).discards[0].cause, Slowdown::PowerBrake);
    result.trace.points[3].slowdownBits = kHardwareSlowdown;
    EXPECT_EQ(findThrottling(result).discards[0].cause, Slowdown::Hardware);
}

TEST(Throttling, AClockThatBreaksDownIsNamedWithItsValue)
{
    CellResult result = quiet();
    result.trace.points[7].smClockMegahertz = 1200.0;
    const auto discards = findThrottling(result).discards;
    ASSERT_EQ(discards.size(), 1U);
    EXPECT_EQ(discards[0].sample, 6U);
    EXPECT_EQ(discards[0].cause, Slowdown::LowClock);
    EXPECT_NEAR(discards[0].megahertz, 1200.0, 1e-6);
    result.trace.points[7].smClockMegahertz = 1430.0;  // above three quarters of 1900
    EXPECT_TRUE(findThrottling(result).discards.empty());
}

TEST(Throttling, AStateThatLastsIsNoReasonToThrowEverythingAway)
{
    CellResult result = quiet();
    for (std::size_t i = 1; i < 8; ++i)
        result.trace.points[i].slowdownBits = kSoftwareHeat;
    const Throttling found = findThrottling(result);
    EXPECT_TRUE(found.discards.empty());
    EXPECT_EQ(found.throughout, Slowdown::Heat);
}

TEST(Throttling, WithoutTelemetryNothingIsClaimed)
{
    CellResult result = quiet();
    result.trace = {};
    EXPECT_TRUE(findThrottling(result).discards.empty());
    for (const auto& clock : sampleClocks(result))
        EXPECT_FALSE(clock.has_value());
    EXPECT_TRUE(findThrottling(CellResult()).discards.empty());
}

TEST(Throttling, BlocksAreJudgedAtTheirMiddle)
{
    CellResult result = quiet();
    result.hostSeconds.assign(1, 0.001);
    result.sampleStart.assign(1, 1.0);
    result.passesPerSample = 100;
    result.trace.points[0].smClockMegahertz = 1000.0;           // at 0.95 s
    EXPECT_DOUBLE_EQ(sampleClocks(result)[0].value(), 1900.0);  // at 1.05 s, not at 1 s
}
