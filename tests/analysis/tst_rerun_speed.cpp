#include "core/analysis/rerun_speed.h"

#include "core/report/words/warning_text.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using tests::addRow;
using tests::runOf;

RunData runWithReruns(int rounds)
{
    RunData data = runOf({{.id = "one", .reference = "one"},
                          {.id = "four", .batch = 4, .reference = "four"},
                          {.id = "fast", .precision = "int8dq", .reference = "one"},
                          {.id = "one again", .reference = "one"},
                          {.id = "four again", .batch = 4, .reference = "four"}},
                         rounds);
    for (const std::size_t again : {std::size_t{3}, std::size_t{4}}) {
        data.plan.cells[again].role = CellRole::NoiseFloor;
        data.plan.cells[again].rerun = 1;
    }
    return data;
}

// Seconds of batch 1 and of its rerun.
void addRound(RunData& data, int round, double seconds, double again)
{
    addRow(data, "one", round, {seconds});
    addRow(data, "one again", round, {again});
}

std::vector<RerunSpeed> speedsOf(const RunData& data)
{
    return rerunSpeeds(analyse(data, "bf16-eager"));
}

TEST(RerunSpeed, EqualWorkThatTakesEquallyLongIsSilent)
{
    RunData data = runWithReruns(5);
    for (int round = 0; round < 5; ++round)
        addRound(data, round, 1.0 + 0.1 * round, (1.0 + 0.1 * round) * (round % 2 ? 1.002 : 0.998));
    const auto speeds = speedsOf(data);
    ASSERT_THAT(speeds, SizeIs(1)) << "batch 4 has no rows, and int8dq repeats nothing";
    EXPECT_EQ(speeds[0].cellId, "one again");
    EXPECT_EQ(speeds[0].referenceId, "one");
    EXPECT_FALSE(speeds[0].differs);
    EXPECT_THAT(timeWarnings(analyse(data, "bf16-eager")), IsEmpty());
}

TEST(RerunSpeed, WithoutAnIntervalOnlyALargeDifferenceCounts)
{
    for (const auto& [again, differs] :
         {std::pair{0.96, false}, {1.04, false}, {0.9, true}, {1.1, true}}) {
        RunData data = runWithReruns(1);
        addRound(data, 0, 1.0, again);
        const auto speeds = speedsOf(data);
        ASSERT_THAT(speeds, SizeIs(1));
        EXPECT_EQ(speeds[0].differs, differs) << again;
    }
}

TEST(RerunSpeed, FromThreeRoundsOnTheIntervalDecides)
{
    RunData steady = runWithReruns(5);
    RunData wandering = runWithReruns(5);
    for (int round = 0; round < 5; ++round) {
        addRound(steady, round, 1.0, 0.97 + 0.0002 * round);
        addRound(wandering, round, 1.0, round % 2 == 0 ? 0.8 : 1.2);
    }
    EXPECT_TRUE(speedsOf(steady)[0].differs) << "3 % in every round is no accident";
    EXPECT_FALSE(speedsOf(wandering)[0].differs) << "its interval is wide, and so is told there";
}

TEST(RerunSpeed, TheWarningNamesTheWorstCase)
{
    RunData data = runWithReruns(1);
    addRound(data, 0, 2.0, 1.0);
    addRow(data, "four", 0, {1.0});
    addRow(data, "four again", 0, {5.0});
    const auto warnings = timeWarnings(analyse(data, "best-bf16"));
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_THAT(warnings[0],
                HasSubstr("reruns of one cell differ 5.00× in speed: bf16 · eager · batch 4"));
    EXPECT_THAT(warnings[0], HasSubstr("2 of 2 reruns differ"));
}

TEST(RerunSpeed, RowsOfTwoEnvironmentsAreNotCompared)
{
    RunData data = runWithReruns(1);
    addRow(data, "one", 0, {1.0}, "e1");
    addRow(data, "one again", 0, {5.0}, "e2");
    EXPECT_THAT(speedsOf(data), IsEmpty());
}

}  // namespace
}  // namespace qs::core
