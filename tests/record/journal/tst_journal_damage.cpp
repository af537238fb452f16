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
        EXPECT_FALSE(before.damage.any()) << length;
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

// The numbers of the records that were read, in their order.
std::vector<int> numbersIn(const JournalContent& content)
{
    std::vector<int> numbers;
    for (const Json& record : content.records)
        numbers.push_back(record.at("n").get<int>());
    return numbers;
}

// The line that holds a byte; 0 is the header.
std::size_t lineOf(const Sample& sample, std::size_t byte)
{
    return wholeRecords(sample, byte) + (byte >= sample.lineEnds.front() ? 1 : 0);
}

TEST(JournalDamage, EveryFlippedBitIsFoundAndCostsNoOtherRecord)
{
    const TestFolder folder;
    const Sample good = sample();
    for (std::size_t at = 0; at < good.bytes.size(); ++at) {
        const bool isFeed = good.bytes[at] == '\n';
        const std::size_t line = lineOf(good, at);
        std::vector<int> expected{0, 1, 2};
        if (!isFeed && line > 0)
            expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(line) - 1);
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string bytes = good.bytes;
            bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << bit));
            tests::writeFile(folder / "j", bytes);
            const JournalContent content = readJournal(folder / "j").value();
            EXPECT_EQ(numbersIn(content), expected) << at << " bit " << bit;
            // Zeros at the end are a torn append (an unfinished sector). Anything else is damage,
            // and the file is left alone.
            if (line == 3 && bytes[at] == '\0') {
                EXPECT_GT(content.tornBytes, 0U) << at;
                continue;
            }
            EXPECT_TRUE(content.damage.any()) << at;
            EXPECT_FALSE(Journal::open(folder / "j").ok()) << at;
            EXPECT_EQ(tests::readFile(folder / "j"), bytes) << at;
        }
    }
}

