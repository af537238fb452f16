#include "core/record/journal/journal_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace qs::core {
namespace {

using ::testing::HasSubstr;

std::string refusal(std::string_view line)
{
    const auto record = decodeJournalLine(line);
    return record.ok() ? "accepted" : record.error().message;
}

TEST(JournalLine, HasTheDocumentedText)
{
    // CRC-32 of {"a":1} by `python3 -c 'import zlib; print(hex(zlib.crc32(b"{\"a\":1}")))'`.
    EXPECT_EQ(encodeJournalLine({{"a", 1}}).value(), "7 561bacaf {\"a\":1}\n");
}

TEST(JournalLine, ReadsBackWhatItWrote)
{
    const Json record{{"type", "row"},
                      {"text", "line\nbreak \"é\" \u200b"},
                      {"samples", {0.1, 1e-300, -0.0, 5}},
                      {"big", std::numeric_limits<std::uint64_t>::max()},
                      {"none", nullptr}};
    std::string line = encodeJournalLine(record).value();
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    line.pop_back();
    EXPECT_EQ(decodeJournalLine(line).value().json.root().json(), record);
}

TEST(JournalLine, WhatIsReadIsClean)
{
    std::string line = encodeJournalLine({{"text", "a\x1b[2J\u202E"}}).value();
    line.pop_back();
    EXPECT_EQ(decodeJournalLine(line).value().json.root().json(), (Json{{"text", "a�[2J�"}}));
}

TEST(JournalLine, RefusesRecordsThatWouldNotSurvive)
{
    EXPECT_THAT(encodeJournalLine({{"x", std::nan("")}}).error().message, HasSubstr("NaN"));
    EXPECT_THAT(encodeJournalLine({{"x", {1.0, INFINITY}}}).error().message, HasSubstr("NaN"));
    EXPECT_THAT(encodeJournalLine({{"x", "\xFF"}}).error().message, HasSubstr("not UTF-8"));
    EXPECT_THAT(encodeJournalLine(Json::binary({1, 2})).error().message, HasSubstr("binary"));
    EXPECT_THAT(encodeJournalLine(std::string(kMaximumRecordBytes, 'x')).error().message,
                HasSubstr("larger than the limit"));
    Json deep;
    for (int i = 0; i < 65; ++i)
        deep = Json::array({deep});
    EXPECT_THAT(encodeJournalLine(deep).error().message, HasSubstr("nested deeper"));
}

TEST(JournalLine, SaysWhatIsWrong)
{
    EXPECT_EQ(refusal("7 561bacaf {\"a\":1}"), "accepted");
    for (const char* line : {"", " ", "x", "7", "07 561bacaf {\"a\":1}", "-7 561bacaf {\"a\":1}",
                             "7x 561bacaf {\"a\":1}", "99999999999999999999 561bacaf {\"a\":1}",
                             "16777217 561bacaf {\"a\":1}", "{\"a\":1}"})
        EXPECT_THAT(refusal(line), HasSubstr("start with the length")) << line;
    for (const char* line : {"7 ", "7 561baca", "7 561bacaf", "7 561BACAF {\"a\":1}",
                             "7 561baca  {\"a\":1}", "7  561bacaf {\"a\":1}"})
        EXPECT_THAT(refusal(line), HasSubstr("no checksum")) << line;
    EXPECT_THAT(refusal("7 561bacaf {\"a\":1} "), HasSubstr("8 bytes of record instead of 7"));
    EXPECT_THAT(refusal("7 561bacaf {\"a\":1"), HasSubstr("6 bytes of record instead of 7"));
    EXPECT_THAT(refusal("7 561bacaf {\"a\":2}"), HasSubstr("instead of 561bacaf"));
    EXPECT_THAT(refusal("1 b7b2364b {"), HasSubstr("checksum"));
    // A right checksum over something that is no JSON: CRC-32 of "{" is 15d54739.
    EXPECT_THAT(refusal("1 15d54739 {"), HasSubstr("not a valid JSON"));
}

}  // namespace
}  // namespace qs::core
