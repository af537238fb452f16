#include "core/run/scheduler.h"
#include "tests/run/fake_plan.h"

#include <gmock/gmock.h>

#include <random>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::ElementsAre;
using testing::IsEmpty;
using Key = std::pair<std::size_t, int>;  // cell, round

// What a run did, command by command, with rows as a journal would hold them.
struct Course {
    std::vector<Measurement> rows;
    std::vector<StartCell> starts;
    std::vector<SkipCell> skips;
    std::vector<BeginRound> rounds;
    bool complete = false;
};

// One of those that give a row this status; nothing if it is ok.
std::optional<Failure> failureOf(CellStatus status)
{
    for (const FailureKind kind : kFailureKinds.values()) {
        if (statusOf(kind) == status)
            return Failure{.kind = kind};
    }
    return std::nullopt;
}

Measurement rowOf(const Plan& plan, std::size_t cell, int round, int attempt, CellStatus status)
{
    Measurement row;
    row.cellId = plan.cells[cell].id;
    row.environmentId = "here";
    row.round = round;
    row.attempt = attempt;
    row.config = plan.cells[cell].config;
    row.failure = failureOf(status);
    return row;
}

using Fate = std::function<CellStatus(const StartCell&)>;

CellStatus alwaysOk(const StartCell&)
{
    return CellStatus::Ok;
}

// Lets the scheduler go on until it has finished, or stops it before command number `limit`.
Course drive(Scheduler& scheduler, const Plan& plan, const Fate& fate, int limit = 100'000)
{
    Course course;
    for (int i = 0; i < limit; ++i) {
        const SchedulerCommand command = scheduler.next();
        if (const auto* start = std::get_if<StartCell>(&command)) {
            const CellStatus status = fate(*start);
            course.starts.push_back(*start);
            course.rows.push_back(rowOf(plan, start->cell, start->round, start->attempt, status));
            scheduler.finished(start->cell, start->round, status);
        } else if (const auto* skip = std::get_if<SkipCell>(&command)) {
            course.skips.push_back(*skip);
            course.rows.push_back(
                rowOf(plan, skip->cell, skip->round, skip->attempt, CellStatus::Skipped));
            course.rows.back().failure = skip->why;
        } else if (const auto* round = std::get_if<BeginRound>(&command)) {
            course.rounds.push_back(*round);
        } else if (const auto* finish = std::get_if<Finish>(&command)) {
            course.complete = finish->complete;
            return course;
        } else {
            ADD_FAILURE() << "the scheduler waits although nobody paused it";
            return course;
        }
    }
    scheduler.stop();
    return course;
}

Course driveAll(const Plan& plan, const Fate& fate = alwaysOk,
                const std::vector<Measurement>& existing = {}, bool retryFailed = false)
{
    Scheduler scheduler(plan, existing, retryFailed);
    return drive(scheduler, plan, fate);
}

Plan planOf(int cells, int rounds)
{
    std::vector<PlannedCell> planned;
    for (int i = 0; i < cells; ++i)
        planned.push_back(fakeCell("fake:ok", 1, i == 0 ? "bf16" : "int8dq"));
    for (int i = 0; i < cells; ++i) {
        planned[static_cast<std::size_t>(i)].config.seed = i;
        planned[static_cast<std::size_t>(i)].id = "cell" + std::to_string(i);
    }
    return fakePlan(std::move(planned), rounds);
}

// Batches 1, 2, 4, 8 of int8dq, and batch 8 of bf16.
Plan planOfBatches(int rounds)
{
    std::vector<PlannedCell> cells;
    for (const int batch : {1, 2, 4, 8})
        cells.push_back(fakeCell("fake:ok", batch, "int8dq"));
    cells.push_back(fakeCell("fake:ok", 8, "bf16"));
    return fakePlan(std::move(cells), rounds);
}

std::vector<std::size_t> cellsOfRound(const Course& course, int round)
{
    std::vector<std::size_t> cells;
    for (const StartCell& start : course.starts) {
        if (start.round == round)
            cells.push_back(start.cell);
    }
    return cells;
}

int startsOf(const Course& course, std::size_t cell)
{
    return static_cast<int>(
        std::count_if(course.starts.begin(), course.starts.end(),
                      [&](const StartCell& start) { return start.cell == cell; }));
}

TEST(Scheduler, RunsEachRoundInItsOwnOrder)
{
    const Plan plan = planOf(7, 3);
    const Course course = driveAll(plan);
    EXPECT_TRUE(course.complete);
    ASSERT_EQ(course.rounds.size(), 3U);
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(course.rounds[static_cast<std::size_t>(round)].round, round);
        EXPECT_EQ(course.rounds[static_cast<std::size_t>(round)].order, roundOrder(plan, round));
        EXPECT_EQ(cellsOfRound(course, round), roundOrder(plan, round));
    }
    EXPECT_NE(cellsOfRound(course, 0), cellsOfRound(course, 1));
    for (const StartCell& start : course.starts) {
        EXPECT_EQ(start.attempt, 0) << "an attempt is counted within its round";
        EXPECT_FALSE(start.keepWorker);
    }
}

