#include "core/measure/clock_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Three samples of passes that take so long, with an encoder and a decoder of half of that.
CellResult passesOf(double seconds, int passesPerSample = 1)
{
    CellResult result;
    result.deviceSeconds = {seconds, seconds, seconds};
    result.hostSeconds = result.deviceSeconds;
    result.passesPerSample = passesPerSample;
    result.conditions = "warm L2, stream held";
    const std::vector<double> half(3, 0.5 * seconds);
    result.stages = {{"encoder", half, {}}, {"decoder", half, {}}};
    return result;
}

TEST(ClockSteps, ShortPassesThatAreTimedAloneSaySo)
{
    EXPECT_THAT(clockStepNotes(passesOf(12e-6)),
                ElementsAre("each pass of 12.0 µs is timed alone; the clock's steps of 0.5 µs are "
                            "4.2 % of it",
                            "stage encoder of 6.00 µs is timed alone; the clock's steps of 0.5 µs "
                            "are 8.3 % of it"));
}

TEST(ClockSteps, AMillisecondIsLongEnough)
{
    EXPECT_THAT(clockStepNotes(passesOf(2.1e-3)), IsEmpty());
    EXPECT_THAT(clockStepNotes(passesOf(0.99e-3)), ElementsAre(HasSubstr("each pass of 990 µs")));
}

TEST(ClockSteps, StagesSaySoWhenTheirShareIsNoGuideAnyMore)
{
    EXPECT_THAT(clockStepNotes(passesOf(0.21e-3, 5)), IsEmpty());
    EXPECT_THAT(clockStepNotes(passesOf(0.19e-3, 6)),
                ElementsAre(HasSubstr("stage encoder of 95")));
}

TEST(ClockSteps, BlocksAreTimedAsAWhole)
{
    EXPECT_THAT(clockStepNotes(passesOf(12e-6, 100)), ElementsAre(HasSubstr("stage encoder")));
    EXPECT_THAT(clockStepNotes(passesOf(12e-6, 10)),
                ElementsAre(HasSubstr("each block of 10 passes of 120 µs"), HasSubstr("stage")));
}

TEST(ClockSteps, APassWithAColdCacheHasEventsOfItsOwn)
{
    CellResult cold = passesOf(12e-6, 100);
    cold.conditions = "cold L2, stream held";
    EXPECT_THAT(clockStepNotes(cold),
                ElementsAre(HasSubstr("each pass of 12.0 µs"), HasSubstr("stage encoder")));
}

TEST(ClockSteps, TheShortestStageSpeaksForAll)
{
    CellResult result = passesOf(12e-6, 100);
    result.stages[1].seconds = {4e-6, 2e-6, 3e-6};
    EXPECT_THAT(clockStepNotes(result), ElementsAre(HasSubstr("stage decoder of 3.00 µs")));
    result.stages[0].seconds = {0.0, 0.0, 0.0};
    EXPECT_THAT(clockStepNotes(result), ElementsAre(HasSubstr("stage encoder of 0 s")));
    EXPECT_THAT(clockStepNotes(result), ElementsAre(HasSubstr("are 100 % of it")));
    result.stages[0].seconds.clear();
    EXPECT_THAT(clockStepNotes(result), ElementsAre(HasSubstr("stage decoder")));
    result.stages.clear();
    EXPECT_THAT(clockStepNotes(result), IsEmpty());
}

TEST(ClockSteps, TheOnlyStageIsThePass)
{
    CellResult result = passesOf(12e-6);
    result.stages.resize(1);
    EXPECT_THAT(clockStepNotes(result), ElementsAre(HasSubstr("each pass")));
}

TEST(ClockSteps, ACpuHasNone)
{
    CellResult result = passesOf(12e-6);
    result.deviceSeconds.clear();
    EXPECT_THAT(clockStepNotes(result), IsEmpty());
    EXPECT_THAT(clockStepNotes(CellResult()), IsEmpty());
}

}  // namespace
}  // namespace qs::core
