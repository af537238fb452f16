#include "core/measure/clock_notes.h"

#include "core/device/clock_reasons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace qs::core;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

// Warm-up from 0 to 3 s, ten samples of 0.1 s from 3 s on; the device is read every 50 ms.
CellResult measured(double warmupClock, double sampleClock, std::uint64_t bits = 0)
{
    CellResult result;
    result.phases = {{Phase::Warmup, 3.0, 0.0}, {Phase::Measure, 1.0, 3.0}};
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

Note low(const char* cause)
{
    return {NoteCode::ClockLow, {1335.0, 1980.0, cause}};
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
                ElementsAre(Note{NoteCode::ClockLow, {1335.0, 1980.0, "power_cap"}}));
    EXPECT_THAT(clockNotes(measured(1335.0, 1335.0, kHeat)), ElementsAre(low("heat")));
    EXPECT_THAT(clockNotes(measured(1335.0, 1335.0, kPowerBrake)), ElementsAre(low("power_brake")));
    EXPECT_THAT(clockNotes(measured(1335.0, 1335.0, kHardwareSlowdown)),
                ElementsAre(low("hardware")));
    EXPECT_THAT(clockNotes(measured(1335.0, 1335.0)), ElementsAre(low(kLockedClock)));
    CellResult wandering = measured(1335.0, 1335.0);
    for (std::size_t i = 0; i < wandering.trace.points.size(); i += 3)
        wandering.trace.points[i].smClockMegahertz = 1320.0;
    EXPECT_THAT(clockNotes(wandering), ElementsAre(low(kNoReason)));
}

TEST(ClockNotes, ClocksThatSomebodyHasSetAreNamedAsThat)
{
    EXPECT_THAT(clockNotes(measured(1335.0, 1335.0, kClocksAreSet)),
                ElementsAre(Note{NoteCode::ClocksSet, {1335.0, 1980.0}}));
    // Also at the maximum: it is a choice that rows without it do not share.
    EXPECT_THAT(clockNotes(measured(1980.0, 1980.0, kClocksAreSet | kPowerCap)),
                ElementsAre(Note{NoteCode::ClocksSet, {1980.0, 1980.0}}));
    CellResult seldom = measured(1980.0, 1980.0);
    for (std::size_t i = 0; i < seldom.trace.points.size(); i += 4)
        seldom.trace.points[i].slowdownBits = kClocksAreSet;
    EXPECT_THAT(clockNotes(seldom), IsEmpty());
}

TEST(ClockNotes, AClockThatStandsStillWithoutAReasonMayBeLocked)
{
    EXPECT_THAT(clockNotes(measured(1755.0, 1755.0)),
                ElementsAre(Note{NoteCode::ClockBelowMaximum, {1755.0, 1980.0, kLockedClock}}));
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
    EXPECT_THAT(clockNotes(result), ElementsAre(low("heat")));
    // Seen now and then, it is no reason for a clock that is always low.
    for (std::size_t i = 0; i < result.trace.points.size(); ++i)
        result.trace.points[i].slowdownBits = i % 4 == 0 ? kPowerCap : 0;
    EXPECT_THAT(clockNotes(result), ElementsAre(low(kNoReason)));
}

TEST(ClockNotes, AClockThatStillMovesIsTold)
{
    EXPECT_THAT(clockNotes(measured(1980.0, 1755.0, kPowerCap)),
                ElementsAre(Note{NoteCode::ClockMoving, {1980.0, 1755.0}}));
    EXPECT_THAT(clockNotes(measured(1755.0, 1980.0)),
                ElementsAre(Note{NoteCode::ClockMoving, {1755.0, 1980.0}}));
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
    CellResult withoutWarmup = measured(1980.0, 1755.0, kPowerCap);
    withoutWarmup.phases = {{Phase::Measure, 1.0, 3.0}};
    EXPECT_THAT(clockNotes(withoutWarmup), IsEmpty());
    CellResult damaged = measured(1335.0, 1335.0);
    damaged.hostSeconds.resize(3);
    EXPECT_THAT(clockNotes(damaged), IsEmpty());
}
