// How runs end, and what they may take.

#include "core/run/run_session.h"

#include "core/base/files.h"
#include "core/image/picture_file.h"
#include "core/record/run_folder.h"
#include "core/sweep/cell_member.h"
#include "tests/run/run_session_fixture.h"
#include "tests/support/test_picture.h"

#include <gmock/gmock.h>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(RunSessionTest, WaitsForSpaceOnTheDiskUntilItIsStopped)
{
    RecordingObserver observer;
    RunOptions chosen = options();
    // Enough when it begins; then others write there.
    chosen.freeSpace = [&](const std::filesystem::path& folder) {
        return std::uintmax_t{std::filesystem::exists(folder / "plan.json") ? 1000U : 1U << 30U};
    };
    RunSession session(fakePlan({fakeCell("fake:ok")}, 1), chosen, observer);
    ASSERT_TRUE(observer.waitFor([](const RecordingObserver& seen) {
        return !seen.progress.empty() && seen.progress.back().phase == Phase::DiskFull;
    }));
    session.stopAfterCell();
    finish(session, observer);
    EXPECT_THAT(observer.rows, IsEmpty());
    EXPECT_THAT(observer.eventCodes(), Contains(NoteCode::DiskFull));
    EXPECT_THAT(observer.eventKinds(), Contains(EventKind::Warning));
    EXPECT_THAT(readFile(m_folder / "run" / "log.txt"), HasSubstr("waiting for disk space"));
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Stopped);
}

TEST_F(RunSessionTest, GoesOnWhenThereIsSpaceAgain)
{
    RecordingObserver observer;
    RunOptions chosen = options();
    // For a small run a hundred megabytes are plenty.
    chosen.freeSpace = [calls = 0](const std::filesystem::path&) mutable {
        return std::uintmax_t{++calls == 2 ? 1000U : 100U << 20U};
    };
    run(fakePlan({fakeCell("fake:ok")}, 1), observer, chosen);
    EXPECT_EQ(observer.rows.size(), 1U);
    EXPECT_THAT(observer.eventCodes(), Contains(NoteCode::DiskFree));
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Complete);
}