TEST(Scheduler, AnnouncesARoundBeforeItsFirstCell)
{
    const Plan plan = planOf(2, 1);
    Scheduler scheduler(plan, {}, false);
    EXPECT_TRUE(std::holds_alternative<BeginRound>(scheduler.next()));
    EXPECT_TRUE(std::holds_alternative<StartCell>(scheduler.next()));
}

TEST(Scheduler, NeverStartsImpossibleCells)
{
    Plan plan = planOf(4, 2);
    plan.cells[2].impossible = remark("fp8 needs compute capability 8.9");
    const Course course = driveAll(plan);
    EXPECT_TRUE(course.complete);
    EXPECT_EQ(startsOf(course, 2), 0);
    EXPECT_THAT(course.skips, IsEmpty());
    EXPECT_EQ(course.starts.size(), 6U);
}

TEST(Scheduler, FinishesAPlanWithoutAnyPossibleCell)
{
    Plan plan = planOf(1, 2);
    plan.cells[0].impossible = remark("no");
    const Course course = driveAll(plan);
    EXPECT_TRUE(course.complete);
    EXPECT_THAT(course.rounds, IsEmpty());
}

TEST(Scheduler, SkipsLargerBatchesOfTheFamilyThatRanOutOfMemory)
{
    const Plan plan = planOfBatches(3);
    const auto fate = [&](const StartCell& start) {
        const CellConfig& config = plan.cells[start.cell].config;
        return config.precision.front() == "int8dq" && config.batch >= 4 ? CellStatus::Oom
                                                                         : CellStatus::Ok;
    };
    const Course course = driveAll(plan, fate);
    EXPECT_TRUE(course.complete);
    EXPECT_EQ(startsOf(course, 0), 3);
    EXPECT_EQ(startsOf(course, 1), 3);
    EXPECT_EQ(startsOf(course, 2), 1) << "what ran out of memory is not tried in later rounds";
    EXPECT_EQ(startsOf(course, 4), 3) << "another precision is another family";
    // Whichever of batches 4 and 8 came first: the larger one is run at most once.
    EXPECT_EQ(startsOf(course, 3) + static_cast<int>(course.skips.size()), 1);
}

TEST(Scheduler, SkipsWhatIsLeftOfACompileMode)
{
    Plan plan = planOfBatches(2);
    plan.cells[1].config.compile = "cuda-graph";
    plan.cells[2].config.compile = "cuda-graph";
    Scheduler scheduler(plan, {rowOf(plan, 1, 0, 0, CellStatus::Ok)}, false);
    scheduler.skipCompileMode("cuda-graph");
    const Course course = drive(scheduler, plan, alwaysOk);
    ASSERT_EQ(course.skips.size(), 1U);
    EXPECT_EQ(course.skips[0].cell, 2U);
    EXPECT_EQ(course.skips[0].why,
              (Failure{.kind = FailureKind::ModeSkipped, .detail = "cuda-graph"}));
    EXPECT_EQ(statusOf(course.skips[0].why.kind), CellStatus::Skipped);
    EXPECT_EQ(startsOf(course, 1), 1) << "what has been measured is measured to its end";
}

