#include "core/measure/clock_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <algorithm>
#include <cmath>
#include <string>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What a note is about and how long that lasts, in microseconds; shares are compared on their own.
struct Step {
    NoteCode code;
    double microseconds;
    std::string stage = {};
};

MATCHER_P(Says, step, "")
{
    const std::size_t place = arg.code == NoteCode::ClockStepsOfPass ? 0 : 1;
    const double seconds = arg.number(place);
    return arg.code == step.code && std::abs(seconds * 1e6 - step.microseconds) < 1e-6 &&
           std::abs(arg.number(place + 1) - std::min(1.0, kEventStepSeconds / seconds)) < 1e-12 &&
           arg.text(0) == step.stage;
}

auto pass(double microseconds)
{
    return Says(Step{NoteCode::ClockStepsOfPass, microseconds});
}

auto block(double microseconds)
{
    return Says(Step{NoteCode::ClockStepsOfBlock, microseconds});
}

auto stage(const char* name, double microseconds)
{
    return Says(Step{NoteCode::ClockStepsOfStage, microseconds, name});
}

// Three samples of passes that take so long, with an encoder and a decoder of half of that.
CellResult passesOf(double seconds, int passesPerSample = 1)
{
    CellResult result;
    result.deviceSeconds = {seconds, seconds, seconds};
    result.hostSeconds = result.deviceSeconds;
    result.passesPerSample = passesPerSample;
    result.conditions = Conditions{.streamHeld = true};
    const std::vector<double> half(3, 0.5 * seconds);
    result.stages = {{"encoder", half, {}}, {"decoder", half, {}}};
    return result;
}

TEST(ClockSteps, ShortPassesThatAreTimedAloneSaySo)
{
    EXPECT_THAT(clockStepNotes(passesOf(12e-6)), ElementsAre(pass(12.0), stage("encoder", 6.0)));
}

TEST(ClockSteps, AMillisecondIsLongEnough)
{
    EXPECT_THAT(clockStepNotes(passesOf(2.1e-3)), IsEmpty());
    EXPECT_THAT(clockStepNotes(passesOf(0.99e-3)), ElementsAre(pass(990.0)));
}

TEST(ClockSteps, StagesSaySoWhenTheirShareIsNoGuideAnyMore)
{
    EXPECT_THAT(clockStepNotes(passesOf(0.21e-3, 5)), IsEmpty());
    EXPECT_THAT(clockStepNotes(passesOf(0.19e-3, 6)), ElementsAre(stage("encoder", 95.0)));
}

TEST(ClockSteps, BlocksAreTimedAsAWhole)
{
    EXPECT_THAT(clockStepNotes(passesOf(12e-6, 100)), ElementsAre(stage("encoder", 6.0)));
    const auto notes = clockStepNotes(passesOf(12e-6, 10));
    EXPECT_THAT(notes, ElementsAre(block(120.0), stage("encoder", 6.0)));
    EXPECT_EQ(notes.front().number(0), 10.0) << "passes";
}

TEST(ClockSteps, APassWithAColdCacheHasEventsOfItsOwn)
{
    CellResult cold = passesOf(12e-6, 100);
    cold.conditions->cache = CacheState::Cold;
    EXPECT_THAT(clockStepNotes(cold), ElementsAre(pass(12.0), stage("encoder", 6.0)));
}

TEST(ClockSteps, TheShortestStageSpeaksForAll)
{
    CellResult result = passesOf(12e-6, 100);
    result.stages[1].seconds = {4e-6, 2e-6, 3e-6};
    EXPECT_THAT(clockStepNotes(result), ElementsAre(stage("decoder", 3.0)));
    result.stages[0].seconds = {0.0, 0.0, 0.0};
    EXPECT_THAT(clockStepNotes(result),
                ElementsAre(Note{NoteCode::ClockStepsOfStage, {"encoder", 0.0, 1.0}}));
    result.stages[0].seconds.clear();
    EXPECT_THAT(clockStepNotes(result), ElementsAre(stage("decoder", 3.0)));
    result.stages.clear();
    EXPECT_THAT(clockStepNotes(result), IsEmpty());
}

TEST(ClockSteps, TheOnlyStageIsThePass)
{
    CellResult result = passesOf(12e-6);
    result.stages.resize(1);
    EXPECT_THAT(clockStepNotes(result), ElementsAre(pass(12.0)));
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
