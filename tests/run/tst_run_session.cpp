#include "core/run/run_session.h"

#include "core/base/npy.h"
#include "core/protocol/messages.h"
#include "core/record/journal/journal.h"
#include "core/record/output_places.h"
#include "core/record/run_folder.h"
#include "core/record/run_records.h"
#include "core/report/report.h"
#include "core/run/live_samples.h"
#include "tests/run/run_session_fixture.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <map>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// What identifies a row and what came out, for comparing lists of rows.
std::vector<std::string> keysOf(const std::vector<Measurement>& rows)
{
    std::vector<std::string> keys;
    for (const Measurement& row : rows)
        keys.push_back(row.cellId + " " + std::to_string(row.round) + " " +
                       std::to_string(row.attempt) + " " + std::string(name(row.status())) + " " +
                       std::string(row.failure ? kFailureKinds.of(row.failure->kind) : "") + " " +
                       std::to_string(row.result.hostSeconds.size()));
    return keys;
}

Plan sixCells(int rounds)
{
    Plan plan = fakePlan({fakeCell("fake:ok"), fakeCell("fake:crash"), fakeCell("fake:hang"),
                          fakeCell("fake:oom-from:2", 2), fakeCell("fake:oom-from:2", 1),
                          fakeCell("fake:nan")},
                         rounds);
    // Long enough for the cells that do not hang, however busy the machine is.
    plan.preset.measurement.phaseLimitSeconds[Phase::Measure] = 2.0;
    return plan;
}

TEST_F(RunSessionTest, WarnsOfAMachineThatIsNotQuiet)
{
    const auto system = m_folder / "system";
    ASSERT_TRUE(createFolders(system / "proc/self").ok());
    writeFile(system / "proc/self/status", "Cpus_allowed_list:\t0-1\n");
    writeFile(system / "proc/loadavg", "1.96 1 1 1/300 42\n");
    RecordingObserver observer;
    run(fakePlan({fakeCell("fake:ok")}), observer);
    const RunData data = stored();
    ASSERT_GE(data.events.size(), 2U);
    EXPECT_EQ(data.events[1].kind, EventKind::Warning);
    EXPECT_EQ(data.events[1].notes, (std::vector<Note>{{NoteCode::CoresBusy, {1.96, 2.0}}}));
    EXPECT_THAT(summaryMarkdown(data, analyse(data, "best-bf16")), HasSubstr("**Warning**"));

    // A processor that only feeds a GPU does not disturb what the GPU measures.
    Plan onGpu = fakePlan({fakeCell("fake:ok")});
    onGpu.cells.front().config.device = "cuda:0";
    RunOptions options = fakeOptions(m_folder / "gpu");
    options.systemRoot = system;
    RecordingObserver other;
    run(std::move(onGpu), other, options);
    EXPECT_THAT(other.eventKinds(), Not(Contains(EventKind::Warning)));
}

TEST_F(RunSessionTest, AQuietMachineIsNotWarnedOf)
{
    RecordingObserver observer;
    run(fakePlan({fakeCell("fake:ok")}), observer);
    EXPECT_THAT(observer.eventKinds(), Not(Contains(EventKind::Warning)));
}

TEST_F(RunSessionTest, GoesOnToTheEndWhateverCellsDo)
{
    RecordingObserver observer;
    run(sixCells(2), observer);
    ASSERT_TRUE(observer.status.ok()) << observer.status.error().message;
    EXPECT_EQ(observer.plannedCalls, 1);
    EXPECT_EQ(statuses(observer.rows),
              (std::map<std::string, CellStatus>{{"fake:ok@1", CellStatus::Ok},
                                                 {"fake:crash@1", CellStatus::Crashed},
                                                 {"fake:hang@1", CellStatus::Timeout},
                                                 {"fake:oom-from:2@1", CellStatus::Ok},
                                                 {"fake:oom-from:2@2", CellStatus::Oom},
                                                 {"fake:nan@1", CellStatus::NonFinite}}));
    EXPECT_EQ(observer.rows.size(), 8U) << "two ok cells twice, four failures once";
    EXPECT_EQ(keysOf(stored().measurements), keysOf(observer.rows));
    EXPECT_EQ(observer.eventKinds().front(), EventKind::Started);
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Complete);
    for (const Measurement& row : observer.rows) {
        EXPECT_EQ(row.environmentId, stored().environments.front().id());
        EXPECT_THAT(row.startedAt, testing::MatchesRegex("....-..-..T..:..:..Z"));
        EXPECT_GT(row.durationSeconds, 0.0);
        if (row.status() == CellStatus::Crashed) {
            EXPECT_EQ(row.logTail, "Fatal error: about to abort\n");
        }
    }
    EXPECT_THAT(readFile(m_folder / "run" / "log.txt"), HasSubstr("about to abort"));
}

