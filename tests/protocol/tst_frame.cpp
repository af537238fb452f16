#include "core/protocol/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using ::testing::HasSubstr;

std::span<const std::byte> bytesOf(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::string frame(std::string_view payload)
{
    return encodeFrame(payload).value();
}

// What a reader gives for a stream that is fed in pieces of `piece` bytes; the error, if one comes,
// as last entry.
std::vector<std::string> readAll(std::string_view stream, std::size_t piece)
{
    FrameReader reader;
    std::vector<std::string> payloads;
    while (!stream.empty()) {
        const auto part = stream.substr(0, piece);
        stream.remove_prefix(part.size());
        auto result = reader.feed(bytesOf(part));
        if (!result.ok()) {
            payloads.push_back(result.error().message);
            return payloads;
        }
        for (std::string& payload : result.value())
            payloads.push_back(std::move(payload));
    }
    if (const Status status = reader.finish(); !status.ok())
        payloads.push_back(status.error().message);
    return payloads;
}

TEST(Frame, HasTheDocumentedBytes)
{
    // CRC-32 of "{}" is 0xa3a6bf43, by python3 -c 'import zlib; print(hex(zlib.crc32(b"{}")))'.
    EXPECT_EQ(frame("{}"), std::string("QSF1\x02\x00\x00\x00", 8) + "\x43\xbf\xa6\xa3{}");
}

TEST(Frame, IsReadInPiecesOfEverySize)
{
    const std::vector<std::string> payloads{"{}", "", std::string(300, 'x'), "{\"a\":1}"};
    std::string stream;
    for (const std::string& payload : payloads)
        stream += frame(payload);
    for (std::size_t piece = 1; piece <= stream.size(); ++piece)
        EXPECT_EQ(readAll(stream, piece), payloads) << piece;
}

TEST(Frame, IsReadWhenSplitAtEveryOffset)
{
    const std::string stream = frame("first") + frame("second");
    for (std::size_t split = 0; split <= stream.size(); ++split) {
        FrameReader reader;
        auto payloads = reader.feed(bytesOf(std::string_view(stream).substr(0, split))).value();
        EXPECT_LE(reader.bufferedBytes(), split);
        auto rest = reader.feed(bytesOf(std::string_view(stream).substr(split))).value();
        for (auto& payload : rest)
            payloads.push_back(std::move(payload));
        EXPECT_EQ(payloads, (std::vector<std::string>{"first", "second"})) << split;
        EXPECT_TRUE(reader.finish().ok());
        EXPECT_EQ(reader.bufferedBytes(), 0U);
    }
}

TEST(Frame, AStreamThatEndsInsideAFrameIsDamaged)
{
    const std::string stream = frame("whole") + frame("cut off");
    const std::size_t border = frame("whole").size();
    for (std::size_t length = 0; length <= stream.size(); ++length) {
        FrameReader reader;
        ASSERT_TRUE(reader.feed(bytesOf(std::string_view(stream).substr(0, length))).ok());
        const bool atBorder = length == 0 || length == border || length == stream.size();
        EXPECT_EQ(reader.finish().ok(), atBorder) << length;
        if (!atBorder) {
            EXPECT_THAT(reader.finish().error().message, HasSubstr("ended inside a message"));
        }
    }
}

TEST(Frame, GarbageIsRefusedAtItsFirstWrongByte)
{
    for (const char* garbage :
         {"X", "QX", "QSX", "QSF2", "Q\n", "HTTP/1.1 200 OK", "{\"type\":\"hello\"}"}) {
        FrameReader reader;
        const auto result = reader.feed(bytesOf(garbage));
        ASSERT_FALSE(result.ok()) << garbage;
        EXPECT_EQ(result.error().code, ErrorCode::Format);
        EXPECT_THAT(result.error().message, HasSubstr("wrong magic"));
        // Lost for good, even if something valid follows.
        EXPECT_FALSE(reader.feed(bytesOf(frame("{}"))).ok());
        EXPECT_FALSE(reader.finish().ok());
    }
}

TEST(Frame, EveryFlippedBitIsFound)
{
    const std::string good = frame("{\"type\":\"stop\"}");
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string bytes = good;
            bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << bit));
            FrameReader reader;
            const auto result = reader.feed(bytesOf(bytes));
            // Damage to the length makes the reader wait for more, until the end tells.
            EXPECT_FALSE(result.ok() && !result.value().empty() && reader.finish().ok())
                << at << " bit " << bit;
        }
    }
}

TEST(Frame, LengthsOverTheLimitAreRefusedBeforeTheirBytesCome)
{
    EXPECT_EQ(encodeFrame(std::string(kMaximumPayloadBytes + 1, 'x')).error().code,
              ErrorCode::InvalidArgument);
    FrameReader reader;
    const auto result = reader.feed(bytesOf(std::string("QSF1\x01\x00\x00\x01\0\0\0\0", 12)));
    EXPECT_THAT(result.error().message, HasSubstr("gives 16777217 bytes, more than the limit"));
    EXPECT_THAT(readAll(std::string("QSF1\xFF\xFF\xFF\xFF\0\0\0\0", 12), 1).back(),
                HasSubstr("gives 4294967295 bytes"));
}

TEST(Frame, MemoryGrowsWithTheBytesAndNotWithTheClaim)
{
    FrameReader reader;
    ASSERT_TRUE(reader.feed(bytesOf(std::string("QSF1\x00\x00\x00\x01\0\0\0\0xyz", 15))).ok());
    EXPECT_EQ(reader.bufferedBytes(), 15U);
}

TEST(Frame, TheLargestPayloadPasses)
{
    const std::string payload(kMaximumPayloadBytes, 'x');
    EXPECT_TRUE(readAll(frame(payload), 65'536) == std::vector{payload});
}

TEST(Frame, AFloodOfSmallFramesIsHandedOutAndNotKept)
{
    std::string stream;
    for (int i = 0; i < 100'000; ++i)
        stream += frame("{}");
    FrameReader reader;
    EXPECT_EQ(reader.feed(bytesOf(stream)).value().size(), 100'000U);
    EXPECT_EQ(reader.bufferedBytes(), 0U);
}

TEST(Frame, WhatWasWholeBeforeTheDamageIsNotLost)
{
    FrameReader reader;
    std::string bad = frame("bad");
    bad.back() = 'X';
    EXPECT_EQ(reader.feed(bytesOf(frame("good") + bad)).value(), std::vector<std::string>{"good"});
    ASSERT_TRUE(reader.error().has_value());
    EXPECT_THAT(reader.feed(bytesOf("")).error().message,
                HasSubstr("checksum of a message of 3 bytes does not match"));
}

}  // namespace
}  // namespace qs::core
