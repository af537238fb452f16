#include "core/record/journal/journal.h"
#include "core/record/journal/journal_line.h"
#include "core/record/journal/journal_scanner.h"

#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using ::testing::HasSubstr;
using tests::TestFolder;

// A journal of three records of different lengths, and the offsets where its lines end.
struct Sample {
    std::string bytes;
    std::vector<std::size_t> lineEnds;
};

Sample sample()
{
    Sample sample{journalHeaderLine(), {}};
    sample.lineEnds.push_back(sample.bytes.size());
    for (const Json& record : {Json{{"n", 0}}, Json{{"n", 1}, {"text", "größe\n"}},
                               Json{{"n", 2}, {"list", {1.5, 2}}}}) {
        sample.bytes += encodeJournalLine(record).value();
        sample.lineEnds.push_back(sample.bytes.size());
    }
    return sample;
}

// Whole lines within the first `length` bytes, the header not counted.
std::size_t wholeRecords(const Sample& sample, std::size_t length)
{
    std::size_t lines = 0;
    for (const std::size_t end : sample.lineEnds)
        lines += end <= length ? 1 : 0;
    return lines > 0 ? lines - 1 : 0;
}

TEST(JournalDamage, EveryTruncationKeepsAllRecordsBeforeItAndTakesNewOnes)
{
    const TestFolder folder;
    const Sample good = sample();
    for (std::size_t length = 0; length <= good.bytes.size(); ++length) {
        tests::writeFile(folder / "j", good.bytes.substr(0, length));
        const std::size_t whole = wholeRecords(good, length);
        std::size_t goodBytes = 0;
        for (const std::size_t end : good.lineEnds)
            goodBytes = end <= length ? end : goodBytes;

        // Reading changes nothing.
        const JournalContent before = readJournal(folder / "j").value();
        EXPECT_EQ(before.records.size(), whole) << length;
        EXPECT_FALSE(before.damage.has_value()) << length;
        EXPECT_EQ(before.tornBytes, length - goodBytes) << length;
        ASSERT_EQ(tests::readFile(folder / "j").size(), length);

        auto opened = Journal::open(folder / "j");
        ASSERT_TRUE(opened.ok()) << length << ": " << opened.error().message;
        EXPECT_EQ(opened.value().records(), whole) << length;
        EXPECT_EQ(opened.value().droppedBytes(), length - goodBytes) << length;
        ASSERT_TRUE(opened.value().append({{"n", "new"}}).ok());
        const JournalContent after = readJournal(folder / "j").value();
        ASSERT_EQ(after.records.size(), whole + 1) << length;
        for (std::size_t n = 0; n < whole; ++n)
            EXPECT_EQ(after.records[n]["n"], n);
        EXPECT_EQ(after.records[whole]["n"], "new");
    }
}

TEST(JournalDamage, EveryFlippedBitIsFoundAndCostsNoRecordBeforeIt)
{
    const TestFolder folder;
    const Sample good = sample();
    const std::size_t lastLine = good.lineEnds[good.lineEnds.size() - 2];
    for (std::size_t at = 0; at < good.bytes.size(); ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string bytes = good.bytes;
            bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << bit));
            tests::writeFile(folder / "j", bytes);
            const JournalContent content = readJournal(folder / "j").value();
            EXPECT_EQ(content.records.size(), wholeRecords(good, at)) << at << " bit " << bit;
            for (std::size_t n = 0; n < content.records.size(); ++n)
                EXPECT_EQ(content.records[n]["n"], n);
            // In the last line it may be a torn append (an unfinished sector); anywhere else it is
            // damage, and the file is left alone.
            if (at < lastLine) {
                EXPECT_TRUE(content.damage.has_value()) << at;
                EXPECT_FALSE(Journal::open(folder / "j").ok()) << at;
                EXPECT_EQ(tests::readFile(folder / "j"), bytes) << at;
            }
        }
    }
}

TEST(JournalDamage, ALineFeedInTheLastRecordIsNotMistakenForItsEnd)
{
    const TestFolder folder;
    const Sample good = sample();
    std::string bytes = good.bytes;
    bytes[bytes.size() - 5] = '\n';
    tests::writeFile(folder / "j", bytes);
    const auto opened = Journal::open(folder / "j");
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(tests::readFile(folder / "j"), bytes);
}