TEST_F(RunSessionTest, TellsProgress)
{
    RecordingObserver observer;
    run(fakePlan({fakeCell("fake:ok"), fakeCell("fake:slow:60")}, 2), observer);
    ASSERT_FALSE(observer.progress.empty());
    EXPECT_EQ(observer.progress.back().done, 4);
    EXPECT_EQ(observer.progress.back().total, 4);
    int done = 0;
    std::set<Phase> phases;
    for (const RunProgress& progress : observer.progress) {
        EXPECT_GE(progress.done, done);
        EXPECT_LE(progress.done, progress.total);
        EXPECT_GE(progress.remainingSeconds, 0.0);
        done = progress.done;
        phases.insert(progress.phase);
    }
    EXPECT_THAT(phases, Contains(Phase::Load));
    EXPECT_THAT(phases, Contains(Phase::Measure));
}

// One sees what is measured while it is, and never the samples of another cell.
TEST_F(RunSessionTest, TellsSamplesWhileTheyAreMeasured)
{
    RecordingObserver observer;
    run(fakePlan({fakeCell("fake:slow:300")}, 2), observer);
    std::size_t most = 0;
    int round = 0;
    for (const RunProgress& progress : observer.progress) {
        if (progress.cellId.empty() || progress.round != round) {
            EXPECT_LE(progress.samples.size(), 2U) << "of the cell before";
        }
        round = progress.round;
        most = std::max(most, progress.samples.size());
        if (!progress.samples.empty()) {
            EXPECT_EQ(progress.samples.back(), 0.5);
        }
    }
    EXPECT_GT(most, 2U);
    EXPECT_LE(most, kMostLiveSamples);
}

TEST(LiveSamples, AreTheNewestOfTheLastPhase)
{
    LiveSamples live;
    live.add(Phase::Warmup, {3.0, 2.0});
    EXPECT_THAT(live.newest(), testing::ElementsAre(3.0, 2.0));
    live.add(Phase::Measure, {1.0});
    live.add(Phase::Measure, std::vector<double>(kMostLiveSamples - 2, 0.5));
    live.add(Phase::Measure, {0.25, 0.125});
    EXPECT_EQ(live.newest().size(), kMostLiveSamples);
    EXPECT_EQ(live.newest().front(), 0.5) << "the oldest is gone, the warm-up with it";
    EXPECT_EQ(live.newest().back(), 0.125);
}

// "cell|reference|picture" of each comparison.
std::multiset<std::string> comparisonsOf(const std::vector<OutputQuality>& qualities)
{
    std::multiset<std::string> found;
    for (const OutputQuality& quality : qualities)
        found.insert(quality.cellId + "|" + quality.referenceId + "|" +
                     std::to_string(quality.sample));
    return found;
}

// What comparedPlan() must lead to: three cells against the input, two against the reference.
std::multiset<std::string> expectedComparisons()
{
    const Plan plan = comparedPlan();
    std::multiset<std::string> expected;
    for (const std::size_t cell : {0U, 1U, 2U}) {
        for (const char* picture : {"|0", "|1"}) {
            expected.insert(plan.cells[cell].id + "|input" + picture);
            if (cell > 0)
                expected.insert(plan.cells[cell].id + "|" + plan.cells[0].id + picture);
        }
    }
    return expected;
}

