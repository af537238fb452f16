#include "core/analysis/analysis.h"
#include "core/record/run_folder.h"
#include "core/run/run_session.h"
#include "core/sweep/append_plan.h"
#include "core/sweep/settle_plan.h"
#include "tests/run/fake_plan.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>

#include <algorithm>

// Runs that are given more cells, or another order, while they go on or after their end.
namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class RunGrowth : public testing::Test
{
protected:
    [[nodiscard]] RunOptions options(bool resume = false) const
    {
        return fakeOptions(m_folder.path(), resume);
    }
    [[nodiscard]] RunData stored() const { return readRunFolder(m_folder / "run").value(); }

    TestFolder m_folder;
};

Plan firstPlan(int rounds)
{
    std::vector<PlannedCell> cells{fakeCell("fake:slow:40"), fakeCell("fake:slow:40", 1, "int8dq")};
    for (PlannedCell& cell : cells)
        cell.referenceId = cells.front().id;
    return fakePlan(std::move(cells), rounds);
}

Plan additionPlan(int rounds)
{
    Plan plan = firstPlan(rounds);
    plan.preset.name = "more of it";
    plan.cells[1] = fakeCell("fake:slow:40", 1, "int8wo");
    plan.cells[1].referenceId = plan.cells[0].id;
    return plan;
}

// 2 cells x 2 rounds of the run; then 1 round of the appended cell and of its baseline.
void expectGrown(const RunData& data)
{
    ASSERT_EQ(data.plan.cells.size(), 3U);
    EXPECT_EQ(data.plan.appended.size(), 1U);
    EXPECT_EQ(data.measurements.size(), 6U);
    for (const Measurement& row : data.measurements)
        EXPECT_TRUE(row.ok()) << (row.failure ? row.failure->detail : "") << row.logTail;
    const Analysis analysis = analyse(data, "best-bf16");
    const CellSummary& appended = analysis.cells[2];
    EXPECT_EQ(appended.roundsOk, 1);
    EXPECT_EQ(appended.roundsPlanned, 1);
    EXPECT_EQ(analysis.cells[0].roundsOk, 3);
    EXPECT_EQ(analysis.cells[0].roundsPlanned, 3);
    EXPECT_EQ(appended.baselineId, data.plan.cells[0].id);
    EXPECT_TRUE(appended.speedup.has_value()) << "the baseline was measured in the same round";
}

TEST_F(RunGrowth, TakesCellsWhileItGoesOn)
{
    RecordingObserver observer;
    RunSession session(firstPlan(2), options(), observer);
    ASSERT_TRUE(observer.waitFor([](const auto& seen) { return !seen.rows.empty(); }));
    EXPECT_TRUE(session.append(additionPlan(1)));
    session.wait();
    EXPECT_TRUE(observer.status.ok()) << observer.status.error().message;
    ASSERT_EQ(observer.grown.size(), 1U);
    EXPECT_EQ(observer.grown.front().cells.size(), 3U);
    EXPECT_THAT(observer.eventKinds(), Contains(EventKind::Appended));
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Complete);
    expectGrown(stored());
    EXPECT_FALSE(session.append(additionPlan(1))) << "it has ended";
}

TEST_F(RunGrowth, GoesOnWithAFinishedRunForNewCells)
{
    {
        RecordingObserver observer;
        RunSession session(firstPlan(2), options(), observer);
        session.wait();
        ASSERT_EQ(observer.rows.size(), 4U);
    }
    RecordingObserver observer;
    RunSession session(additionPlan(1), options(true), observer);
    session.wait();
    EXPECT_TRUE(observer.status.ok()) << observer.status.error().message;
    EXPECT_EQ(observer.rows.size(), 2U) << "nothing of before is repeated";
    EXPECT_EQ(observer.atStart.plan.cells.size(), 3U);
    expectGrown(stored());
}