TEST(Scheduler, ACellThatHangsInALaterRoundIsLeftAlone)
{
    Plan plan = planOf(2, 3);
    plan.cells[0].config.compile = "cuda-graph";
    Scheduler scheduler(plan, {}, false);
    int started = 0;
    for (int guard = 0; guard < 50; ++guard) {
        const SchedulerCommand command = scheduler.next();
        const auto* start = std::get_if<StartCell>(&command);
        if (const auto* skip = std::get_if<SkipCell>(&command)) {
            EXPECT_EQ(skip->cell, 0U);
            EXPECT_EQ(skip->round, 1);
            EXPECT_EQ(skip->why.kind, FailureKind::ModeSkipped);
        }
        if (std::holds_alternative<Finish>(command)) {
            EXPECT_TRUE(std::get<Finish>(command).complete);
            break;
        }
        if (start == nullptr)
            continue;
        started += start->cell == 0 ? 1 : 0;
        const bool hangs = start->cell == 0 && start->round == 1;
        scheduler.finished(start->cell, start->round,
                           hangs ? CellStatus::Cancelled : CellStatus::Ok);
        if (hangs)
            scheduler.skipCompileMode("cuda-graph");
    }
    EXPECT_EQ(started, 2) << "once well, once ended";
}

TEST(Scheduler, ACellThatWasReadyWhenItsModeIsSkippedGoesOn)
{
    Plan plan = planOf(1, 2);
    plan.cells[0].config.compile = "cuda-graph";
    Scheduler scheduler(plan, {}, false);
    static_cast<void>(scheduler.next());  // the round
    static_cast<void>(scheduler.next());
    scheduler.finished(0, 0, CellStatus::Ok);
    scheduler.skipCompileMode("cuda-graph");
    const Course course = drive(scheduler, plan, alwaysOk);
    EXPECT_EQ(startsOf(course, 0), 1);
    EXPECT_THAT(course.skips, IsEmpty());
}

TEST(Scheduler, BringsACellForwardInTheRoundThatGoesOn)
{
    const Plan plan = planOf(6, 2);
    const std::vector<std::size_t> order = roundOrder(plan, 0);
    Scheduler scheduler(plan, {}, false);
    EXPECT_FALSE(scheduler.bringForward(0)) << "no round has begun";
    static_cast<void>(scheduler.next());  // the round
    static_cast<void>(scheduler.next());  // its first cell
    scheduler.finished(order[0], 0, CellStatus::Ok);
    EXPECT_FALSE(scheduler.bringForward(order[0])) << "it has been measured";
    EXPECT_TRUE(scheduler.bringForward(order[4]));
    const Course course = drive(scheduler, plan, alwaysOk);
    EXPECT_TRUE(course.complete);
    EXPECT_THAT(cellsOfRound(course, 0),
                ElementsAre(order[4], order[1], order[2], order[3], order[5]));
    EXPECT_EQ(cellsOfRound(course, 1), roundOrder(plan, 1)) << "later rounds keep their order";
}

// Cells 0 and 1 are the run; then cell 2 is appended, and cell 0 is its baseline.
void grow(Plan& plan, PlannedCell cell)
{
    cell.rounds = {{plan.rounds(), 2}};
    plan.cells[0].rounds = {{0, plan.preset.rounds}, cell.rounds.front()};
    plan.cells.push_back(std::move(cell));
}

TEST(Scheduler, MeasuresAppendedCellsAfterTheRoundsOfBefore)
{
    Plan plan = planOf(2, 2);
    Scheduler scheduler(plan, {}, false);
    const Course before = drive(scheduler, plan, alwaysOk);
    EXPECT_TRUE(before.complete);
    PlannedCell more = fakeCell("fake:ok", 1, "int8wo");
    grow(plan, more);
    scheduler.planGrew();
    EXPECT_EQ(scheduler.rowsDone(), 4);
    EXPECT_EQ(scheduler.rowsExpected(), 8);
    const Course after = drive(scheduler, plan, alwaysOk);
    EXPECT_TRUE(after.complete);
    EXPECT_THAT(cellsOfRound(after, 2), testing::UnorderedElementsAre(0, 2));
    EXPECT_THAT(cellsOfRound(after, 3), testing::UnorderedElementsAre(0, 2));
    EXPECT_EQ(after.starts.size(), 4U);
}

