#include "core/model/tensor_file.h"

#include "core/base/npy_header.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace qs::core {
namespace {

using tests::TestFolder;
using tests::writeFile;
using Floats = std::vector<float>;
using Wholes = std::vector<std::int64_t>;

template <typename Value>
std::string bytesOf(const std::vector<Value>& values)
{
    std::string bytes(values.size() * sizeof(Value), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

HostTensor readNpyOf(const TestFolder& folder, std::string_view type, std::int64_t count,
                     const std::string& bytes)
{
    writeFile(folder / "a.npy", npyHeader({count}, 64, type) + bytes);
    return readTensorFile(folder / "a.npy", {}).value();
}

TEST(TensorFile, EveryTypeOfNumPyIsRead)
{
    const TestFolder folder;
    const auto floats = [&](std::string_view type, const std::string& bytes, std::int64_t count) {
        return std::get<Floats>(readNpyOf(folder, type, count, bytes).values);
    };
    const auto wholes = [&](std::string_view type, const std::string& bytes, std::int64_t count) {
        return std::get<Wholes>(readNpyOf(folder, type, count, bytes).values);
    };
    EXPECT_EQ(floats("<f8", bytesOf<double>({0.1, -2.5}), 2), (Floats{0.1F, -2.5F}));
    EXPECT_EQ(floats("<f4", bytesOf<float>({0.1F, -2.5F}), 2), (Floats{0.1F, -2.5F}));
    // numpy.float16: 1, -2, the largest, the smallest normal, the smallest, -0, infinity
    const Floats half = floats(
        "<f2", bytesOf<std::uint16_t>({0x3C00, 0xC000, 0x7BFF, 0x0400, 0x0001, 0x8000, 0x7C00}), 7);
    EXPECT_EQ(half, (Floats{1.0F, -2.0F, 65504.0F, 0x1p-14F, 0x1p-24F, -0.0F,
                            std::numeric_limits<float>::infinity()}));
    EXPECT_TRUE(std::signbit(half[5]));
    EXPECT_EQ(wholes("<i8", bytesOf<std::int64_t>({-5, 1LL << 40}), 2), (Wholes{-5, 1LL << 40}));
    EXPECT_EQ(wholes("<i4", bytesOf<std::int32_t>({-5, 7}), 2), (Wholes{-5, 7}));
    EXPECT_EQ(wholes("<i2", bytesOf<std::int16_t>({-5, 7}), 2), (Wholes{-5, 7}));
    EXPECT_EQ(wholes("|i1", "\xFB\x07", 2), (Wholes{-5, 7}));
    EXPECT_EQ(wholes("<u4", bytesOf<std::uint32_t>({0xFFFFFFFFU}), 1), (Wholes{0xFFFFFFFFLL}));
    EXPECT_EQ(wholes("<u2", bytesOf<std::uint16_t>({0xFFFFU}), 1), (Wholes{0xFFFF}));
    EXPECT_EQ(wholes("|u1", "\xFF\x01", 2), (Wholes{255, 1}));
    EXPECT_EQ(wholes("|b1", std::string("\x00\x01", 2), 2), (Wholes{0, 1}));
}

TEST(TensorFile, WhatIsWrittenComesBack)
{
    const TestFolder folder;
    for (const HostTensor& tensor :
         {HostTensor{{2, 1}, Floats{0.5F, -1.0F}}, HostTensor{{1, 3}, Wholes{1, -2, 1LL << 60}}}) {
        writeFile(folder / "a.npy", encodeNpy(tensor));
        const HostTensor back = readTensorFile(folder / "a.npy", {}).value();
        EXPECT_EQ(back.shape, tensor.shape);
        EXPECT_EQ(back.values, tensor.values);
    }
}

TEST(TensorFile, TokenIdsAreLinesOfWholeNumbers)
{
    const TestFolder folder;
    writeFile(folder / "ids.txt", "1, 2 3\n\n4\t5,6\r\n");
    const HostTensor ids = readTensorFile(folder / "ids.txt", {}).value();
    EXPECT_EQ(ids.shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(std::get<Wholes>(ids.values), (Wholes{1, 2, 3, 4, 5, 6}));
    for (const char* text :
         {"", "\n \n", "1 2\n3\n", "1 two\n", "1.5 2\n", "99999999999999999999"}) {
        writeFile(folder / "ids.txt", text);
        EXPECT_EQ(readTensorFile(folder / "ids.txt", {}).error().code, ErrorCode::Format) << text;
    }
}

TEST(TensorFile, TokenIdsAreListsOfWholeNumbers)
{
    const TestFolder folder;
    writeFile(folder / "ids.json", "[[1, 2, 3],\n [4, 5, 6]]");
    const HostTensor ids = readTensorFile(folder / "ids.json", {}).value();
    EXPECT_EQ(ids.shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(std::get<Wholes>(ids.values), (Wholes{1, 2, 3, 4, 5, 6}));
    for (const char* text :
         {"", "[]", "{}", "[1, 2]", "[[]]", "[[1], [2, 3]]", "[[1.5]]", "[[\"1\"]]", "[[1], null]",
          "[[[1]]]", "[[9223372036854775808]]", "[[1], {\"a\": 1}]"}) {
        writeFile(folder / "ids.json", text);
        EXPECT_FALSE(readTensorFile(folder / "ids.json", {}).ok()) << text;
    }
}

class BadNpy : public ::testing::TestWithParam<std::string>
{
};

TEST_P(BadNpy, IsRefused)
{
    const TestFolder folder;
    writeFile(folder / "a.npy", GetParam());
    const auto read = readTensorFile(folder / "a.npy", {});
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code, ErrorCode::Format);
    EXPECT_THAT(read.error().message, ::testing::HasSubstr("a.npy"));
}

std::string withHeader(const std::string& header)
{
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
}

INSTANTIATE_TEST_SUITE_P(
    TensorFile, BadNpy,
    ::testing::Values(
        "", "PK\x03\x04", npyHeader({1}, 64, "|O") + "x", npyHeader({1}, 64, ">f4") + "abcd",
        npyHeader({1}, 64, "<c8") + "abcdefgh", npyHeader({2}, 64, "<f4") + "abcd",
        npyHeader({1}, 64, "<u8") + std::string(8, '\xFF'),
        npyHeader({1LL << 40, 1LL << 40}, 64, "|u1"), npyHeader({1LL << 33}, 64, "|u1"),
        withHeader("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }") + "abcd",
        withHeader("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }") + "abcd",
        withHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }") + "abcd",
        std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\x7F", 12)));

TEST(TensorFile, WholeNumbersAreNotMadeOfOthers)
{
    EXPECT_FALSE(asWhole({{1}, Floats{1.0F}}, true).ok());
    EXPECT_EQ(std::get<Floats>(asWhole({{1}, Wholes{3}}, false).value().values), Floats{3.0F});
    EXPECT_EQ(std::get<Wholes>(asWhole({{1}, Wholes{3}}, true).value().values), Wholes{3});
}

}  // namespace
}  // namespace qs::core