TEST_F(RunGrowth, ComparesAppendedOutputsWithTheReferenceOfTheRun)
{
    RecordingObserver observer;
    RunSession session(firstPlan(2), options(), observer);
    ASSERT_TRUE(observer.waitFor([](const auto& seen) { return !seen.rows.empty(); }));
    EXPECT_TRUE(session.append(additionPlan(1)));
    session.wait();
    const RunData data = stored();
    const auto compared = std::count_if(data.qualities.begin(), data.qualities.end(),
                                        [&](const OutputQuality& quality) {
                                            return quality.cellId == data.plan.cells[2].id &&
                                                   quality.referenceId == data.plan.cells[0].id;
                                        });
    EXPECT_EQ(compared, 2);
}

// Whichever of them ends first.
TEST_F(RunGrowth, ComparesEveryCellWithTheFp32GoldenRun)
{
    std::vector<PlannedCell> cells = firstPlan(1).cells;
    cells.push_back(fakeCell("fake:slow:40", 1, "fp32"));
    cells.back().role = CellRole::NoiseFloor;
    cells.back().referenceId = cells.front().id;
    const std::string golden = cells.back().id;
    RecordingObserver observer;
    RunSession session(fakePlan(std::move(cells), 1), options(), observer);
    session.wait();
    const RunData data = stored();
    const auto comparisons = [&](const PlannedCell& cell) {
        return std::count_if(data.qualities.begin(), data.qualities.end(),
                             [&](const OutputQuality& quality) {
                                 return quality.cellId == cell.id && quality.referenceId == golden;
                             });
    };
    EXPECT_EQ(comparisons(data.plan.cells[0]), 2) << "the bf16 reference as well";
    EXPECT_EQ(comparisons(data.plan.cells[1]), 2);
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_TRUE(analysis.cells[1].golden);
    EXPECT_EQ(analysis.cells[2].golden.has_value(), false);
}

TEST_F(RunGrowth, AnAppendedRunThatWasStoppedGoesOnLater)
{
    {
        RecordingObserver observer;
        RunSession session(firstPlan(2), options(), observer);
        ASSERT_TRUE(observer.waitFor([](const auto& seen) { return !seen.rows.empty(); }));
        EXPECT_TRUE(session.append(additionPlan(1)));
        session.stopAfterCell();
        session.wait();
        EXPECT_EQ(observer.eventKinds().back(), EventKind::Stopped);
    }
    ASSERT_EQ(stored().plan.cells.size(), 3U) << "what was asked for is not forgotten";
    RecordingObserver observer;
    RunSession session(Plan(), options(true), observer);
    session.wait();
    EXPECT_TRUE(observer.status.ok());
    expectGrown(stored());
}

// Rounds that settle a comparison: of the cells in question alone, without their outputs again.
TEST_F(RunGrowth, SettlesAComparisonAndRemembersTheLook)
{
    std::vector<PlannedCell> cells = firstPlan(1).cells;
    cells.push_back(fakeCell("fake:slow:40", 1, "int8wo"));
    cells.back().referenceId = cells.front().id;
    const Plan plan = fakePlan(std::move(cells), 1);
    const Plan addition = settleAddition(plan, {{plan.cells[1].id}, {plan.cells[0].id}, 2});
    {
        RecordingObserver observer;
        RunSession session(plan, options(), observer);
        session.wait();
        ASSERT_EQ(observer.rows.size(), 3U);
    }
    {
        RecordingObserver observer;
        RunSession session(addition, options(true), observer);
        ASSERT_TRUE(observer.waitFor([](const auto& seen) { return !seen.rows.empty(); }));
        session.stopAfterCell();
        session.wait();
        ASSERT_TRUE(observer.status.ok()) << observer.status.error().message;
        EXPECT_EQ(observer.eventKinds().back(), EventKind::Stopped);
    }
    // What was asked for is not forgotten.
    RecordingObserver observer;
    RunSession session(Plan(), options(true), observer);
    session.wait();
    ASSERT_TRUE(observer.status.ok()) << observer.status.error().message;
    const RunData data = stored();
    EXPECT_EQ(data.plan.cells.size(), 3U);
    ASSERT_EQ(data.plan.looks.size(), 1U);
    EXPECT_EQ(data.plan.looks[0].rounds, (RoundSpan{1, 2}));
    EXPECT_EQ(data.measurements.size(), 7U);
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_EQ(analysis.cells[0].roundsOk, 3);
    EXPECT_EQ(analysis.cells[1].roundsOk, 3);
    EXPECT_EQ(analysis.cells[2].roundsOk, 1);
    ASSERT_TRUE(analysis.cells[1].claim);
    EXPECT_EQ(analysis.cells[1].claim->look, 1);
    for (const Measurement& row : data.measurements) {
        const bool stores = std::any_of(row.result.outputs.begin(), row.result.outputs.end(),
                                        [](const auto& output) { return !output.file.empty(); });
        EXPECT_EQ(stores, row.round == 0) << "outputs are there already";
    }
}

