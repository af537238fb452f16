#include "core/record/run_folder.h"

#include "core/analysis/analysis.h"
#include "core/record/journal/journal_line.h"
#include "core/record/run_removal.h"
#include "core/record/run_repair.h"
#include "tests/support/gzipped.h"
#include "tests/support/sample_run.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace qs::core {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using tests::TestFolder;

Json rowsOf(const RunData& data)
{
    Json rows = Json::array();
    for (const Measurement& row : data.measurements)
        rows.push_back(toJson(row));
    for (const OutputQuality& quality : data.qualities)
        rows.push_back(toJson({&quality, 1}));
    return rows;
}

// How many records of a journal they are.
std::size_t recordsOf(const RunData& data)
{
    std::size_t count = data.measurements.size() + 1;
    for (std::size_t i = 1; i < data.qualities.size(); ++i)
        count += haveSameCells(data.qualities[i - 1], data.qualities[i]) ? 0U : 1U;
    return count;
}

auto note(NoteCode code)
{
    return Contains(
        Field(&RunEvent::notes, testing::ElementsAre(testing::Field(&Note::code, code))));
}

// A run folder at `path` with all of the sample run in it.
void store(const std::filesystem::path& path, const RunData& data)
{
    auto folder = RunFolder::create(path, data.plan, data.environments.front());
    ASSERT_TRUE(folder.ok()) << folder.error().message;
    for (const RunEvent& event : data.events)
        ASSERT_TRUE(folder.value().addEvent(event).ok());
    for (const Measurement& row : data.measurements)
        ASSERT_TRUE(folder.value().addMeasurement(row).ok());
    ASSERT_TRUE(folder.value().addQualities(data.qualities).ok());
}

// Appends a record as a later version of the program might.
void appendRecord(const std::filesystem::path& path, const Json& record)
{
    auto journal = Journal::open(path / "journal.jsonl");
    ASSERT_TRUE(journal.ok());
    ASSERT_TRUE(journal.value().append(record).ok());
}

class StoredRun : public testing::Test
{
protected:
    void SetUp() override
    {
        m_data.qualities.resize(5);  // each record waits for the disk
        store(m_path, m_data);
    }

    TestFolder m_folder;
    std::filesystem::path m_path = m_folder / "run";
    RunData m_data = tests::sampleRun({.rounds = 1, .withFailures = true});
};

TEST_F(StoredRun, ReadsBackEqual)
{
    const auto back = readRunFolder(m_path);
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(rowsOf(back.value()), rowsOf(m_data));
    EXPECT_EQ(toJson(back.value().plan), toJson(m_data.plan));
    EXPECT_EQ(back.value().events.size(), m_data.events.size());
    EXPECT_EQ(back.value().events.front().kind, EventKind::Started);
    ASSERT_EQ(back.value().environments.size(), 1U);
    EXPECT_EQ(back.value().environments.front().id(), m_data.environments.front().id());
    EXPECT_NE(back.value().environment(m_data.measurements.front().environmentId), nullptr);
    EXPECT_EQ(back.value().environment("other"), nullptr);
    EXPECT_EQ(back.value().folder, m_path);
    EXPECT_THAT(back.value().pictureNames, IsEmpty()) << "no pictures were prepared";
}

TEST_F(StoredRun, ReadsTheNamesOfPictures)
{
    tests::writeFile(m_path / "inputs/names.json", R"(["cat.png","dog.png"])");
    EXPECT_THAT(readRunFolder(m_path).value().pictureNames, ElementsAre("cat.png", "dog.png"));
    tests::writeFile(m_path / "inputs/names.json", R"(["cat.png", 7])");
    const auto damaged = readRunFolder(m_path);
    ASSERT_TRUE(damaged.ok()) << "names are a courtesy";
    EXPECT_THAT(damaged.value().events, note(NoteCode::ImageNamesUnreadable));
}