TEST(JournalDamage, NamesLineAndByteAndKeepsTheRecordsBefore)
{
    const TestFolder folder;
    const Sample good = sample();
    std::string bytes = good.bytes;
    bytes[good.lineEnds[2] - 3] = 'X';
    tests::writeFile(folder / "j", bytes);
    const Error error = Journal::open(folder / "j").error();
    EXPECT_EQ(error.code, ErrorCode::Format);
    EXPECT_THAT(error.message, HasSubstr("is damaged at line 3 (byte " +
                                         std::to_string(good.lineEnds[1]) + "): the checksum is "));
    EXPECT_THAT(error.message, HasSubstr("the 1 records before it are whole"));
    const JournalContent saved = readJournal(folder / "j").value();
    ASSERT_EQ(saved.records.size(), 1U);
    EXPECT_EQ(saved.records[0]["n"], 0);
    EXPECT_EQ(saved.damage->message, error.message);
    JournalReader reader = JournalReader::open(folder / "j").value();
    EXPECT_TRUE(reader.next().value().has_value());
    EXPECT_FALSE(reader.next().ok());
    EXPECT_FALSE(reader.next().ok());
}

TEST(JournalDamage, ATailThatNoAppendCanLeaveIsDamage)
{
    const TestFolder folder;
    const Sample good = sample();
    // A damaged line feed joins two durable records, or the last one with nothing: neither may be
    // cut off.
    for (const std::size_t end : {good.lineEnds[2], good.lineEnds[3]}) {
        std::string bytes = good.bytes;
        bytes[end - 1] = 'J';
        tests::writeFile(folder / "j", bytes);
        EXPECT_EQ(Journal::open(folder / "j").error().code, ErrorCode::Format);
        EXPECT_EQ(tests::readFile(folder / "j"), bytes);
    }
    for (const char* tail :
         {"hello", "hello\n", "12", "12\n", "\n", "0", "7 561bacaf {\"a\":2}\n"}) {
        tests::writeFile(folder / "j", good.bytes + tail);
        const bool torn = std::string_view(tail) == "12" || std::string_view(tail).size() > 15;
        EXPECT_EQ(Journal::open(folder / "j").ok(), torn) << tail;
    }
}

TEST(JournalDamage, ATailOfZeroBytesIsTorn)
{
    const TestFolder folder;
    const Sample good = sample();
    // What some file systems leave after a power cut: the length is durable, the bytes are not.
    tests::writeFile(folder / "j", good.bytes + std::string(4096, '\0'));
    const Journal journal = Journal::open(folder / "j").value();
    EXPECT_EQ(journal.records(), 3U);
    EXPECT_EQ(journal.droppedBytes(), 4096U);
}

TEST(JournalDamage, ALineLongerThanAnyRecordIsDamageEvenAtTheEnd)
{
    const TestFolder folder;
    tests::writeFile(folder / "j", sample().bytes + std::string(kMaximumRecordBytes + 100, 'x'));
    EXPECT_THAT(Journal::open(folder / "j").error().message, HasSubstr("longer than any record"));
}

TEST(JournalDamage, FilesOfOthersAreRefusedAndLeftAlone)
{
    const TestFolder folder;
    for (const std::string& text :
         {std::string("hello"), std::string("hello\n"), std::string("{\"a\":1}\n"),
          std::string("\n"), std::string(100, '\0'), std::string("7 561bacaf {\"a\":1}\n"),
          encodeJournalLine({{"format", "quantscope-journal"}}).value(),
          encodeJournalLine({{"format", "quantscope-journal"}, {"schema_version", "1"}}).value(),
          encodeJournalLine({{"format", "other"}, {"schema_version", 1}}).value(),
          encodeJournalLine({{"format", "quantscope-journal"}, {"schema_version", 0}}).value(),
          encodeJournalLine(Json::array({1})).value(), journalHeaderLine().substr(0, 20) + "x"}) {
        tests::writeFile(folder / "j", text);
        const auto opened = Journal::open(folder / "j");
        ASSERT_FALSE(opened.ok()) << text;
        EXPECT_THAT(opened.error().message, HasSubstr("is not a journal of QuantScope")) << text;
        EXPECT_EQ(tests::readFile(folder / "j"), text);
        EXPECT_TRUE(readJournal(folder / "j").value().damage.has_value());
    }
}

TEST(JournalDamage, AJournalOfTheFutureIsRefusedAsSuch)
{
    const TestFolder folder;
    tests::writeFile(folder / "j", encodeJournalLine({{"format", "quantscope-journal"},
                                                      {"schema_version", 2},
                                                      {"compression", "zstd"}})
                                       .value());
    const Error error = Journal::open(folder / "j").error();
    EXPECT_EQ(error.code, ErrorCode::Unsupported);
    EXPECT_THAT(error.message,
                HasSubstr("newer QuantScope (journal version 2, this program knows 1)"));
}

} // namespace
} // namespace qs::core