TEST_F(RunSessionTest, ComparesStoredOutputs)
{
    RecordingObserver observer;
    run(comparedPlan(), observer);
    EXPECT_EQ(comparisonsOf(observer.qualities), expectedComparisons());
    EXPECT_EQ(comparisonsOf(stored().qualities), expectedComparisons());
    for (const OutputQuality& quality : observer.qualities) {
        const bool same = quality.cellId == comparedPlan().cells[0].id;
        EXPECT_EQ(quality.find("ssim") == 1.0, same) << "the fake bf16 output is the input";
        EXPECT_EQ(quality.find("psnr").has_value(), !same);
    }
    const std::filesystem::path run = m_folder / "run";
    for (const PlannedCell& cell : comparedPlan().cells) {
        const bool kept = cell.config.model != "fake:nan";
        EXPECT_EQ(std::filesystem::exists(outputPicture(run, cell.id, 1).path()), kept);
    }
}

TEST_F(RunSessionTest, KeepsOutputsOfTheFirstRoundOnly)
{
    RecordingObserver observer;
    run(fakePlan({fakeCell("fake:ok")}, 3), observer);
    ASSERT_EQ(observer.rows.size(), 3U);
    for (const Measurement& row : observer.rows) {
        ASSERT_EQ(row.result.outputs.size(), 2U);
        EXPECT_EQ(row.result.outputs[0].file.empty(), row.round > 0);
        EXPECT_EQ(row.result.outputs[0].sha256, observer.rows[0].result.outputs[0].sha256);
    }
}

TEST_F(RunSessionTest, CountsACellWithoutItsOutputsAsFailed)
{
    RecordingObserver observer;
    run(fakePlan({fakeCell("fake:lost-output"), fakeCell("fake:ok")}), observer);
    EXPECT_TRUE(observer.status.ok());
    EXPECT_EQ(statuses(observer.rows)["fake:lost-output@1"], CellStatus::Failed);
    EXPECT_EQ(statuses(observer.rows)["fake:ok@1"], CellStatus::Ok);
}

// Leaves one output of the last comparison, as of a session that was stopped within it.
void cutLastComparison(const std::filesystem::path& run)
{
    const auto content = readJournal(run / "journal.jsonl");
    ASSERT_TRUE(content.ok());
    std::filesystem::remove(run / "journal.jsonl");
    auto journal = Journal::open(run / "journal.jsonl");
    ASSERT_TRUE(journal.ok());
    std::vector<Json> records = content.value().records;
    const auto last = std::find_if(records.rbegin(), records.rend(), [](const Json& record) {
        return record.at("type") == "quality";
    });
    ASSERT_NE(last, records.rend());
    std::vector<OutputQuality> outputs = outputQualitiesFromJson(*last).value();
    ASSERT_GT(outputs.size(), 1U);
    outputs.resize(1);
    *last = qualityRecord(outputs);
    for (const Json& record : records)
        ASSERT_TRUE(journal.value().append(record).ok());
}

TEST_F(RunSessionTest, MakesUpForComparisonsThatAKilledSessionDidNotMake)
{
    {
        RecordingObserver observer;
        run(comparedPlan(), observer);
    }
    // Also when it ended between two pictures of the same cell.
    for (const auto& [kept, isCut] :
         {std::pair{0U, false}, std::pair{1U, false}, std::pair{1U, true}, std::pair{3U, true}}) {
        forgetComparisons(m_folder / "run", kept);
        if (isCut)
            cutLastComparison(m_folder / "run");
        const std::size_t left = stored().qualities.size();
        RecordingObserver observer;
        resume(observer);
        EXPECT_EQ(observer.qualities.size(), expectedComparisons().size() - left);
        EXPECT_THAT(observer.rows, IsEmpty());
        EXPECT_EQ(comparisonsOf(stored().qualities), expectedComparisons());
    }
}

const std::string kElsewhere(64, 'e');

// Turns all that a run has measured and compared into that of another computer; comparisons of
// before had no environment.
void moveElsewhere(const std::filesystem::path& run)
{
    const auto content = readJournal(run / "journal.jsonl");
    ASSERT_TRUE(content.ok());
    std::filesystem::remove(run / "journal.jsonl");
    auto journal = Journal::open(run / "journal.jsonl");
    ASSERT_TRUE(journal.ok());
    for (Json record : content.value().records) {
        if (record.at("type") == "quality" || record.at("type") == "row")
            record["environment"] = kElsewhere;
        ASSERT_TRUE(journal.value().append(record).ok());
    }
}