TEST_F(StoredRun, CreatingItAgainIsRefused)
{
    const std::string journal = tests::readFile(m_path / "journal.jsonl");
    const auto again = RunFolder::create(m_path, m_data.plan, m_data.environments.front());
    ASSERT_FALSE(again.ok());
    EXPECT_EQ(again.error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(again.error().message, HasSubstr("already holds a run"));
    EXPECT_EQ(tests::readFile(m_path / "journal.jsonl"), journal);
}

TEST_F(StoredRun, ResumingFindsEverythingAndGoesOn)
{
    RunData data;
    {
        auto folder = RunFolder::resume(m_path, m_data.environments.front(), data);
        ASSERT_TRUE(folder.ok()) << folder.error().message;
        EXPECT_EQ(rowsOf(data), rowsOf(m_data));
        EXPECT_EQ(data.environments.size(), 1U) << "the same computer is no new environment";
        Measurement row = m_data.measurements.back();
        row.round = 1;
        ASSERT_TRUE(folder.value().addMeasurement(row).ok());
    }
    EXPECT_EQ(readRunFolder(m_path).value().measurements.size(), m_data.measurements.size() + 1);
}

TEST_F(StoredRun, ResumingElsewhereAddsTheEnvironment)
{
    Environment other = m_data.environments.front();
    other.host = "other";
    RunData data;
    ASSERT_TRUE(RunFolder::resume(m_path, other, data).ok());
    ASSERT_TRUE(RunFolder::resume(m_path, other, data).ok()) << "and not a second time";
    ASSERT_EQ(data.environments.size(), 2U);
    EXPECT_EQ(readRunFolder(m_path).value().environments.back().host, "other");
}

TEST_F(StoredRun, OnlyOneProgramWrites)
{
    RunData data;
    const auto first = RunFolder::resume(m_path, m_data.environments.front(), data);
    ASSERT_TRUE(first.ok());
    const auto second = RunFolder::resume(m_path, m_data.environments.front(), data);
    ASSERT_FALSE(second.ok());
    EXPECT_THAT(second.error().message, HasSubstr("another program is writing"));
    EXPECT_TRUE(readRunFolder(m_path).ok()) << "reading needs no lock";
}

TEST_F(StoredRun, ATornTailIsReadAroundAndCutOffByResuming)
{
    const std::string whole = tests::readFile(m_path / "journal.jsonl");
    tests::writeFile(m_path / "journal.jsonl", whole + "812 5c0f1a2b {\"cell\":");
    const auto read = readRunFolder(m_path);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(rowsOf(read.value()), rowsOf(m_data));
    EXPECT_EQ(read.value().leftOut.tornBytes, 21U);
    EXPECT_FALSE(read.value().leftOut.isLoss()) << "nobody was told that it is stored";
    EXPECT_NE(tests::readFile(m_path / "journal.jsonl"), whole) << "reading changes nothing";
    RunData data;
    ASSERT_TRUE(RunFolder::resume(m_path, m_data.environments.front(), data).ok());
    EXPECT_EQ(rowsOf(data), rowsOf(m_data));
    EXPECT_THAT(data.events, note(NoteCode::RecordCutOff));
    EXPECT_EQ(tests::readFile(m_path / "journal.jsonl"), whole);
}

TEST_F(StoredRun, APackedJournalIsReadAsItIsAndUnpackedByResuming)
{
    const std::string whole = tests::readFile(m_path / "journal.jsonl");
    tests::writeFile(m_path / "journal.jsonl.gz", tests::gzipped(whole));
    std::filesystem::remove(m_path / "journal.jsonl");
    const auto read = readRunFolder(m_path);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(rowsOf(read.value()), rowsOf(m_data));
    EXPECT_FALSE(std::filesystem::exists(m_path / "journal.jsonl")) << "reading changes nothing";
    RunData data;
    ASSERT_TRUE(RunFolder::resume(m_path, m_data.environments.front(), data).ok());
    EXPECT_EQ(rowsOf(data), rowsOf(m_data));
    EXPECT_EQ(tests::readFile(m_path / "journal.jsonl"), whole);
    EXPECT_FALSE(std::filesystem::exists(m_path / "journal.jsonl.gz"));
}

TEST_F(StoredRun, ADamagedPackedJournalIsViewedAndRepaired)
{
    const std::string packed = tests::gzipped(tests::readFile(m_path / "journal.jsonl"));
    tests::writeFile(m_path / "journal.jsonl.gz", packed.substr(0, packed.size() - 20));
    std::filesystem::remove(m_path / "journal.jsonl");
    const auto read = readRunFolder(m_path);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_TRUE(read.value().leftOut.isLoss());
    EXPECT_GT(read.value().measurements.size(), 0U);
    RunData data;
    const auto resumed = RunFolder::resume(m_path, m_data.environments.front(), data);
    ASSERT_FALSE(resumed.ok());
    EXPECT_THAT(resumed.error().message, HasSubstr("quantscope-cli repair " + m_path.string()));
    const auto copy = repairCopy(m_path, m_folder / "copy");
    ASSERT_TRUE(copy.ok()) << copy.error().message;
    EXPECT_EQ(copy.value().rowsKept, read.value().measurements.size());
    EXPECT_TRUE(RunFolder::resume(m_folder / "copy", m_data.environments.front(), data).ok());
    const auto repair = repairInPlace(m_path);
    ASSERT_TRUE(repair.ok()) << repair.error().message;
    EXPECT_EQ(repair.value().keptJournal, m_path / "journal-damaged-1.jsonl.gz");
    EXPECT_EQ(tests::readFile(repair.value().keptJournal).size(), packed.size() - 20);
    EXPECT_FALSE(std::filesystem::exists(m_path / "journal.jsonl.gz"));
    EXPECT_TRUE(RunFolder::resume(m_path, m_data.environments.front(), data).ok());
    const auto removable = RemovableRun::of(m_path, {});
    EXPECT_TRUE(removable.ok()) << "also what was kept is its own";
}

// What is behind damage, too.
TEST_F(StoredRun, WhatIsNotDamagedCanBeViewedButNotResumed)
{
    std::string journal = tests::readFile(m_path / "journal.jsonl");
    const std::size_t middle = journal.find("\"cell\"", journal.size() / 2);
    journal[middle + 1] = 'k';
    tests::writeFile(m_path / "journal.jsonl", journal);
    const auto read = readRunFolder(m_path);
    ASSERT_TRUE(read.ok()) << read.error().message;
    const LeftOut& leftOut = read.value().leftOut;
    EXPECT_EQ(recordsOf(read.value()) + 1, recordsOf(m_data));
    EXPECT_EQ(leftOut.journal.lines, 1U);
    EXPECT_GT(leftOut.journal.bytes, 100U);
    EXPECT_TRUE(leftOut.isLoss());
    EXPECT_EQ(leftOut.notUnderstood, 0U);
    EXPECT_EQ(leftOut.contradictions, 0U);
    EXPECT_EQ(leftOut.repetitions, 0U);
    EXPECT_TRUE(leftOut.unknownTypes.empty());
    RunData data;
    const auto resumed = RunFolder::resume(m_path, m_data.environments.front(), data);
    ASSERT_FALSE(resumed.ok());
    EXPECT_THAT(resumed.error().message, HasSubstr("quantscope-cli repair " + m_path.string()));
    EXPECT_EQ(tests::readFile(m_path / "journal.jsonl"), journal);
}

TEST_F(StoredRun, ANewerJournalIsNoDamage)
{
    tests::writeFile(
        m_path / "journal.jsonl",
        encodeJournalLine({{"format", "quantscope-journal"}, {"schema_version", 2}}).value());
    EXPECT_EQ(readRunFolder(m_path).error().code, ErrorCode::Unsupported);
}

TEST_F(StoredRun, WhatIsThereTwiceCountsOnce)
{
    const std::string journal = tests::readFile(m_path / "journal.jsonl");
    const std::size_t header = journal.find('\n') + 1;
    tests::writeFile(m_path / "journal.jsonl", journal + journal.substr(header));
    const auto read = readRunFolder(m_path);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(rowsOf(read.value()), rowsOf(m_data));
    EXPECT_EQ(read.value().leftOut.repetitions, recordsOf(m_data));
    EXPECT_EQ(read.value().leftOut.contradictions, 0U);
    EXPECT_FALSE(read.value().leftOut.isLoss());
}

TEST_F(StoredRun, TheOrderOfRecordsDoesNotMatter)
{
    const Analysis before = analyse(readRunFolder(m_path).value(), "best-bf16");
    const std::string journal = tests::readFile(m_path / "journal.jsonl");
    std::vector<std::string> lines;
    for (std::size_t at = 0, end = 0; at < journal.size(); at = end + 1) {
        end = journal.find('\n', at);
        lines.push_back(journal.substr(at, end + 1 - at));
    }
    std::string reversed;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        reversed += *line;
    tests::writeFile(m_path / "journal.jsonl", reversed);
    const RunData data = readRunFolder(m_path).value();
    EXPECT_FALSE(data.leftOut.isLoss());
    EXPECT_EQ(data.measurements.size(), m_data.measurements.size());
    const Analysis after = analyse(data, "best-bf16");
    for (std::size_t i = 0; i < before.cells.size(); ++i) {
        EXPECT_EQ(after.cells[i].seconds, before.cells[i].seconds);
        EXPECT_EQ(after.cells[i].status, before.cells[i].status);
        EXPECT_EQ(after.cells[i].speedup, before.cells[i].speedup);
    }
}

TEST_F(StoredRun, RowsThatContradictEachOtherAreToldApart)
{
    Json again = toJson(m_data.measurements.front());
    again["type"] = "row";
    again["duration_s"] = 99.0;
    appendRecord(m_path, again);
    const auto read = readRunFolder(m_path);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(rowsOf(read.value()), rowsOf(m_data)) << "the first counts";
    EXPECT_EQ(read.value().leftOut.contradictions, 1U);
    EXPECT_TRUE(read.value().leftOut.isLoss()) << "nobody can say which of them holds";
    again["attempt"] = 7;
    appendRecord(m_path, again);
    EXPECT_EQ(readRunFolder(m_path).value().measurements.size(), m_data.measurements.size() + 1);
}

TEST_F(StoredRun, RecordsOfLaterVersionsAreLeftOut)
{
    appendRecord(m_path, {{"type", "telemetry"}, {"watt", 300}});
    appendRecord(m_path, {{"type", "telemetry"}, {"watt", 301}});
    RunData data;
    ASSERT_TRUE(RunFolder::resume(m_path, m_data.environments.front(), data).ok());
    EXPECT_EQ(rowsOf(data), rowsOf(m_data));
    EXPECT_EQ(data.leftOut.unknownTypes.at("telemetry"), 2U);
    EXPECT_EQ(data.leftOut.unknownTypes.size(), 1U);
    EXPECT_FALSE(data.leftOut.isLoss());
}

TEST_F(StoredRun, ARowThatIsNotUnderstoodIsViewedAroundButNotResumed)
{
    appendRecord(m_path, {{"type", "row"}, {"cell", "x"}});
    const auto read = readRunFolder(m_path);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(rowsOf(read.value()), rowsOf(m_data));
    EXPECT_EQ(read.value().leftOut.notUnderstood, 1U);
    EXPECT_TRUE(read.value().leftOut.isLoss());
    RunData data;
    const auto resumed = RunFolder::resume(m_path, m_data.environments.front(), data);
    ASSERT_FALSE(resumed.ok()) << "the row would be measured a second time";
    EXPECT_EQ(resumed.error().code, ErrorCode::Format);
    EXPECT_THAT(resumed.error().message, HasSubstr("quantscope-cli repair"));
}

TEST_F(StoredRun, IdsThatLeadOutOfTheFolderAreRefused)
{
    Json row = toJson(m_data.measurements.front());
    row["type"] = "row";
    row["cell"] = "../../elsewhere";
    appendRecord(m_path, row);
    EXPECT_THAT(readRunFolder(m_path).value().leftOut.firstNotUnderstood,
                HasSubstr("is not a valid cell id"));
    for (const char* member : {"id", "reference_id"}) {
        Json plan = toJson(m_data.plan);
        ASSERT_TRUE(plan["cells"][1].contains(member)) << plan["cells"][1].dump();
        plan["cells"][1][member] = "../x";
        tests::writeFile(m_path / "plan.json", plan.dump());
        const auto read = readRunFolder(m_path);
        ASSERT_FALSE(read.ok()) << member;
        EXPECT_EQ(read.error().code, ErrorCode::Format);
    }
}

TEST_F(StoredRun, DamagedCompanionsAreErrorsThatNameTheFile)
{
    for (const char* name : {"plan.json", "environment.json"}) {
        const std::string whole = tests::readFile(m_path / name);
        for (const std::string& damaged : {std::string("{"), std::string("[]"), std::string()}) {
            tests::writeFile(m_path / name, damaged);
            const auto read = readRunFolder(m_path);
            ASSERT_FALSE(read.ok()) << name << damaged;
            EXPECT_THAT(read.error().message, HasSubstr(name));
        }
        tests::writeFile(m_path / name, whole);
    }
    std::filesystem::remove(m_path / "environment.json");
    EXPECT_FALSE(readRunFolder(m_path).ok());
}

TEST_F(StoredRun, EnvironmentsOfANewerProgramAreUnsupported)
{
    tests::writeFile(m_path / "environment.json", R"({"schema_version":2,"environments":[]})");
    EXPECT_EQ(readRunFolder(m_path).error().code, ErrorCode::Unsupported);
}

TEST_F(StoredRun, LogGrows)
{
    RunData data;
    auto folder = RunFolder::resume(m_path, m_data.environments.front(), data);
    ASSERT_TRUE(folder.value().appendLog("one").ok());
    ASSERT_TRUE(folder.value().appendLog("two").ok());
    EXPECT_EQ(tests::readFile(m_path / "log.txt"), "one\ntwo\n");
}

TEST_F(StoredRun, ARowThatCannotBeStoredIsAnError)
{
    RunData data;
    auto folder = RunFolder::resume(m_path, m_data.environments.front(), data);
    OutputQuality quality = m_data.qualities.front();
    quality.figures = {{"ssim", std::numeric_limits<double>::quiet_NaN()}};
    EXPECT_FALSE(folder.value().addQualities({&quality, 1}).ok());
    EXPECT_TRUE(folder.value().addQualities({m_data.qualities.data(), 1}).ok())
        << "and harms no other";
}

TEST(RunFolder, AFolderWithoutARunIsNotFound)
{
    const TestFolder folder;
    RunData data;
    EXPECT_EQ(readRunFolder(folder.path()).error().code, ErrorCode::NotFound);
    EXPECT_EQ(readRunFolder(folder / "none").error().code, ErrorCode::NotFound);
    EXPECT_EQ(RunFolder::resume(folder.path(), {}, data).error().code, ErrorCode::NotFound);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "looking leaves nothing behind";
}

TEST(RunFolder, ACreationThatWasCutShortCanBeRepeated)
{
    const TestFolder folder;
    const RunData data = tests::sampleRun({.rounds = 0});
    {
        // The journal and the environments are there, the plan is not.
        ASSERT_TRUE(Journal::open(folder / "journal.jsonl").ok());
        tests::writeFile(folder / "environment.json", "");
    }
    const auto created = RunFolder::create(folder.path(), data.plan, data.environments.front());
    EXPECT_TRUE(created.ok());
}

TEST(RunFolder, AJournalWithRecordsIsNeverTakenOver)
{
    const TestFolder folder;
    const RunData data = tests::sampleRun({.rounds = 0});  // it has an event
    store(folder / "run", data);
    std::filesystem::remove(folder / "run" / "plan.json");
    EXPECT_FALSE(RunFolder::create(folder / "run", data.plan, data.environments.front()).ok());
}

TEST(RunFolder, AMissingJournalIsNotReplacedByAnEmptyOne)
{
    const TestFolder folder;
    const RunData data = tests::sampleRun({.rounds = 0});
    store(folder / "run", data);
    std::filesystem::remove(folder / "run" / "journal.jsonl");
    RunData resumed;
    EXPECT_EQ(RunFolder::resume(folder / "run", data.environments.front(), resumed).error().code,
              ErrorCode::NotFound);
    EXPECT_FALSE(readRunFolder(folder / "run").ok());
    EXPECT_FALSE(std::filesystem::exists(folder / "run" / "journal.jsonl"));
}

TEST(RunFolder, ASlashAtTheEndChangesNothing)
{
    const TestFolder folder;
    const RunData data = tests::sampleRun({.rounds = 0});
    store(folder / "run/", data);
    EXPECT_EQ(readRunFolder(folder / "run/").value().folder, folder / "run");
}

TEST(RunFolder, PicturesHaveFixedPlaces)
{
    EXPECT_EQ(outputPicture("/r", "abc", 2).path(), "/r/cells/abc/output_2.png");
    EXPECT_EQ(outputArray("/r", "abc", 0).path(), "/r/cells/abc/output_0.npy");
    EXPECT_EQ(outputArray("/r", "abc/0123", 0).path(), "/r/cells/abc/0123/output_0.npy");
    EXPECT_EQ(inputPicture("/r", 256, 1).path(), "/r/inputs/picture_256_1.png");
    EXPECT_EQ(inputArray("/r", 512).path(), "/r/inputs/pictures_512.npy");
}

TEST(RunFolderLimits, APlanThatCouldNotBeReadBackIsNotWritten)
{
    const TestFolder folder;
    const RunData sample = tests::sampleRun();
    Plan plan = sample.plan;
    PlannedCell cell = plan.cells.front();
    cell.impossible = remark(std::string(4000, 'x'));
    plan.cells.assign(5000, cell);
    const auto refused = RunFolder::create(folder / "run", plan, sample.environments.front());
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(refused.error().message, HasSubstr("16.00 MiB is the limit"));
    EXPECT_FALSE(std::filesystem::exists(folder / "run")) << "nothing was made";
    plan.cells.resize(2000);
    EXPECT_TRUE(RunFolder::create(folder / "run", plan, sample.environments.front()).ok());
}

TEST(RunFolderLimits, LargePlansAreRefusedBeforeTheyTakeMemory)
{
    const TestFolder folder;
    store(folder / "run", tests::sampleRun());
    const std::filesystem::path plan = folder / "run" / "plan.json";
    tests::writeFile(plan, std::string(std::size_t{17} << 20U, ' '));
    const auto large = readRunFolder(folder / "run");
    ASSERT_FALSE(large.ok());
    EXPECT_THAT(large.error().message, HasSubstr("larger than the limit of 16777216 bytes"));
    // Small in bytes, and millions of values.
    std::string values = "[0";
    for (int i = 0; i < 3'000'000; ++i)
        values += ",0";
    tests::writeFile(plan, values + "]");
    const auto many = readRunFolder(folder / "run");
    ASSERT_FALSE(many.ok());
    EXPECT_THAT(many.error().message, HasSubstr("more than 1000000 values"));
}

TEST(RunFolderLimits, ReadingALongRunCanBeStopped)
{
    const TestFolder folder;
    const RunData sample = tests::sampleRun();
    store(folder / "run", sample);
    std::stop_source stop;
    stop.request_stop();
    RunData data;
    const auto resumed =
        RunFolder::resume(folder / "run", sample.environments.front(), data, stop.get_token());
    ASSERT_FALSE(resumed.ok());
    EXPECT_EQ(resumed.error().code, ErrorCode::Cancelled);
    EXPECT_TRUE(RunFolder::resume(folder / "run", sample.environments.front(), data).ok());
}

TEST(RunFolderInPlace, IsCheckedForAllThatAnotherProgramMayDo)
{
    const TestFolder place;
    const RunData sample = tests::sampleRun();
    const std::filesystem::path path = place / "run";
    auto folder = RunFolder::create(path, sample.plan, sample.environments.front()).value();
    EXPECT_TRUE(folder.checkInPlace().ok());
    ASSERT_TRUE(folder.replacePlan(sample.plan).ok());
    EXPECT_TRUE(folder.checkInPlace().ok()) << "its own changes are none";
    std::filesystem::rename(path, place / "moved");
    EXPECT_EQ(folder.checkInPlace().error().code, ErrorCode::Io);
    EXPECT_FALSE(folder.addMeasurement(sample.measurements.front()).ok());
    std::filesystem::copy(place / "moved", path, std::filesystem::copy_options::recursive);
    EXPECT_FALSE(folder.checkInPlace().ok()) << "a copy is another folder";
    EXPECT_FALSE(folder.addEvent({"", EventKind::Note}).ok());
    std::filesystem::remove_all(path);
    std::filesystem::rename(place / "moved", path);
    EXPECT_TRUE(folder.checkInPlace().ok()) << "it is back";
    std::filesystem::remove(path / "environment.json");
    EXPECT_FALSE(folder.checkInPlace().ok());
}

}  // namespace
}  // namespace qs::core