TEST(Scheduler, AppendedCellsWaitForTheRunToFinishItsRounds)
{
    Plan plan = planOf(2, 2);
    Scheduler scheduler(plan, {}, false);
    static_cast<void>(scheduler.next());
    const SchedulerCommand first = scheduler.next();
    const auto* start = std::get_if<StartCell>(&first);
    ASSERT_NE(start, nullptr);
    grow(plan, fakeCell("fake:ok", 1, "int8wo"));
    scheduler.planGrew();
    scheduler.finished(start->cell, start->round, CellStatus::Ok);
    const Course course = drive(scheduler, plan, alwaysOk);
    EXPECT_TRUE(course.complete);
    EXPECT_EQ(startsOf(course, 2), 2);
    for (const StartCell& each : course.starts)
        EXPECT_TRUE(plan.hasRound(plan.cells[each.cell], each.round));
    EXPECT_GE(course.starts[course.starts.size() - 4].round, 2);
}

TEST(Scheduler, SkipsAppendedBatchesThatCannotFit)
{
    Plan plan = fakePlan({fakeCell("fake:ok", 1, "bf16"), fakeCell("fake:ok", 4, "int8dq")}, 1);
    Scheduler scheduler(plan, {}, false);
    const auto fate = [](const StartCell& start) {
        return start.cell == 1 ? CellStatus::Oom : CellStatus::Ok;
    };
    EXPECT_TRUE(drive(scheduler, plan, fate).complete);
    grow(plan, fakeCell("fake:ok", 8, "int8dq"));
    scheduler.planGrew();
    const Course course = drive(scheduler, plan, alwaysOk);
    EXPECT_TRUE(course.complete);
    ASSERT_EQ(course.skips.size(), 1U);
    EXPECT_EQ(course.skips[0].cell, 2U);
    EXPECT_EQ(course.skips[0].why,
              (Failure{.kind = FailureKind::SmallerBatchOutOfMemory, .amount = 4.0}));
}

TEST(Scheduler, NamesTheBatchInTheReasonOfTheSkip)
{
    const Plan plan = planOfBatches(2);
    Scheduler scheduler(plan, {rowOf(plan, 1, 0, 0, CellStatus::Oom)}, false);
    const Course course = drive(scheduler, plan, alwaysOk);
    ASSERT_EQ(course.skips.size(), 2U);
    for (const SkipCell& skip : course.skips) {
        EXPECT_TRUE(skip.cell == 2 || skip.cell == 3);
        EXPECT_EQ(skip.round, 0);
        EXPECT_EQ(skip.attempt, 0);
        EXPECT_EQ(skip.why, (Failure{.kind = FailureKind::SmallerBatchOutOfMemory, .amount = 2.0}));
    }
    EXPECT_EQ(startsOf(course, 0), 2) << "smaller batches go on";
    EXPECT_EQ(startsOf(course, 2), 0);
}

TEST(Scheduler, LeavesALargerBatchThatDidFitAlone)
{
    const Plan plan = planOfBatches(2);
    // In either order of the rows.
    for (const bool smallerFirst : {true, false}) {
        std::vector<Measurement> rows{rowOf(plan, 1, 0, 0, CellStatus::Oom),
                                      rowOf(plan, 2, 0, 0, CellStatus::Ok)};
        if (!smallerFirst)
            std::swap(rows[0], rows[1]);
        const Course course = driveAll(plan, alwaysOk, rows);
        EXPECT_EQ(startsOf(course, 2), 1);
        ASSERT_EQ(course.skips.size(), 1U);
        EXPECT_EQ(course.skips.front().cell, 3U);
    }
}

TEST(Scheduler, DoesNotRepeatFailuresInLaterRounds)
{
    for (const CellStatus status :
         {CellStatus::Oom, CellStatus::Timeout, CellStatus::Crashed, CellStatus::Failed,
          CellStatus::CompileError, CellStatus::Unsupported, CellStatus::NonFinite}) {
        const Plan plan = planOf(3, 4);
        const Course course = driveAll(plan, [&](const StartCell& start) {
            return start.cell == 1 ? status : CellStatus::Ok;
        });
        EXPECT_EQ(startsOf(course, 1), 1) << name(status);
        EXPECT_EQ(startsOf(course, 0), 4) << name(status);
        EXPECT_TRUE(course.complete) << name(status);
    }
}