TEST_F(RunSessionTest, MeasuresAgainWhatWasMeasuredElsewhere)
{
    {
        RecordingObserver observer;
        run(fakePlan({fakeCell("fake:ok"), fakeCell("fake:crash")}, 2), observer);
    }
    moveElsewhere(m_folder / "run");
    RecordingObserver observer;
    resume(observer);
    EXPECT_TRUE(observer.status.ok()) << observer.status.error().message;
    EXPECT_EQ(observer.rows.size(), 3U) << "as often as the first time";
    EXPECT_EQ(stored().measurements.size(), 6U) << "nothing is lost";
    const auto isEarlier = [](const RunEvent& event) {
        return event.notes == std::vector<Note>{{NoteCode::EarlierEnvironments, {3.0}}};
    };
    EXPECT_TRUE(std::any_of(observer.events.begin(), observer.events.end(), isEarlier));
}

TEST_F(RunSessionTest, EachEnvironmentKeepsOutputsAndComparisonsOfItsOwn)
{
    {
        RecordingObserver observer;
        run(comparedPlan(), observer);
    }
    const std::filesystem::path run = m_folder / "run";
    moveElsewhere(run);
    const std::string cell = comparedPlan().cells[1].id;
    // Compared already: nobody reads it again, and nobody may write it.
    writeFile(outputArray(run, cell, 0).path(), "of the first machine");
    writeFile(outputPicture(run, cell, 0).path(), "its picture");
    RecordingObserver observer;
    resume(observer);
    EXPECT_TRUE(observer.status.ok()) << observer.status.error().message;
    EXPECT_EQ(comparisonsOf(observer.qualities), expectedComparisons());
    const RunData data = stored();
    EXPECT_EQ(data.qualities.size(), 2 * expectedComparisons().size()) << "nothing is lost";
    EXPECT_EQ(readFile(outputArray(run, cell, 0).path()), "of the first machine");
    EXPECT_EQ(readFile(outputPicture(run, cell, 0).path()), "its picture");
    const std::string here = observer.rows.front().environmentId;
    for (const OutputQuality& quality : observer.qualities)
        EXPECT_EQ(quality.environmentId, here);
    const OutputPlaces places(data.measurements);
    EXPECT_THAT(places.environments(cell), ElementsAre(kElsewhere, here));
    EXPECT_EQ(places.subfolder(cell, here), here.substr(0, 12));
    EXPECT_EQ(places.pictures(cell, here), 2);
    const std::string place = outputPlace(cell, places.subfolder(cell, here));
    EXPECT_TRUE(std::filesystem::exists(outputPicture(run, place, 1).path()));
    EXPECT_TRUE(readNpy(outputArray(run, place, 0)).ok());

    RecordingObserver again;
    resume(again);
    EXPECT_THAT(again.rows, IsEmpty());
    EXPECT_THAT(again.qualities, IsEmpty());
}

// A session that was killed elsewhere left pictures that nobody has compared: they are compared
// with each other here, and stay those of the other machine.
TEST_F(RunSessionTest, MakesUpForComparisonsOfAnotherEnvironment)
{
    {
        RecordingObserver observer;
        run(comparedPlan(), observer);
    }
    forgetComparisons(m_folder / "run", 0);
    moveElsewhere(m_folder / "run");
    RecordingObserver observer;
    resume(observer);
    const auto elsewhere =
        std::count_if(observer.qualities.begin(), observer.qualities.end(),
                      [](const auto& quality) { return quality.environmentId == kElsewhere; });
    EXPECT_EQ(static_cast<std::size_t>(elsewhere), expectedComparisons().size());
    EXPECT_EQ(observer.qualities.size(), 2 * expectedComparisons().size());
}