TEST(JournalDamage, IsCountedAndPassedOver)
{
    const TestFolder folder;
    const Sample good = sample();
    const auto damageOf = [&](const std::string& bytes) {
        tests::writeFile(folder / "j", bytes);
        return readJournal(folder / "j").value();
    };
    const std::string lines[] = {
        good.bytes.substr(0, good.lineEnds[0]),
        good.bytes.substr(good.lineEnds[0], good.lineEnds[1] - good.lineEnds[0]),
        good.bytes.substr(good.lineEnds[1], good.lineEnds[2] - good.lineEnds[1]),
        good.bytes.substr(good.lineEnds[2])};
    // Noise between records, without line feeds and longer than any line.
    for (const std::size_t length :
         {std::size_t{10}, std::size_t{1} << 16U, kMaximumRecordBytes + 500}) {
        const JournalContent content = damageOf(lines[0] + lines[1] + std::string(length, '\xA5') +
                                                "\n" + lines[2] + lines[3]);
        EXPECT_EQ(numbersIn(content), (std::vector{0, 1, 2})) << length;
        EXPECT_EQ(content.damage.lines, 1U);
        EXPECT_EQ(content.damage.bytes, length + 1);
        EXPECT_EQ(content.damage.firstLine, 3U);
        EXPECT_EQ(content.damage.firstByte, good.lineEnds[1]);
    }
    // Zeros in the place of a record and its neighbours' ends: what is whole behind them is found.
    std::string zeroed = good.bytes;
    zeroed.replace(good.lineEnds[0] - 3, good.lineEnds[1] - good.lineEnds[0] + 3,
                   good.lineEnds[1] - good.lineEnds[0] + 3, '\0');
    EXPECT_EQ(numbersIn(damageOf(zeroed)), (std::vector{1, 2}));
    EXPECT_TRUE(damageOf(zeroed).damage.headerMissing);
    // A piece cut out: its line is lost, or only two line feeds.
    EXPECT_EQ(numbersIn(damageOf(lines[0] + lines[1].substr(0, 9) + lines[3])), (std::vector{2}));
    EXPECT_EQ(numbersIn(damageOf(lines[0] + lines[1].substr(0, lines[1].size() - 1) + lines[3])),
              (std::vector{0, 2}));
    // Every line counts, wherever it stands, the header as well.
    const JournalContent shuffled = damageOf(lines[3] + lines[0] + lines[1] + lines[0] + lines[1]);
    EXPECT_EQ(numbersIn(shuffled), (std::vector{2, 0, 0}));
    EXPECT_FALSE(shuffled.damage.any());
    // Nothing but noise.
    std::string noise;
    for (unsigned i = 0; i < 65'536; ++i)
        noise += static_cast<char>((i * 2'654'435'761U) >> 13U);
    EXPECT_EQ(damageOf(noise).damage.bytes, noise.size());
    EXPECT_TRUE(damageOf(noise).damage.headerMissing);
}

TEST(JournalDamage, AHostileLineIsNotSearchedForEver)
{
    const TestFolder folder;
    // Each of these claims all that follows.
    std::string line;
    for (std::size_t left = 200'000; left > 1'000; left = 200'000 - line.size())
        line += std::to_string(left) + " 00000000 {";
    EXPECT_TRUE(recordsWithin(line).empty());
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

TEST(JournalDamage, NamesLineAndByte)
{
    const TestFolder folder;
    const Sample good = sample();
    std::string bytes = good.bytes;
    bytes[good.lineEnds[2] - 3] = 'X';
    tests::writeFile(folder / "j", bytes);
    const Error error = Journal::open(folder / "j").error();
    EXPECT_EQ(error.code, ErrorCode::Format);
    EXPECT_THAT(error.message,
                HasSubstr("is damaged: " + std::to_string(good.lineEnds[2] - good.lineEnds[1]) +
                          " bytes in 1 line unreadable, the first in line 3 at byte " +
                          std::to_string(good.lineEnds[1]) + ": the checksum is "));
    EXPECT_THAT(error.message, HasSubstr("; 2 complete records are in it"));
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
        EXPECT_EQ(Journal::open(folder / "j").ok(), std::string_view(tail) == "12") << tail;
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
    // And costs nothing but itself.
    EXPECT_EQ(readJournal(folder / "j").value().records.size(), 3U);
}

TEST(JournalDamage, FilesOfOthersAreRefusedAndLeftAlone)
{
    const TestFolder folder;
    for (const std::string& text :
         {std::string("hello"), std::string("hello\n"), std::string("{\"a\":1}\n"),
          std::string("\n"), std::string(100, '\0'), journalHeaderLine().substr(0, 20) + "x"}) {
        tests::writeFile(folder / "j", text);
        const auto opened = Journal::open(folder / "j");
        ASSERT_FALSE(opened.ok()) << text;
        EXPECT_THAT(opened.error().message, HasSubstr("is not a QuantScope journal")) << text;
        EXPECT_EQ(tests::readFile(folder / "j"), text);
        EXPECT_TRUE(readJournal(folder / "j").value().damage.any());
    }
    // Lines as ours without our header: nobody knows what wrote them.
    for (const std::string& text :
         {std::string("7 561bacaf {\"a\":1}\n"),
          encodeJournalLine({{"format", "other"}, {"schema_version", 1}}).value(),
          encodeJournalLine(Json::array({1})).value()}) {
        tests::writeFile(folder / "j", text);
        const auto opened = Journal::open(folder / "j");
        ASSERT_FALSE(opened.ok()) << text;
        EXPECT_THAT(opened.error().message, HasSubstr("the header, is missing")) << text;
        EXPECT_EQ(tests::readFile(folder / "j"), text);
    }
}

TEST(JournalDamage, AJournalOfAnotherVersionIsRefusedAsSuch)
{
    const TestFolder folder;
    for (const auto& [version, words] :
         {std::pair(Json(2), "schema version 2"), std::pair(Json(0), "schema version 0"),
          std::pair(Json("1"), "schema version \"1\""), std::pair(Json(), "schema version null")}) {
        const Json header{{"format", "quantscope-journal"}, {"schema_version", version}, {"x", 7}};
        tests::writeFile(folder / "j", encodeJournalLine(header).value());
        const Error error = Journal::open(folder / "j").error();
        EXPECT_EQ(error.code, ErrorCode::Unsupported);
        EXPECT_EQ(error.message,
                  (folder / "j").string() + ": " + words + ", but this program reads version 1");
    }
}

}  // namespace
}  // namespace qs::core
