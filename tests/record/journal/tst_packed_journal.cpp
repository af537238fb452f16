// Journals that their users packed with gzip.

#include "core/record/journal/journal.h"
#include "core/record/journal/journal_line.h"
#include "core/record/journal/journal_place.h"
#include "core/record/journal/journal_scanner.h"
#include "tests/support/gzipped.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace qs::core {
namespace {

using ::testing::HasSubstr;
using tests::gzipped;
using tests::TestFolder;

std::string journalOf(int records)
{
    std::string text = journalHeaderLine();
    for (int i = 0; i < records; ++i)
        text += encodeJournalLine(Json{{"n", i}, {"square", i * i}}).value();
    return text;
}

class PackedJournal : public testing::Test
{
protected:
    void put(const std::string& bytes) const
    {
        tests::writeFile(m_folder / kPackedJournalName, bytes);
    }
    [[nodiscard]] JournalContent read() const { return readJournal(place()).value(); }
    [[nodiscard]] FilePlace place() const { return journalPlace(m_folder.path()); }

    TestFolder m_folder;
    const std::string m_text = journalOf(60);
};

TEST_F(PackedJournal, HoldsTheSameRecords)
{
    put(gzipped(m_text));
    const JournalContent content = read();
    ASSERT_EQ(content.records.size(), 60U);
    EXPECT_EQ(content.records.back(), (Json{{"n", 59}, {"square", 59 * 59}}));
    EXPECT_FALSE(content.damage.any());
    EXPECT_EQ(content.tornBytes, 0U);
}

// gzip appends so.
TEST_F(PackedJournal, MayBePackedInParts)
{
    const std::size_t middle = m_text.size() / 2;
    put(gzipped(m_text.substr(0, middle)) + gzipped(m_text.substr(middle)));
    EXPECT_EQ(read().records.size(), 60U);
    EXPECT_FALSE(read().damage.any());
}

TEST_F(PackedJournal, WhatFollowsThatIsNotPackedIsDamage)
{
    put(gzipped(m_text) + m_text);
    EXPECT_EQ(read().records.size(), 60U);
    EXPECT_TRUE(read().damage.any());
    put(m_text);
    EXPECT_EQ(read().records.size(), 0U);
    EXPECT_TRUE(read().damage.any());
    put("");
    EXPECT_TRUE(read().damage.any());
}

TEST_F(PackedJournal, StandsBehindOneThatIsNotPacked)
{
    put(gzipped(m_text));
    tests::writeFile(m_folder / kJournalName, journalOf(2));
    EXPECT_EQ(read().records.size(), 2U);
}

TEST_F(PackedJournal, ATornTailWasPackedWithIt)
{
    put(gzipped(m_text + "812 5c0f1a2b {\"cell\":"));
    const JournalContent content = read();
    EXPECT_EQ(content.records.size(), 60U);
    EXPECT_EQ(content.tornBytes, 21U);
    EXPECT_FALSE(content.damage.any());
}

TEST_F(PackedJournal, EveryTruncationIsDamageAndKeepsWhatIsBeforeIt)
{
    const std::string packed = gzipped(m_text);
    std::size_t before = 0;
    for (std::size_t length = 20; length < packed.size(); length += 7) {
        put(packed.substr(0, length));
        const JournalContent content = read();
        EXPECT_TRUE(content.damage.any()) << length;
        EXPECT_GE(content.records.size(), before) << length;
        before = content.records.size();
    }
    EXPECT_GT(before, 40U);
}

TEST_F(PackedJournal, EveryFlippedBitIsFound)
{
    const std::string packed = gzipped(m_text);
    // The first ten bytes are gzip's header, whose time and system nobody checks.
    for (std::size_t at = 10; at < packed.size(); at += 3) {
        std::string damaged = packed;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
        put(damaged);
        const JournalContent content = read();
        // Of the last byte of data, in front of their sum, some bits mean nothing.
        if (at == packed.size() - 9)
            continue;
        EXPECT_TRUE(content.damage.any()) << at;
        // The last eight bytes are the sum and the length of all.
        if (at >= packed.size() - 8)
            EXPECT_EQ(content.records.size(), 60U);
        for (const Json& record : content.records)
            EXPECT_EQ(record.at("square").get<int>(),
                      record.at("n").get<int>() * record.at("n").get<int>());
    }
}

TEST_F(PackedJournal, DamageIsTold)
{
    const std::string packed = gzipped(m_text);
    put(packed.substr(0, packed.size() - 4));
    const JournalDamage damage = read().damage;
    EXPECT_EQ(damage.lines, 1U);
    EXPECT_EQ(damage.bytes, 0U);
    EXPECT_EQ(damage.firstLine, 62U);
    EXPECT_EQ(damage.firstByte, m_text.size());
    EXPECT_THAT(damageText(damage), HasSubstr("too early"));
}

// A quarter of a million bytes that say 256 million zeros.
TEST_F(PackedJournal, ALineWithoutEndTakesNoMemory)
{
    constexpr std::size_t kPart = std::size_t{1} << 26U;
    const std::string part = gzipped(std::string(kPart, '0'));
    std::string packed = gzipped(m_text);
    for (int i = 0; i < 4; ++i)
        packed += part;
    put(packed);
    const JournalContent content = read();
    EXPECT_EQ(content.records.size(), 60U);
    EXPECT_EQ(content.damage.bytes, 4 * kPart);
}

TEST_F(PackedJournal, UnpackingPutsTheOtherInItsPlace)
{
    put(gzipped(m_text));
    ASSERT_TRUE(unpackJournal(m_folder.path()).ok());
    EXPECT_EQ(tests::readFile(m_folder / kJournalName), m_text);
    EXPECT_FALSE(std::filesystem::exists(m_folder / kPackedJournalName));
    ASSERT_TRUE(unpackJournal(m_folder.path()).ok()) << "nothing is left to do";
    EXPECT_EQ(tests::readFile(m_folder / kJournalName), m_text);
}

TEST_F(PackedJournal, DamagedDataAreNotUnpacked)
{
    const std::string packed = gzipped(m_text);
    put(packed.substr(0, packed.size() / 2));
    const Status status = unpackJournal(m_folder.path());
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::Format);
    EXPECT_FALSE(std::filesystem::exists(m_folder / kJournalName));
    EXPECT_EQ(tests::readFile(m_folder / kPackedJournalName).size(), packed.size() / 2);
}

TEST_F(PackedJournal, OneProgramUnpacks)
{
    put(gzipped(m_text));
    const FileDescriptor lock = lockJournal(place()).value();
    const Status status = unpackJournal(m_folder.path());
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::Io);
    EXPECT_TRUE(std::filesystem::exists(m_folder / kPackedJournalName));
}

}  // namespace
}  // namespace qs::core