TEST(Scheduler, IsNotCompleteWhileACellIsOnlyCancelled)
{
    const Plan plan = planOf(3, 2);
    const Course course = driveAll(plan, [](const StartCell& start) {
        return start.cell == 1 && start.round == 0 ? CellStatus::Cancelled : CellStatus::Ok;
    });
    EXPECT_FALSE(course.complete);
    EXPECT_EQ(startsOf(course, 1), 2) << "once in each round";

    const Course again = driveAll(plan, alwaysOk, course.rows);
    EXPECT_TRUE(again.complete);
    ASSERT_EQ(again.starts.size(), 1U);
    EXPECT_EQ(again.starts.front().cell, 1U);
    EXPECT_EQ(again.starts.front().round, 0);
    EXPECT_EQ(again.starts.front().attempt, 1);
    EXPECT_EQ(again.rounds.size(), 1U) << "a round without work is not announced";
}

TEST(Scheduler, ResumesWithNothingToDo)
{
    const Plan plan = planOf(3, 2);
    const Course again = driveAll(plan, alwaysOk, driveAll(plan).rows);
    EXPECT_TRUE(again.complete);
    EXPECT_THAT(again.starts, IsEmpty());
    EXPECT_THAT(again.rounds, IsEmpty());
}

TEST(Scheduler, IgnoresRowsOfCellsThatAreNotInThePlan)
{
    const Plan plan = planOf(2, 1);
    Measurement stranger = rowOf(plan, 0, 0, 0, CellStatus::Ok);
    stranger.cellId = "stranger";
    EXPECT_EQ(driveAll(plan, alwaysOk, {stranger}).starts.size(), 2U);
}

TEST(Scheduler, RetriesFailuresOnlyWhenAsked)
{
    const Plan plan = planOfBatches(2);
    const Course first = driveAll(plan, [&](const StartCell& start) {
        return plan.cells[start.cell].config.batch >= 2 ? CellStatus::Oom : CellStatus::Ok;
    });
    EXPECT_THAT(driveAll(plan, alwaysOk, first.rows).starts, IsEmpty());

    const Course retried = driveAll(plan, alwaysOk, first.rows, true);
    EXPECT_TRUE(retried.complete);
    EXPECT_EQ(startsOf(retried, 0), 0) << "what was ok is not repeated";
    for (const std::size_t cell : {1U, 2U, 3U, 4U})
        EXPECT_EQ(startsOf(retried, cell), 2) << cell;
    std::set<std::tuple<std::string, int, int>> keys;
    for (const auto& rows : {first.rows, retried.rows}) {
        for (const Measurement& row : rows)
            EXPECT_TRUE(keys.insert({row.cellId, row.round, row.attempt}).second)
                << "a retry never has the key of an earlier row";
    }
}

TEST(Scheduler, GoesOnAfterARetryThatMendedACell)
{
    const Plan plan = planOf(1, 3);
    const std::vector<Measurement> rows{rowOf(plan, 0, 0, 0, CellStatus::Crashed),
                                        rowOf(plan, 0, 0, 1, CellStatus::Ok)};
    const Course course = driveAll(plan, alwaysOk, rows);
    ASSERT_EQ(course.starts.size(), 2U);
    EXPECT_EQ(course.starts[0].round, 1);
    EXPECT_EQ(course.starts[1].round, 2);
    EXPECT_TRUE(course.complete);
}

TEST(Scheduler, WritesTheSkipAgainWithANewAttemptAfterARetry)
{
    const Plan plan = planOfBatches(1);
    const Fate oom = [&](const StartCell& start) {
        return plan.cells[start.cell].config.batch >= 2 ? CellStatus::Oom : CellStatus::Ok;
    };
    // Batch 2 first, so that batches 4 and 8 are skipped.
    std::vector<Measurement> rows{rowOf(plan, 1, 0, 0, CellStatus::Oom)};
    const Course first = driveAll(plan, oom, rows);
    ASSERT_EQ(first.skips.size(), 2U);
    rows.insert(rows.end(), first.rows.begin(), first.rows.end());
    const Course retried = driveAll(plan, oom, rows, true);
    for (const SkipCell& skip : retried.skips)
        EXPECT_EQ(skip.attempt, 1);
    for (const StartCell& start : retried.starts)
        EXPECT_EQ(start.attempt, 1);
    EXPECT_TRUE(retried.complete);
}

