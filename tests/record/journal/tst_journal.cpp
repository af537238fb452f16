#include "core/record/journal/journal.h"
#include "core/record/journal/journal_line.h"

#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace qs::core {
namespace {

using ::testing::HasSubstr;
using tests::TestFolder;

TEST(Journal, ANewOneHasItsHeaderAlone)
{
    const TestFolder folder;
    const Journal journal = Journal::open(folder / "journal.jsonl").value();
    EXPECT_EQ(journal.records(), 0U);
    EXPECT_EQ(journal.droppedBytes(), 0U);
    const std::string text = tests::readFile(folder / "journal.jsonl");
    EXPECT_THAT(text, HasSubstr(" {\"format\":\"quantscope-journal\",\"schema_version\":1}\n"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(Journal, KeepsItsRecordsOverOpenings)
{
    const TestFolder folder;
    for (int opening = 0; opening < 3; ++opening) {
        std::vector<Json> seen;
        Journal journal =
            Journal::open(folder / "j", [&](const JournalRecord& record) -> RecordTaker {
                return [&, json = record.json.root().json()] {
                    seen.push_back(json);
                    return Status();
                };
            }).value();
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(2 * opening));
        ASSERT_TRUE(journal.append({{"type", "row"}, {"n", 2 * opening}}).ok());
        ASSERT_TRUE(journal.append({{"type", "row"}, {"n", 2 * opening + 1}}).ok());
        EXPECT_EQ(journal.records(), 2U * static_cast<unsigned>(opening) + 2);
    }
    const JournalContent content = readJournal(folder / "j").value();
    ASSERT_EQ(content.records.size(), 6U);
    EXPECT_FALSE(content.damage.any());
    for (int n = 0; n < 6; ++n)
        EXPECT_EQ(content.records[static_cast<std::size_t>(n)]["n"], n);
}

TEST(Journal, StaysReadableForGrep)
{
    const TestFolder folder;
    Journal journal = Journal::open(folder / "j").value();
    ASSERT_TRUE(journal.append({{"type", "row"}, {"cell", "abc"}, {"note", "two\nlines"}}).ok());
    EXPECT_THAT(tests::readFile(folder / "j"),
                HasSubstr(" {\"cell\":\"abc\",\"note\":\"two\\nlines\",\"type\":\"row\"}\n"));
}

TEST(Journal, RecordsOfManyChunksAreRead)
{
    const TestFolder folder;
    {
        Journal journal = Journal::open(folder / "j").value();
        for (const std::size_t size :
             {std::size_t{10}, std::size_t{262'144}, std::size_t{1'000'000}, std::size_t{3}})
            ASSERT_TRUE(journal.append({{"text", std::string(size, 'x')}}).ok());
    }
    const JournalContent content = readJournal(folder / "j").value();
    ASSERT_EQ(content.records.size(), 4U);
    EXPECT_EQ(content.records[2]["text"].get<std::string>().size(), 1'000'000U);
    EXPECT_EQ(Journal::open(folder / "j").value().records(), 4U);
}

TEST(Journal, ARecordThatCannotBeStoredLeavesTheFileAlone)
{
    const TestFolder folder;
    Journal journal = Journal::open(folder / "j").value();
    const std::string before = tests::readFile(folder / "j");
    EXPECT_THAT(journal.append({{"x", "\xFF"}}).error().message, HasSubstr("cannot append to"));
    EXPECT_EQ(tests::readFile(folder / "j"), before);
    EXPECT_TRUE(journal.append({{"x", 1}}).ok());
}

TEST(Journal, ASecondWriterIsTurnedAway)
{
    const TestFolder folder;
    {
        Journal first = Journal::open(folder / "j").value();
        const auto second = Journal::open(folder / "j");
        ASSERT_FALSE(second.ok());
        EXPECT_EQ(second.error().code, ErrorCode::Io);
        EXPECT_THAT(second.error().message, HasSubstr("another program is writing"));
        EXPECT_TRUE(first.append({{"n", 1}}).ok());
        // Readers are not.
        EXPECT_EQ(readJournal(folder / "j").value().records.size(), 1U);
    }
    EXPECT_TRUE(Journal::open(folder / "j").ok());
}

TEST(Journal, AnotherProcessIsTurnedAwayAndAKilledOneIsNot)
{
    const TestFolder folder;
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        auto journal = Journal::open(folder / "j");
        const char byte = journal.ok() && journal.value().append({{"n", 1}}).ok() ? 'y' : 'n';
        if (::write(ends[1], &byte, 1) == 1)
            ::pause();
        ::_exit(0);
    }
    char byte = 0;
    ASSERT_EQ(::read(ends[0], &byte, 1), 1);
    EXPECT_EQ(byte, 'y');
    EXPECT_THAT(Journal::open(folder / "j").error().message,
                HasSubstr("another program is writing"));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    ::close(ends[0]);
    ::close(ends[1]);
    EXPECT_EQ(Journal::open(folder / "j").value().records(), 1U);
}

TEST(Journal, AWriterThatIgnoresTheLockIsNoticed)
{
    const TestFolder folder;
    Journal journal = Journal::open(folder / "j").value();
    tests::writeFile(folder / "j", tests::readFile(folder / "j") + "7 561bacaf {\"a\":1}\n");
    EXPECT_THAT(journal.append({{"n", 1}}).error().message,
                HasSubstr("was changed by another program"));
}

TEST(Journal, WhoTakesARecordCanEndTheOpening)
{
    const TestFolder folder;
    {
        Journal journal = Journal::open(folder / "j").value();
        ASSERT_TRUE(journal.append({{"n", 1}}).ok());
    }
    const auto opened = Journal::open(folder / "j", [](const JournalRecord&) -> RecordTaker {
        return [] { return Status(Error{ErrorCode::Format, "unknown type"}); };
    });
    EXPECT_EQ(opened.error().message, "unknown type");
    EXPECT_EQ(Journal::open(folder / "j").value().records(), 1U);
}

TEST(Journal, OnlyRegularFilesCanBeJournals)
{
    const TestFolder folder;
    EXPECT_FALSE(Journal::open(folder.path()).ok());
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(Journal::open(folder / "pipe").error().message, HasSubstr("not a regular file"));
    EXPECT_THAT(Journal::open(folder / "no/such/folder").error().message,
                HasSubstr("no/such/folder"));
    EXPECT_EQ(readJournal(folder / "none").error().code, ErrorCode::NotFound);
}

TEST(Journal, ReadersSeeWhatIsThereWhileItIsWritten)
{
    const TestFolder folder;
    Journal journal = Journal::open(folder / "j").value();
    for (int n = 1; n < 4; ++n) {
        ASSERT_TRUE(journal.append({{"n", n}}).ok());
        const JournalContent content = readJournal(folder / "j").value();
        ASSERT_EQ(content.records.size(), static_cast<std::size_t>(n));
        EXPECT_EQ(content.records.back()["n"], n);
        EXPECT_EQ(content.tornBytes, 0U);
    }
}

TEST(Journal, WhatIsAppendedMeanwhileIsNotTakenForTheRestOfATornTail)
{
    const TestFolder folder;
    ASSERT_TRUE(Journal::open(folder / "j").ok());
    const std::string line = encodeJournalLine({{"n", 1}}).value();
    const std::string begun = tests::readFile(folder / "j") + line + line.substr(0, 12);
    tests::writeFile(folder / "j", begun);
    // The record before the tail is taken when the whole of the file has been read.
    const JournalEnd end = readRecords(folder / "j", [&](const JournalRecord&) -> RecordTaker {
                               return [&] {
                                   tests::writeFile(folder / "j", begun + line.substr(12) + line);
                                   return Status();
                               };
                           }).value();
    EXPECT_EQ(end.records, 1U);
    EXPECT_EQ(end.tornBytes, 12U);
    EXPECT_FALSE(end.damage.any());
}

TEST(Journal, RecordsAreTakenInTheirOrderHoweverManyThereAre)
{
    const TestFolder folder;
    std::string text = journalHeaderLine();
    constexpr int kRecords = 20'000;
    for (int n = 0; n < kRecords; ++n)
        text += encodeJournalLine({{"n", n}, {"text", std::string(500, 'x')}}).value();
    tests::writeFile(folder / "j", text);
    int next = 0;
    const JournalEnd end =
        readRecords(folder / "j", [&](const JournalRecord& record) -> RecordTaker {
            return [&, n = record.json.root().member("n")->wholeNumber()] {
                EXPECT_EQ(n, next);
                ++next;
                return Status();
            };
        }).value();
    EXPECT_EQ(next, kRecords);
    EXPECT_EQ(end.records, static_cast<std::uint64_t>(kRecords));
}

}  // namespace
}  // namespace qs::core
