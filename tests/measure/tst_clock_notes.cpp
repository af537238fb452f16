#include "core/measure/clock_notes.h"

#include "core/device/clock_reasons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace qs::core;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

// Warm-up from 0 to 3 s, ten samples of 0.1 s from 3 s on; the device is read every 50 ms.
CellResult measured(double warmupClock, double sampleClock, std::uint64_t bits = 0)
{
    CellResult result;
    result.phases = {{"warmup", 3.0, 0.0}, {"measure", 1.0, 3.0}};
    for (int i = 0; i < 10; ++i) {
        result.hostSeconds.push_back(0.1);
        result.sampleStart.push_back(3.0 + 0.1 * i);
    }
    for (int i = 0; i < 84; ++i) {
        DevicePoint point;
        point.at = 0.05 * i + 0.01;
        point.smClockMegahertz = point.at < 3.0 ? warmupClock : sampleClock;
        point.slowdownBits = bits;
        result.trace.points.push_back(point);
    }
    result.trace.maximumClockMegahertz = 1980.0;
    return result;
}

}  // namespace

TEST(ClockNotes, ASteadyHighClockIsNoMatter)
{
    EXPECT_THAT(clockNotes(measured(1980.0, 1980.0)), IsEmpty());
    EXPECT_THAT(clockNotes(measured(1500.0, 1500.0, kPowerCap)), IsEmpty())
        << "above three quarters of 1980";
}

TEST(ClockNotes, AClockThatIsLowAllTheTimeIsTold)
{
    EXPECT_THAT(clockNotes(measured(1335.0, 1335.0, kPowerCap)),
                ElementsAre("the SM clock was low all the time: 1335 MHz during the samples, of "
                            "1980 MHz that the device can do; held down by the power limit"));
    EXPECT_THAT(clockNotes(measured(1335.0, 1335.0, kHeat)), ElementsAre(HasSubstr("by heat")));
    EXPECT_THAT(clockNotes(measured(1335.0, 1335.0)),
                ElementsAre(HasSubstr("names no reason and it never moved: it may be locked")));
    CellResult wandering = measured(1335.0, 1335.0);
    for (std::size_t i = 0; i < wandering.trace.points.size(); i += 3)
        wandering.trace.points[i].smClockMegahertz = 1320.0;
    EXPECT_THAT(clockNotes(wandering), ElementsAre(HasSubstr("no reason that lasted")));
}

TEST(ClockNotes, ClocksThatSomebodyHasSetAreNamedAsThat)
{
    EXPECT_THAT(clockNotes(measured(1335.0, 1335.0, kClocksAreSet)),
                ElementsAre("the clocks are set (application clocks, or locked ones), says the "
                            "driver: 1335 MHz during the samples, of 1980 MHz that the device can "
                            "do"));
    // Also at the maximum: it is a choice that rows without it do not share.
    EXPECT_THAT(clockNotes(measured(1980.0, 1980.0, kClocksAreSet | kPowerCap)),
                ElementsAre(HasSubstr("the clocks are set")));
    CellResult seldom = measured(1980.0, 1980.0);
    for (std::size_t i = 0; i < seldom.trace.points.size(); i += 4)
        seldom.trace.points[i].slowdownBits = kClocksAreSet;
    EXPECT_THAT(clockNotes(seldom), IsEmpty());
}

TEST(ClockNotes, AClockThatStandsStillWithoutAReasonMayBeLocked)
{
    EXPECT_THAT(clockNotes(measured(1755.0, 1755.0)),
                ElementsAre("the SM clock stood below its maximum: 1755 MHz during the samples, of "
                            "1980 MHz that the device can do; the driver names no reason and it "
                            "never moved: it may be locked"));
    EXPECT_THAT(clockNotes(measured(1755.0, 1755.0, kPowerCap)), IsEmpty());
    EXPECT_THAT(clockNotes(measured(1965.0, 1965.0)), IsEmpty()) << "one step below the maximum";
    CellResult untold = measured(1755.0, 1755.0);
    for (DevicePoint& point : untold.trace.points)
        point.slowdownBits.reset();
    EXPECT_THAT(clockNotes(untold), IsEmpty()) << "the driver was not asked";
}

TEST(ClockNotes, TheReasonIsTheOneThatWasSeenMost)
{
    CellResult result = measured(1335.0, 1335.0, kHeat);
    for (std::size_t i = 0; i < result.trace.points.size(); i += 4)
        result.trace.points[i].slowdownBits = kPowerCap;
    EXPECT_THAT(clockNotes(result), ElementsAre(HasSubstr("held down by heat")));
    // Seen now and then, it is no reason for a clock that is always low.
    for (std::size_t i = 0; i < result.trace.points.size(); ++i)
        result.trace.points[i].slowdownBits = i % 4 == 0 ? kPowerCap : 0;
    EXPECT_THAT(clockNotes(result), ElementsAre(HasSubstr("no reason that lasted")));
}

TEST(ClockNotes, AClockThatStillMovesIsTold)
{
    EXPECT_THAT(clockNotes(measured(1980.0, 1755.0, kPowerCap)),
                ElementsAre("the clock was still moving: 1980 MHz at the end of the warm-up, 1755 "
                            "MHz during the samples"));
    EXPECT_THAT(clockNotes(measured(1755.0, 1980.0)), ElementsAre(HasSubstr("still moving")));
    EXPECT_THAT(clockNotes(measured(1980.0, 1965.0)), IsEmpty()) << "one step, below 1 %";
    // Only the last third of the warm-up counts: the clock has to rise first.
    CellResult result = measured(1980.0, 1980.0);
    for (DevicePoint& point : result.trace.points)
        point.smClockMegahertz = point.at < 1.9 ? 345.0 : 1980.0;
    EXPECT_THAT(clockNotes(result), IsEmpty());
}

TEST(ClockNotes, NothingIsSaidOfWhatWasNotSeen)
{
    EXPECT_THAT(clockNotes(CellResult()), IsEmpty());
    CellResult untold = measured(1335.0, 1335.0);
    untold.trace.maximumClockMegahertz.reset();
    EXPECT_THAT(clockNotes(untold), IsEmpty());
    for (DevicePoint& point : untold.trace.points)
        point.smClockMegahertz.reset();
    untold.trace.maximumClockMegahertz = 1980.0;
    EXPECT_THAT(clockNotes(untold), IsEmpty());
    CellResult withoutTimes = measured(1980.0, 1755.0, kPowerCap);
    withoutTimes.phases = {{"warmup", 3.0}};
    EXPECT_THAT(clockNotes(withoutTimes), IsEmpty());
    CellResult damaged = measured(1335.0, 1335.0);
    damaged.hostSeconds.resize(3);
    EXPECT_THAT(clockNotes(damaged), IsEmpty());
}