TEST(Scheduler, WaitsWhilePausedAndStopsEvenThen)
{
    const Plan plan = planOf(2, 1);
    Scheduler scheduler(plan, {}, false);
    scheduler.pause(true);
    EXPECT_TRUE(std::holds_alternative<Wait>(scheduler.next()));
    EXPECT_TRUE(std::holds_alternative<Wait>(scheduler.next()));
    scheduler.pause(false);
    EXPECT_TRUE(std::holds_alternative<BeginRound>(scheduler.next()));
    scheduler.pause(true);
    scheduler.stop();
    const SchedulerCommand command = scheduler.next();
    ASSERT_TRUE(std::holds_alternative<Finish>(command));
    EXPECT_FALSE(std::get<Finish>(command).complete);
}

// Two models of two batches each, which share weights.
Plan planOfModels(int rounds)
{
    Plan plan =
        fakePlan({fakeCell("fake:ok"), fakeCell("fake:slow:1"), fakeCell("fake:ok", 2),
                  fakeCell("fake:slow:1", 2), fakeCell("fake:ok", 4), fakeCell("fake:slow:1", 4)},
                 rounds);
    plan.preset.isolation = Isolation::Model;
    return plan;
}

TEST(Scheduler, KeepsTheWorkerForNeighboursWithTheSameWeights)
{
    const Plan plan = planOfModels(3);
    const Course course = driveAll(plan);
    ASSERT_EQ(course.starts.size(), 18U);
    int changes = 0;
    for (std::size_t i = 0; i < course.starts.size(); ++i) {
        const bool same = i > 0 && plan.cells[course.starts[i].cell].config.model ==
                                       plan.cells[course.starts[i - 1].cell].config.model;
        EXPECT_EQ(course.starts[i].keepWorker, same) << i;
        changes += same ? 0 : 1;
    }
    EXPECT_LE(changes, 6) << "cells that share weights are neighbours";
    for (int round = 0; round < 3; ++round)
        EXPECT_EQ(course.rounds[static_cast<std::size_t>(round)].order,
                  cellsOfRound(course, round));
}

TEST(Scheduler, ARerunHasAProcessOfItsOwn)
{
    Plan plan = planOfModels(2);
    plan.cells.resize(1);
    PlannedCell again = plan.cells.front();
    again.id = "again";
    again.rerun = 1;
    plan.cells.push_back(again);
    const std::vector<StartCell> starts = driveAll(plan).starts;
    ASSERT_EQ(starts.size(), 4U);
    for (std::size_t i = 1; i < starts.size(); ++i)
        EXPECT_EQ(starts[i].keepWorker, starts[i].cell == starts[i - 1].cell) << i;
}

TEST(Scheduler, KeepsNoWorkerWhoseWeightsDiffer)
{
    Plan plan = planOfModels(1);
    plan.cells.resize(1);
    for (const auto& change : std::vector<std::function<void(CellConfig&)>>{
             [](CellConfig& cell) { cell.seed = 43; },
             [](CellConfig& cell) { cell.layers = "mlp"; },
             [](CellConfig& cell) { cell.device = "cuda:0"; },
             [](CellConfig& cell) { cell.precision = {"int8dq"}; }}) {
        Plan two = plan;
        PlannedCell other = plan.cells.front();
        change(other.config);
        other.id = "other";
        two.cells.push_back(other);
        for (const StartCell& start : driveAll(two).starts)
            EXPECT_FALSE(start.keepWorker);
    }
}

TEST(Scheduler, KeepsNoWorkerThatFailed)
{
    const Plan plan = planOfModels(1);
    const Course course = driveAll(plan, [](const StartCell&) { return CellStatus::Crashed; });
    EXPECT_EQ(course.starts.size(), 6U);
    for (const StartCell& start : course.starts)
        EXPECT_FALSE(start.keepWorker);
}

TEST(Scheduler, CountsRows)
{
    Plan plan = planOfBatches(3);
    plan.cells[4].impossible = remark("no");
    Scheduler scheduler(plan, {}, false);
    EXPECT_EQ(scheduler.rowsDone(), 0);
    EXPECT_EQ(scheduler.rowsExpected(), 12);
    scheduler.finished(0, 0, CellStatus::Ok);
    EXPECT_EQ(scheduler.rowsDone(), 1);
    scheduler.finished(1, 0, CellStatus::Cancelled);
    EXPECT_EQ(scheduler.rowsDone(), 1);
    EXPECT_EQ(scheduler.rowsExpected(), 12);
    // Batch 4 leaves one row, batch 8 the row that says it was skipped.
    scheduler.finished(2, 0, CellStatus::Oom);
    EXPECT_EQ(scheduler.rowsDone(), 2);
    EXPECT_EQ(scheduler.rowsExpected(), 3 + 3 + 1 + 1);
    const Course course = drive(scheduler, plan, alwaysOk);
    EXPECT_EQ(course.skips.size(), 1U);
    EXPECT_EQ(scheduler.rowsDone(), scheduler.rowsExpected());
}