TEST_F(RunSessionTest, StopsAfterTheRunningCell)
{
    RecordingObserver observer;
    const Plan plan = fakePlan({fakeCell("fake:slow:60"), fakeCell("fake:slow:80")}, 3);
    RunSession* running = nullptr;
    std::mutex made;
    observer.onProgress = [&](const RunProgress& progress) {
        const std::lock_guard lock(made);
        if (progress.phase == Phase::Measure)
            running->stopAfterCell();
    };
    made.lock();
    RunSession session(plan, options(), observer);
    running = &session;
    made.unlock();
    finish(session, observer);
    EXPECT_TRUE(observer.status.ok());
    ASSERT_EQ(observer.rows.size(), 1U);
    EXPECT_TRUE(observer.rows.front().ok());
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Stopped);

    RecordingObserver rest;
    resume(rest);
    EXPECT_EQ(rest.rows.size(), 5U);
    EXPECT_EQ(rest.eventKinds().back(), EventKind::Complete);
}

TEST_F(RunSessionTest, StopsAtOnceAndRepeatsTheCellLater)
{
    Plan plan = fakePlan({fakeCell("fake:hang")}, 1);
    {
        RecordingObserver observer;
        RunSession session(plan, options(), observer);
        ASSERT_TRUE(observer.waitFor([](const RecordingObserver& seen) {
            return !seen.progress.empty() && seen.progress.back().phase == Phase::Measure;
        }));
        session.stopNow();
        finish(session, observer);
        ASSERT_EQ(observer.rows.size(), 1U);
        EXPECT_EQ(observer.rows.front().status(), CellStatus::Cancelled);
        EXPECT_EQ(observer.eventKinds().back(), EventKind::Stopped);
    }
    RecordingObserver again;
    RunSession session(Plan(), options(true), again);
    ASSERT_TRUE(again.waitFor([](const RecordingObserver& seen) {
        return !seen.progress.empty() && seen.progress.back().phase == Phase::Measure;
    }));
    session.skipCell();
    finish(session, again);
    ASSERT_EQ(again.rows.size(), 1U);
    EXPECT_EQ(again.rows.front().attempt, 1);
    ASSERT_TRUE(again.rows.front().failure.has_value());
    EXPECT_EQ(again.rows.front().failure->kind, FailureKind::SkippedByHand);
    EXPECT_EQ(again.eventKinds().back(), EventKind::Stopped) << "a skipped cell is not measured";
}

TEST_F(RunSessionTest, IsStoppedByItsDestructor)
{
    Plan plan = fakePlan({fakeCell("fake:hang")}, 1);
    RecordingObserver observer;
    {
        const RunSession session(plan, options(), observer);
        ASSERT_TRUE(observer.waitFor([](const RecordingObserver& seen) {
            return !seen.progress.empty() && seen.progress.back().phase == Phase::Measure;
        }));
    }
    EXPECT_EQ(observer.finishedCalls, 1);
    EXPECT_THAT(childProcesses(), IsEmpty());
}

TEST_F(RunSessionTest, PausesBetweenCellsAndGoesOn)
{
    RecordingObserver observer;
    const Plan plan = fakePlan({fakeCell("fake:ok"), fakeCell("fake:slow:20")}, 2);
    RunSession session(plan, options(), observer);
    session.pause(true);
    ASSERT_TRUE(observer.waitFor([](const RecordingObserver& seen) {
        return !seen.progress.empty() && seen.progress.back().phase == Phase::Paused;
    }));
    EXPECT_TRUE(observer.progress.back().paused);
    // Not before: a cell that has begun is measured to its end.
    for (const RunProgress& each : observer.progress)
        EXPECT_EQ(each.paused, each.phase == Phase::Paused);
    EXPECT_TRUE(session.running());
    EXPECT_LT(observer.rows.size(), 4U);
    session.pause(false);
    finish(session, observer);
    EXPECT_EQ(observer.rows.size(), 4U);
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Complete);
}

TEST_F(RunSessionTest, CanBeStoppedWhilePaused)
{
    RecordingObserver observer;
    RunSession session(fakePlan({fakeCell("fake:slow:40")}, 50), options(), observer);
    session.pause(true);
    ASSERT_TRUE(observer.waitFor([](const RecordingObserver& seen) {
        return !seen.progress.empty() && seen.progress.back().phase == Phase::Paused;
    }));
    session.stopAfterCell();
    finish(session, observer);
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Stopped);
}