TEST_F(RunGrowth, LeavesANoteOfWhatCannotBeAppended)
{
    Plan other = additionPlan(1);
    other.preset.pictures.count = 1;
    RecordingObserver observer;
    RunSession session(firstPlan(2), options(), observer);
    EXPECT_TRUE(session.append(other));
    session.wait();
    EXPECT_TRUE(observer.status.ok());
    EXPECT_EQ(observer.rows.size(), 4U);
    EXPECT_THAT(observer.eventCodes(), Contains(NoteCode::AppendRefused));
    EXPECT_THAT(observer.eventKinds(), Not(Contains(EventKind::Appended)));
}

TEST_F(RunGrowth, FailsIfAFinishedRunCannotTakeThem)
{
    {
        RecordingObserver observer;
        RunSession session(firstPlan(1), options(), observer);
        session.wait();
    }
    RecordingObserver observer;
    RunSession session(firstPlan(1), options(true), observer);
    session.wait();
    ASSERT_FALSE(observer.status.ok());
    EXPECT_THAT(observer.status.error().message, HasSubstr("already in this run"));
    EXPECT_EQ(stored().plan.cells.size(), 2U);
    EXPECT_EQ(stored().measurements.size(), 2U);
}

TEST_F(RunGrowth, APausedRunTakesCellsToo)
{
    RecordingObserver observer;
    RunSession session(firstPlan(1), options(), observer);
    session.pause(true);
    ASSERT_TRUE(observer.waitFor([](const auto& seen) {
        return !seen.progress.empty() && seen.progress.back().phase == Phase::Paused;
    }));
    EXPECT_TRUE(session.append(additionPlan(1)));
    EXPECT_TRUE(observer.waitFor([](const auto& seen) { return !seen.grown.empty(); }));
    session.pause(false);
    session.wait();
    EXPECT_EQ(observer.rows.size(), 4U);
}

TEST_F(RunGrowth, BringsACellForwardAndSaysSo)
{
    std::vector<PlannedCell> cells;
    for (const std::int64_t batch : {1, 2, 3, 4, 5})
        cells.push_back(fakeCell("fake:slow:40", batch));
    const Plan plan = fakePlan(std::move(cells), 1);
    const std::vector<std::size_t> order = roundOrder(plan, 0);
    RecordingObserver observer;
    RunSession session(plan, options(), observer);
    session.pause(true);
    ASSERT_TRUE(observer.waitFor([](const auto& seen) { return seen.plannedCalls == 1; }));
    session.pause(false);
    ASSERT_TRUE(observer.waitFor([](const auto& seen) { return !seen.rows.empty(); }));
    const std::string last = plan.cells[order.back()].id;
    session.bringForward(last);
    session.bringForward("no such cell");
    session.bringForward(plan.cells[order.front()].id);
    session.wait();
    ASSERT_EQ(observer.rows.size(), 5U);
    EXPECT_NE(observer.rows.back().cellId, last);
    EXPECT_THAT(observer.eventCodes(), Contains(NoteCode::BroughtForward));
    EXPECT_THAT(observer.eventCodes(), Contains(NoteCode::NothingToBringForward));
}

}  // namespace