// Runs a plan in many sessions that are stopped or killed anywhere, with cells that meet a random
// but fixed fate, and some that are cancelled.
class RandomHistory
{
public:
    explicit RandomHistory(unsigned seed) : m_random(seed), m_plan(planOf(6, 3))
    {
        for (std::size_t i = 0; i < m_plan.cells.size(); ++i) {
            m_plan.cells[i].config.seed = 42;
            m_plan.cells[i].config.batch = std::int64_t{1} << i % 3;
            if (upTo(8) == 0)
                m_plan.cells[i].impossible = remark("no");
            m_fates.push_back(upTo(3) == 0 ? kFailures[upTo(kFailures.size())] : CellStatus::Ok);
        }
    }

    void run()
    {
        for (int session = 0; session < 200 && !m_complete; ++session) {
            Scheduler scheduler(m_plan, m_rows, false);
            const int limit = static_cast<int>(1 + upTo(6));
            const Course course = drive(
                scheduler, m_plan,
                [&](const StartCell& start) {
                    return upTo(10) == 0 ? CellStatus::Cancelled : m_fates[start.cell];
                },
                limit);
            m_rows.insert(m_rows.end(), course.rows.begin(), course.rows.end());
            // The program dies before the last row is written.
            if (upTo(4) == 0 && !course.rows.empty())
                m_rows.pop_back();
            else
                m_complete = course.complete;
        }
    }

    void check() const
    {
        EXPECT_TRUE(m_complete);
        std::set<Key> settled;
        std::set<std::tuple<std::string, int, int>> keys;
        for (const Measurement& row : m_rows) {
            EXPECT_TRUE(keys.insert({row.cellId, row.round, row.attempt}).second);
            if (row.status() == CellStatus::Cancelled)
                continue;
            EXPECT_TRUE(settled.insert({indexOf(row.cellId), row.round}).second)
                << "cell " << row.cellId << " was measured twice in round " << row.round;
        }
        for (std::size_t cell = 0; cell < m_plan.cells.size(); ++cell)
            checkCell(cell, settled);
    }

private:
    static constexpr std::array kFailures{CellStatus::Oom, CellStatus::Timeout, CellStatus::Crashed,
                                          CellStatus::Failed, CellStatus::NonFinite};

    std::size_t upTo(std::size_t bound)
    {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(m_random);
    }
    std::size_t indexOf(const std::string& id) const
    {
        for (std::size_t i = 0; i < m_plan.cells.size(); ++i) {
            if (m_plan.cells[i].id == id)
                return i;
        }
        return m_plan.cells.size();
    }
    // Ok cells have all rounds, failed and skipped ones exactly one, impossible ones none.
    void checkCell(std::size_t cell, const std::set<Key>& settled) const
    {
        const auto rounds = std::count_if(settled.begin(), settled.end(),
                                          [&](const Key& key) { return key.first == cell; });
        const bool skipped = std::any_of(m_rows.begin(), m_rows.end(), [&](const Measurement& row) {
            return row.cellId == m_plan.cells[cell].id && row.status() == CellStatus::Skipped;
        });
        const bool all = m_fates[cell] == CellStatus::Ok && !skipped;
        const int expected = !m_plan.cells[cell].possible() ? 0 : all ? 3 : 1;
        EXPECT_EQ(rounds, expected) << "cell " << cell;
    }

    std::mt19937 m_random;
    Plan m_plan;
    std::vector<CellStatus> m_fates;
    std::vector<Measurement> m_rows;
    bool m_complete = false;
};

TEST(Scheduler, LosesAndRepeatsNothingOverRandomHistories)
{
    for (unsigned seed = 0; seed < 500; ++seed) {
        SCOPED_TRACE(seed);
        RandomHistory history(seed);
        history.run();
        history.check();
        if (HasFailure())
            return;
    }
}

}  // namespace