TEST_F(RunSessionTest, SkipsACompileModeWithTheRunningCell)
{
    Plan plan = fakePlan({fakeCell("fake:hang"), fakeCell("fake:hang", 2), fakeCell("fake:ok")}, 1);
    plan.cells[0].config.compile = plan.cells[1].config.compile = "cuda-graph";
    RecordingObserver observer;
    RunSession* running = nullptr;
    std::mutex made;
    observer.onProgress = [&](const RunProgress& progress) {
        const std::lock_guard lock(made);
        EXPECT_GE(progress.phaseSeconds, 0.0);
        const PlannedCell* cell = plan.find(progress.cellId);
        if (cell != nullptr && cell->config.compile == "cuda-graph" &&
            progress.phase != Phase::Start)
            running->skipCompileMode();
    };
    made.lock();
    RunSession session(plan, options(), observer);
    running = &session;
    made.unlock();
    finish(session, observer);
    ASSERT_EQ(observer.rows.size(), 4U) << "the one that was ended has a row for that as well";
    int skipped = 0;
    for (const Measurement& row : observer.rows) {
        if (row.config.compile == "none")
            EXPECT_TRUE(row.ok());
        else
            EXPECT_FALSE(row.ok());
        skipped += row.failure == Failure{.kind = FailureKind::ModeSkipped, .detail = "cuda-graph"}
                       ? 1
                       : 0;
    }
    EXPECT_EQ(skipped, 2);
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Complete);
}

TEST_F(RunSessionTest, RetriesFailedCellsWhenAsked)
{
    const std::string marker = m_folder / "marker";
    RecordingObserver first;
    run(fakePlan({fakeCell("fake:once:" + marker), fakeCell("fake:ok")}, 2), first);
    EXPECT_EQ(first.rows.size(), 3U);
    RecordingObserver nothing;
    resume(nothing);
    EXPECT_THAT(nothing.rows, IsEmpty());
    RecordingObserver retried;
    resume(retried, true);
    ASSERT_EQ(retried.rows.size(), 2U);
    EXPECT_TRUE(retried.rows[0].ok());
    EXPECT_EQ(retried.rows[0].attempt, 1);
    EXPECT_EQ(retried.rows[1].attempt, 0);
}

TEST_F(RunSessionTest, KeepsTheWorkerUnderIsolationModel)
{
    Plan plan = fakePlan({fakeCell("fake:ok", 1), fakeCell("fake:ok", 2), fakeCell("fake:ok", 4)});
    for (const Isolation isolation : {Isolation::Cell, Isolation::Model}) {
        plan.preset.isolation = isolation;
        RunOptions chosen = options();
        chosen.folder = m_folder / (isolation == Isolation::Cell ? "cell" : "model");
        RecordingObserver observer;
        run(plan, observer, chosen);
        std::set<std::string> processes;
        for (const Measurement& row : observer.rows)
            processes.insert(row.result.notes.front().text(0));
        EXPECT_EQ(processes.size(), isolation == Isolation::Cell ? 3U : 1U);
    }
}

TEST_F(RunSessionTest, RefusesAFolderThatIsInUseOrHoldsARun)
{
    Plan plan = fakePlan({fakeCell("fake:hang")}, 1);
    RecordingObserver observer;
    RunSession session(plan, options(), observer);
    ASSERT_TRUE(observer.waitFor([](const RecordingObserver& seen) {
        return !seen.progress.empty() && seen.progress.back().phase == Phase::Measure;
    }));
    for (const bool resuming : {false, true}) {
        RecordingObserver second;
        RunSession intruder(plan, options(resuming), second);
        intruder.wait();
        ASSERT_FALSE(second.status.ok()) << resuming;
        EXPECT_THAT(second.status.error().message,
                    HasSubstr(resuming ? "another program" : "already holds a run"));
        EXPECT_EQ(second.plannedCalls, 0);
    }
    session.stopNow();
    finish(session, observer);
    EXPECT_TRUE(observer.status.ok());
}

TEST_F(RunSessionTest, RefusesToResumeWhatIsNoRun)
{
    RecordingObserver observer;
    resume(observer);
    ASSERT_FALSE(observer.status.ok());
    EXPECT_EQ(observer.status.error().code, ErrorCode::NotFound);
    EXPECT_FALSE(std::filesystem::exists(m_folder / "run"));
}

