#include "core/analysis/measured_course.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;

std::vector<Phase> phases(const MeasuredCourse& course)
{
    std::vector<Phase> phases;
    for (const CoursePhase& each : course.phases)
        phases.push_back(each.phase);
    return phases;
}

CellResult timedResult()
{
    CellResult result;
    // In the order in which they end.
    result.phases = {{Phase::Load, 1.0, 0.5},
                     {Phase::FirstPass, 2.0, 2.0},
                     {Phase::Compile, 3.0, 1.5},
                     {Phase::Warmup, 1.0, 4.5},
                     {Phase::Measure, 1.0, 6.0}};
    result.began = 100.0;
    result.warmupSeconds = {0.3, 0.2};
    result.passesPerSample = 2;
    result.sampleStart = {6.0, 6.5, 7.0};
    result.hostSeconds = {0.2, 0.2, 0.25};
    result.deviceSeconds = {0.19, 0.19, 0.24};
    result.discards = {{2, Slowdown::LowClock, 900.0}};
    return result;
}

TEST(MeasuredCourse, NothingGivesNothing)
{
    const MeasuredCourse course = courseOf({});
    EXPECT_TRUE(course.phases.empty());
    EXPECT_TRUE(course.passes.empty());
    EXPECT_FALSE(course.span);
    EXPECT_FALSE(course.sampling);
    EXPECT_EQ(course.seconds, 0.0);
}

TEST(MeasuredCourse, PhasesStandWhereTheyWere)
{
    const MeasuredCourse course = courseOf(timedResult());
    EXPECT_THAT(phases(course), ElementsAre(Phase::Load, Phase::Compile, Phase::FirstPass,
                                            Phase::Warmup, Phase::Measure));
    EXPECT_DOUBLE_EQ(course.phases[0].start, 0.5);
    EXPECT_TRUE(course.phases[2].nested);
    EXPECT_FALSE(course.phases[1].nested);
    EXPECT_DOUBLE_EQ(course.seconds, 7.0);
}

TEST(MeasuredCourse, PassesStandInTime)
{
    const MeasuredCourse course = courseOf(timedResult());
    ASSERT_EQ(course.passes.size(), 5U);
    // The warm-up ended at 5.5.
    EXPECT_EQ(course.passes[0].kind, PassKind::WarmUp);
    // Each took twice its passes.
    EXPECT_DOUBLE_EQ(course.passes[0].at, 4.5);
    EXPECT_DOUBLE_EQ(course.passes[1].at, 5.1);
    EXPECT_DOUBLE_EQ(course.passes[2].at, 6.0);
    EXPECT_DOUBLE_EQ(course.passes[2].seconds, 0.19);
    EXPECT_EQ(course.passes[3].kind, PassKind::Counted);
    EXPECT_EQ(course.passes[4].kind, PassKind::Discarded);
    EXPECT_EQ(course.passes[3].discard, std::nullopt);
    EXPECT_EQ(course.passes[4].discard, (Discard{2, Slowdown::LowClock, 900.0}));
    EXPECT_DOUBLE_EQ(course.span->lower, 4.5);
    EXPECT_DOUBLE_EQ(course.span->upper, 7.5);
    EXPECT_DOUBLE_EQ(course.sampling->lower, 6.0);
}

TEST(MeasuredCourse, PassesNeedTheirTimes)
{
    CellResult result = timedResult();
    for (const std::vector<double>& starts : {std::vector<double>(), {1.0}, {1.0, 2.0, 3.0, 4.0}}) {
        result.sampleStart = starts;
        const MeasuredCourse course = courseOf(result);
        EXPECT_TRUE(course.passes.empty());
        EXPECT_FALSE(course.span);
        EXPECT_FALSE(course.sampling);
        EXPECT_EQ(course.phases.size(), 5U);
    }
    result = timedResult();
    result.deviceSeconds.pop_back();
    EXPECT_TRUE(courseOf(result).passes.empty());
}

TEST(MeasuredCourse, TellsHowMuchTheClockWasHeldDownFromPointToPoint)
{
    CellResult result = timedResult();
    const auto point = [](double at, std::optional<double> power, std::optional<double> thermal) {
        return DevicePoint{.at = at, .powerCappedSeconds = power, .thermalCappedSeconds = thermal};
    };
    result.trace.points = {point(5.0, 0.0, std::nullopt), point(6.0, 0.25, std::nullopt),
                           point(6.5, 0.75, 0.0),         point(7.0, std::nullopt, 5.0),
                           point(7.0, std::nullopt, 9.0), point(8.0, 1.0, 4.0)};
    const auto capped = courseOf(result).capped;
    ASSERT_EQ(capped.size(), 4U);
    EXPECT_DOUBLE_EQ(capped[0].from, 5.0);
    EXPECT_DOUBLE_EQ(capped[0].to, 6.0);
    EXPECT_DOUBLE_EQ(*capped[0].power, 25.0);
    EXPECT_FALSE(capped[0].thermal);
    EXPECT_DOUBLE_EQ(*capped[1].power, 100.0);
    EXPECT_FALSE(capped[2].power);
    EXPECT_DOUBLE_EQ(*capped[2].thermal, 100.0) << "never more than all of it";
    EXPECT_DOUBLE_EQ(*capped[3].thermal, 0.0) << "nor less than nothing";
    EXPECT_TRUE(courseOf(timedResult()).capped.empty());
}

TEST(MeasuredCourse, SlowdownsLastUntilTheNextPoint)
{
    CellResult result = timedResult();
    constexpr std::uint64_t kPower = 0x4;
    constexpr std::uint64_t kIdle = 0x1;
    const auto point = [](double at, std::uint64_t bits, double clock) {
        DevicePoint point;
        point.at = at;
        point.slowdownBits = bits;
        point.smClockMegahertz = clock;
        return point;
    };
    result.trace.points = {point(5.9, kIdle, 1980.0), point(6.1, kPower, 1980.0),
                           point(6.5, kPower, 1500.0), point(7.0, 0, 1980.0),
                           point(7.4, kPower, 1980.0)};
    const MeasuredCourse course = courseOf(result);
    ASSERT_EQ(course.slowdowns.size(), 2U);
    EXPECT_DOUBLE_EQ(course.slowdowns[0].from, 6.1);
    EXPECT_DOUBLE_EQ(course.slowdowns[0].to, 7.0);
    EXPECT_EQ(course.slowdowns[0].reasons.size(), 1U);
    EXPECT_DOUBLE_EQ(course.slowdowns[1].from, 7.4);
    EXPECT_DOUBLE_EQ(course.slowdowns[1].to, 7.4);
    ASSERT_TRUE(course.clock);
    EXPECT_NEAR(course.clock->lower, 1692.0, 0.5);  // at 6.7, the middle of the second sample
    EXPECT_DOUBLE_EQ(course.clock->upper, 1980.0);
}

}  // namespace
}  // namespace qs::core