TEST_F(RunSessionTest, RefusesWhatDoesNotFitBeforeAnythingIsMade)
{
    Plan disk = fakePlan({fakeCell("fake:ok")});
    RunOptions chosen = options();
    chosen.freeSpace = [](const std::filesystem::path&) { return std::uintmax_t{1} << 20U; };
    RecordingObserver first;
    run(disk, first, chosen);
    ASSERT_FALSE(first.status.ok());
    EXPECT_EQ(first.status.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(first.status.error().message, HasSubstr("on disk, but only 1.000 MiB"));

    Plan memory = fakePlan({fakeCell("fake:ok", 4096)});
    memory.preset.pictures.count = 4096;
    memory.cells.front().config.sizes.set("image_size", 4096);
    ASSERT_TRUE(createFolders(m_folder / "system/proc").ok());
    writeFile(m_folder / "system/proc/meminfo", "MemTotal: 65536000 kB\n");
    chosen = options();
    chosen.freeSpace = [](const std::filesystem::path&) { return std::uintmax_t{1} << 60U; };
    RecordingObserver second;
    run(memory, second, chosen);
    ASSERT_FALSE(second.status.ok());
    EXPECT_EQ(second.status.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(second.status.error().message, HasSubstr("more than half of the 62.50 GiB"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "run"));
}

// Whoever judges the outputs must know that they are of fewer images than were given.
TEST_F(RunSessionTest, WarnsOfImagesThatItLeavesOut)
{
    const std::filesystem::path images = m_folder / "images";
    ASSERT_TRUE(createFolders(images).ok());
    ASSERT_TRUE(writePng(images / "good.png", testPicture(1, 40)).ok());
    for (int i = 0; i < 7; ++i)
        writeFile(images / ("bad" + std::to_string(i) + ".png"), "no image");
    std::vector<PlannedCell> cells{fakeCell("fake:ok"), fakeCell("fake:ok", 2)};
    cells[1].config.sizes.set("image_size", 16);
    Plan plan = fakePlan(std::move(cells));
    plan.preset.pictures.source = images.string();
    plan.preset.pictures.count = 16;
    RecordingObserver observer;
    run(plan, observer);
    std::vector<Note> told;
    for (const RunEvent& event : observer.events) {
        for (const Note& note : event.notes) {
            if (note.code == NoteCode::ImagesLeftOut) {
                EXPECT_EQ(event.kind, EventKind::Warning);
                told.push_back(note);
            }
        }
    }
    ASSERT_EQ(told.size(), 1U) << "once, not for every size";
    EXPECT_EQ(std::get<double>(told[0].arguments[0]), 7.0);
    const auto& names = std::get<std::string>(told[0].arguments[1]);
    EXPECT_THAT(names, HasSubstr("bad0.png"));
    EXPECT_THAT(names, testing::Not(HasSubstr("bad6.png"))) << "the log has all";
    EXPECT_THAT(readFile(m_folder / "run" / "log.txt"), HasSubstr("bad6.png"));
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Complete);
    EXPECT_THAT(stored().events.size(), testing::Ge(3U)) << "they are in the journal";
}

TEST_F(RunSessionTest, WarnsOfOutputsThatCannotBeComparedAndGoesOn)
{
    {
        RecordingObserver observer;
        run(comparedPlan(), observer);
        for (const Measurement& row : observer.rows)
            ASSERT_TRUE(row.ok() || row.config.model == "fake:nan")
                << (row.failure ? row.failure->detail : "") << row.logTail;
    }
    forgetComparisons(m_folder / "run", 0);
    const std::string cell = comparedPlan().cells[1].id;
    for (const bool missing : {false, true}) {
        if (missing)
            std::filesystem::remove(outputArray(m_folder / "run", cell, 0).path());
        else
            writeFile(outputArray(m_folder / "run", cell, 0).path(), "damaged");
        RecordingObserver observer;
        resume(observer);
        EXPECT_TRUE(observer.status.ok());
        EXPECT_THAT(observer.eventKinds(), Contains(EventKind::Warning)) << missing;
        EXPECT_THAT(observer.eventCodes(), Contains(NoteCode::OutputsNotCompared));
        EXPECT_EQ(observer.eventKinds().back(), EventKind::Complete);
    }
    EXPECT_FALSE(stored().qualities.empty()) << "the other cells are compared";
}

TEST_F(RunSessionTest, SaysTheSameOfManyOutputsAFewTimesOnly)
{
    std::vector<PlannedCell> cells;
    for (int batch = 1; batch <= 12; ++batch)
        cells.push_back(fakeCell("fake:ok", batch));
    for (PlannedCell& cell : cells)
        cell.trained = true;
    {
        RecordingObserver observer;
        run(fakePlan(cells), observer);
    }
    forgetComparisons(m_folder / "run", 0);
    for (const PlannedCell& cell : cells)
        std::filesystem::remove(outputArray(m_folder / "run", cell.id, 0).path());
    RecordingObserver observer;
    resume(observer);
    const auto kinds = observer.eventKinds();
    EXPECT_EQ(std::count(kinds.begin(), kinds.end(), EventKind::Warning), 5);
    EXPECT_THAT(observer.eventCodes(), Contains(NoteCode::MoreNotCompared));
}

TEST_F(RunSessionTest, CountsAWorkerThatTheHostKilledForItsMemoryAsOutOfMemory)
{
    ASSERT_TRUE(createFolders(m_folder / "system/proc").ok());
    const std::string counter = m_folder / "system/proc/vmstat";
    writeFile(counter, "oom_kill 0\n");
    const std::string model = "fake:host-oom:" + counter;
    RecordingObserver observer;
    run(fakePlan({fakeCell(model, 2), fakeCell(model, 4), fakeCell(model, 8)}), observer);
    int oom = 0;
    int skipped = 0;
    for (const Measurement& row : observer.rows) {
        oom += row.status() == CellStatus::Oom ? 1 : 0;
        skipped += row.status() == CellStatus::Skipped ? 1 : 0;
        if (row.status() == CellStatus::Oom) {
            EXPECT_EQ(row.failure->kind, FailureKind::HostOutOfMemory);
        }
    }
    EXPECT_GE(oom, 1);
    EXPECT_EQ(observer.rows.size(), 3U);
    EXPECT_GE(skipped + oom, 2) << "larger batches are not tried where a smaller one failed";
}

// Large pictures take seconds each: none may be waited for.
TEST_F(RunSessionTest, StopsWhilePicturesArePrepared)
{
    Plan plan = fakePlan({fakeCell("fake:ok")});
    plan.preset.pictures.count = 8;
    plan.cells.front().config.sizes.set("image_size", 4096);
    for (const bool gently : {true, false}) {
        RunOptions chosen = options();
        chosen.folder = m_folder / (gently ? "gently" : "now");
        RecordingObserver observer;
        RunSession session(plan, chosen, observer);
        ASSERT_TRUE(observer.waitFor([](const RecordingObserver& seen) {
            return !seen.progress.empty() && seen.progress.back().phase == Phase::Inputs;
        }));
        if (gently)
            session.stopAfterCell();
        else
            session.stopNow();
        finish(session, observer);
        EXPECT_TRUE(observer.status.ok()) << observer.status.error().message;
        EXPECT_EQ(observer.plannedCalls, 1) << "the run is there and can be resumed";
        EXPECT_EQ(observer.eventKinds(), (std::vector{EventKind::Started, EventKind::Stopped}));
        EXPECT_LT(observer.progress.back().done, 1);
    }
}

TEST_F(RunSessionTest, TellsHowManyPicturesAreReady)
{
    RecordingObserver observer;
    run(fakePlan({fakeCell("fake:ok")}), observer);
    std::vector<std::string> told;
    for (const RunProgress& progress : observer.progress) {
        if (progress.phase == Phase::Inputs)
            told.push_back(std::to_string(progress.step) + "/" + std::to_string(progress.steps));
    }
    EXPECT_THAT(told, ElementsAre("0/2", "1/2", "2/2"));
}

// What a session that was stopped left out is made by the next one.
TEST_F(RunSessionTest, MakesPicturesThatAreMissing)
{
    {
        RecordingObserver observer;
        run(comparedPlan(), observer);
    }
    const std::string cell = comparedPlan().cells[1].id;
    const auto png = outputPicture(m_folder / "run", cell, 1).path();
    ASSERT_TRUE(std::filesystem::remove(png));
    RecordingObserver observer;
    resume(observer);
    EXPECT_TRUE(std::filesystem::exists(png));
    EXPECT_THAT(observer.rows, IsEmpty());
}

TEST_F(RunSessionTest, StopsWhenItsTimeIsUp)
{
    RecordingObserver observer;
    RunOptions chosen = options();
    chosen.maximumSeconds = 0.3;
    run(fakePlan({fakeCell("fake:slow:100")}, 1000), observer, chosen);
    EXPECT_TRUE(observer.status.ok());
    EXPECT_LT(observer.rows.size(), 20U);
    EXPECT_EQ(observer.eventKinds().back(), EventKind::Stopped);
}

// What else happens to the files of a run while it goes on: `change` is made once a row is there.
class ChangedRun : public RunSessionTest
{
protected:
    [[nodiscard]] std::filesystem::path folder() const { return m_folder / "run"; }

    // How the run ended, which must be before it is complete.
    Status changed(const std::function<void()>& change)
    {
        RecordingObserver observer;
        RunSession session(fakePlan({fakeCell("fake:slow:60")}, 200), options(), observer);
        EXPECT_TRUE(observer.waitFor([](const auto& seen) { return !seen.rows.empty(); }));
        change();
        finish(session, observer);
        EXPECT_LT(observer.rows.size(), 200U);
        EXPECT_FALSE(observer.status.ok());
        return observer.status;
    }
    void expectEnd(const Status& status, const std::string& words)
    {
        ASSERT_FALSE(status.ok());
        EXPECT_EQ(status.error().code, ErrorCode::Io);
        EXPECT_THAT(status.error().message, HasSubstr(words));
    }
};

TEST_F(ChangedRun, NoticesThatTheJournalHasGone)
{
    expectEnd(changed([&] { std::filesystem::remove(folder() / "journal.jsonl"); }),
              "journal.jsonl was removed");
    EXPECT_FALSE(std::filesystem::exists(folder() / "journal.jsonl"));
}

TEST_F(ChangedRun, NoticesAnotherJournalInItsPlace)
{
    expectEnd(changed([&] {
                  const auto journal = folder() / "journal.jsonl";
                  std::filesystem::copy(journal, m_folder / "copy");
                  std::filesystem::rename(m_folder / "copy", journal);
              }),
              "journal.jsonl was removed, moved or replaced");
}

TEST_F(ChangedRun, NoticesThatTheFolderHasGone)
{
    // Whichever of its files is missed first.
    expectEnd(changed([&] { std::filesystem::remove_all(folder()); }), "was removed");
    EXPECT_FALSE(std::filesystem::exists(folder())) << "nothing is made anew";
}

TEST_F(ChangedRun, NoticesThatTheFolderWasMoved)
{
    const auto elsewhere = m_folder / "elsewhere";
    expectEnd(changed([&] { std::filesystem::rename(folder(), elsewhere); }), "was removed");
    EXPECT_FALSE(std::filesystem::exists(folder())) << "nothing is made anew";
    EXPECT_FALSE(readRunFolder(elsewhere).value().measurements.empty());
}

TEST_F(ChangedRun, WritesNothingIntoAnotherFolderInItsPlace)
{
    expectEnd(changed([&] {
                  std::filesystem::rename(folder(), m_folder / "elsewhere");
                  std::filesystem::create_directory(folder());
              }),
              "was removed");
    EXPECT_TRUE(std::filesystem::is_empty(folder()));
}

TEST_F(ChangedRun, NoticesThatPlanOrInputsHaveGone)
{
    expectEnd(changed([&] { std::filesystem::remove(folder() / "plan.json"); }),
              "plan.json was removed");
    std::filesystem::remove_all(folder());
    expectEnd(changed([&] { std::filesystem::remove(inputArray(folder(), 32).path()); }),
              "pictures_32.npy was removed");
}

TEST_F(ChangedRun, NoticesOtherFilesInThePlaceOfItsOwn)
{
    const auto copied = [&](const std::filesystem::path& file) {
        std::filesystem::copy(file, m_folder / "copy");
        std::filesystem::rename(m_folder / "copy", file);
    };
    for (const std::filesystem::path& file :
         {folder() / "plan.json", folder() / "environment.json", inputArray(folder(), 32).path(),
          pictureNamesFile(folder()).path()}) {
        expectEnd(changed([&] { copied(file); }),
                  file.filename().string() + " was changed or replaced");
        std::filesystem::remove_all(folder());
    }
}

TEST_F(ChangedRun, CountsNoRowOfOtherWeights)
{
    const auto changed = m_folder / "changed";
    RecordingObserver observer;
    observer.onRow = [&] { std::ofstream(changed) << "x"; };
    RunSession session(fakePlan({fakeCell("fake:weights:" + changed.string())}, 5), options(),
                       observer);
    finish(session, observer);
    expectEnd(observer.status, "was changed or replaced");
    EXPECT_EQ(readRunFolder(folder()).value().measurements.size(), 1U);
}

TEST_F(ChangedRun, CountsRerunsOfThePlannedWeights)
{
    const std::string model = "fake:weights:" + (m_folder / "never").string();
    PlannedCell again = fakeCell(model);
    again.rerun = 1;
    again.id = cellId(again.config, model, 1);
    RecordingObserver observer;
    RunSession session(fakePlan({fakeCell(model), again}), options(), observer);
    finish(session, observer);
    EXPECT_TRUE(observer.status.ok());
    EXPECT_EQ(observer.rows.size(), 2U);
}

TEST_F(ChangedRun, NoticesThatInputsWereWrittenTo)
{
    expectEnd(changed([&] {
                  const auto inputs = inputArray(folder(), 32).path();
                  std::fstream(inputs, std::ios::in | std::ios::out | std::ios::ate) << 'x';
              }),
              "pictures_32.npy was changed or replaced");
}

TEST_F(ChangedRun, NoticesThatThePlaceOfOutputsHasGone)
{
    expectEnd(changed([&] { std::filesystem::rename(folder() / "cells", m_folder / "cells"); }),
              "cells was removed");
}

}  // namespace