TEST_F(RunSessionTest, MakesNoFolderWithoutAWorker)
{
    RunOptions chosen = options();
    chosen.workerProgram = "/nowhere/quantscope-worker";
    RecordingObserver observer;
    run(fakePlan({fakeCell("fake:ok")}), observer, chosen);
    ASSERT_FALSE(observer.status.ok());
    EXPECT_THAT(observer.status.error().message, HasSubstr("/nowhere/quantscope-worker"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "run"));
    RecordingObserver second;
    run(fakePlan({fakeCell("fake:ok")}), second);
    EXPECT_TRUE(second.status.ok()) << "the same folder can be used afterwards";
}

TEST_F(RunSessionTest, SaysThatAFolderCannotBeWritten)
{
    // A file where a folder is needed; permissions would not stop root.
    writeFile(m_folder / "file", "in the way");
    RunOptions chosen = options();
    chosen.folder = m_folder / "file" / "run";
    RecordingObserver observer;
    run(fakePlan({fakeCell("fake:ok")}), observer, chosen);
    ASSERT_FALSE(observer.status.ok());
    EXPECT_THAT(observer.status.error().message, HasSubstr("file"));
    EXPECT_EQ(observer.plannedCalls, 0);
}

TEST_F(RunSessionTest, SaysThatPicturesCannotBeUsed)
{
    Plan plan = fakePlan({fakeCell("fake:ok")});
    plan.preset.pictures.source = m_folder / "no such folder";
    RecordingObserver observer;
    run(plan, observer);
    ASSERT_FALSE(observer.status.ok());
    EXPECT_THAT(observer.status.error().message, HasSubstr("no such folder"));
}

TEST_F(RunSessionTest, TheFolderOfARunWhoseInputsCannotBeMadeIsFree)
{
    Plan plan = fakePlan({fakeCell("fake:ok")});
    plan.preset.pictures.source = m_folder / "no such folder";
    RecordingObserver failed;
    run(plan, failed);
    ASSERT_FALSE(failed.status.ok());
    plan.preset.pictures.source = dataFile("golden/image/colour444.jpg");
    RecordingObserver mended;
    run(plan, mended);
    ASSERT_TRUE(mended.status.ok()) << mended.status.error().message;
    EXPECT_EQ(mended.rows.size(), 1U);
}

TEST_F(RunSessionTest, ARunThatGoesOnStaysWhenItsInputsCannotBeMade)
{
    Plan plan = fakePlan({fakeCell("fake:ok")});
    plan.preset.pictures.source = dataFile("golden/image/colour444.jpg");
    RecordingObserver first;
    run(plan, first);
    std::filesystem::remove_all(m_folder / "run/inputs");
    std::ofstream(m_folder / "run/inputs") << "no folder";
    RecordingObserver second;
    resume(second);
    EXPECT_FALSE(second.status.ok());
    EXPECT_EQ(readRunFolder(m_folder / "run").value().measurements.size(), 1U);
}

TEST_F(RunSessionTest, ResumesWithItsOwnCopiesOfThePictures)
{
    const std::filesystem::path pictures = m_folder / "pictures";
    std::filesystem::create_directory(pictures);
    std::filesystem::copy(dataFile("golden/image/colour444.jpg"), pictures / "one.jpg");
    Plan plan = fakePlan({fakeCell("fake:ok"), fakeCell("fake:slow:60")}, 2);
    plan.preset.pictures.source = pictures;
    RecordingObserver first;
    {
        RunSession session(plan, options(), first);
        ASSERT_TRUE(first.waitFor([](const auto& seen) { return !seen.rows.empty(); }));
        session.stopNow();
        finish(session, first);
    }
    EXPECT_EQ(first.eventKinds().back(), EventKind::Stopped);
    const auto measured = static_cast<std::size_t>(std::count_if(
        first.rows.begin(), first.rows.end(), [](const Measurement& row) { return row.ok(); }));
    std::filesystem::remove_all(pictures);
    RecordingObserver second;
    resume(second);
    ASSERT_TRUE(second.status.ok()) << second.status.error().message;
    EXPECT_EQ(second.rows.size(), 4U - measured);
    EXPECT_THAT(second.atStart.pictureNames, ElementsAre("one.jpg"));
}

}  // namespace
