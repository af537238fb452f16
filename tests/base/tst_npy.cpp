#include "core/base/npy.h"

#include "core/base/npy_writer.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace qs::core {
namespace {

using ::testing::HasSubstr;
using tests::readFile;
using tests::TestFolder;
using tests::writeFile;

TEST(Npy, WritesTheLayoutOfNumPy)
{
    const std::string bytes = encodeNpy({{2, 3}, {0, 1, 2, 3, 4, 5}});
    // Header text, padding and length as numpy.lib.format writes them for this array.
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    EXPECT_EQ(bytes.size(), 128U + 24U);
    EXPECT_THAT(bytes, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"));
    EXPECT_EQ(bytes[127], '\n');
    EXPECT_THAT(encodeNpy({{5}, std::vector<float>(5)}), HasSubstr("'shape': (5, ), }"));
}

TEST(Npy, ReadsBackWhatItWrote)
{
    const TestFolder folder;
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{}, {7}, {2, 3, 4}, {0, 3}}) {
        FloatArray array{shape, {}};
        std::int64_t count = 1;
        for (const auto extent : shape)
            count *= extent;
        for (std::int64_t i = 0; i < count; ++i)
            array.values.push_back(static_cast<float>(i) - 0.5F);
        ASSERT_TRUE(writeNpy(folder / "a.npy", array).ok());
        const FloatArray back = readNpy(folder / "a.npy").value();
        EXPECT_EQ(back.shape, array.shape);
        EXPECT_EQ(back.values, array.values);
    }
}

TEST(Npy, ReadsEntriesAndShapesAlone)
{
    const TestFolder folder;
    ASSERT_TRUE(writeNpy(folder / "a.npy", {{3, 1, 2}, {0, 1, 2, 3, 4, 5}}).ok());
    EXPECT_EQ(readNpyShape(folder / "a.npy").value(), (std::vector<std::int64_t>{3, 1, 2}));
    const FloatArray part = readNpyEntries(folder / "a.npy", 1, 2).value();
    EXPECT_EQ(part.shape, (std::vector<std::int64_t>{2, 1, 2}));
    EXPECT_EQ(part.values, (std::vector<float>{2, 3, 4, 5}));
    EXPECT_TRUE(readNpyEntries(folder / "a.npy", 3, 0).value().values.empty());
    for (const auto& [first, count] :
         {std::pair<std::int64_t, std::int64_t>{2, 2}, {-1, 1}, {0, -1}, {4, 0}, {INT64_MAX, 1}})
        EXPECT_EQ(readNpyEntries(folder / "a.npy", first, count).error().code,
                  ErrorCode::InvalidArgument)
            << first;
    ASSERT_TRUE(writeNpy(folder / "one.npy", {{}, {7}}).ok());
    EXPECT_FALSE(readNpyEntries(folder / "one.npy", 0, 1).ok()) << "it has no first dimension";
}

TEST(Npy, WritesEntryByEntry)
{
    const TestFolder folder;
    {
        auto writer = NpyWriter::create(folder / "a.npy", {1, 2}).value();
        for (const float value : {1.0F, 2.0F, 3.0F})
            ASSERT_TRUE(writer.append(std::vector{value, -value}).ok());
        EXPECT_FALSE(std::filesystem::exists(folder / "a.npy")) << "not before it is whole";
        ASSERT_TRUE(writer.finish().ok());
    }
    const FloatArray array = readNpy(folder / "a.npy").value();
    EXPECT_EQ(array.shape, (std::vector<std::int64_t>{3, 1, 2}));
    EXPECT_EQ(array.values, (std::vector<float>{1, -1, 2, -2, 3, -3}));
    EXPECT_EQ(readFile(folder / "a.npy").size() % 64, 24U) << "the values begin at such a multiple";
}

TEST(Npy, LeavesNothingOfWhatIsNotFinished)
{
    const TestFolder folder;
    ASSERT_TRUE(writeNpy(folder / "a.npy", {{1}, {5}}).ok());
    writeFile(folder / "a.npy.part", "of a program that was killed");
    {
        auto writer = NpyWriter::create(folder / "a.npy", {2}).value();
        std::stop_source stop;
        stop.request_stop();
        EXPECT_EQ(writer.append(std::vector{1.0F, 2.0F}, stop.get_token()).error().code,
                  ErrorCode::Cancelled);
    }
    EXPECT_EQ(readNpy(folder / "a.npy").value().values, std::vector<float>{5});
    EXPECT_FALSE(std::filesystem::exists(folder / "a.npy.part"));
    EXPECT_FALSE(NpyWriter::create(folder / "nowhere" / "a.npy", {2}).ok());
}

TEST(Npy, ReadsAWindowOfEveryPlane)
{
    const TestFolder folder;
    FloatArray array{{2, 3, 5}, {}};
    for (int i = 0; i < 30; ++i)
        array.values.push_back(static_cast<float>(i));
    ASSERT_TRUE(writeNpy(folder / "a.npy", array).ok());
    const FloatArray part =
        readNpyWindow(folder / "a.npy", {.left = 1, .top = 1, .width = 3, .height = 2}).value();
    EXPECT_EQ(part.shape, (std::vector<std::int64_t>{2, 2, 3}));
    EXPECT_EQ(part.values, (std::vector<float>{6, 7, 8, 11, 12, 13, 21, 22, 23, 26, 27, 28}));
    const FloatArray whole =
        readNpyWindow(folder / "a.npy", {.left = 0, .top = 0, .width = 5, .height = 3}).value();
    EXPECT_EQ(whole.values, array.values);
}

TEST(Npy, RefusesWindowsThatAreNotInside)
{
    const TestFolder folder;
    ASSERT_TRUE(writeNpy(folder / "a.npy", {{2, 3}, std::vector<float>(6)}).ok());
    constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
    for (const NpyWindow& window :
         {NpyWindow{-1, 0, 1, 1}, NpyWindow{0, 0, 4, 1}, NpyWindow{0, 2, 1, 1},
          NpyWindow{0, 0, 0, 1}, NpyWindow{kHuge, 0, 1, 1}, NpyWindow{1, 0, kHuge, 1}})
        EXPECT_FALSE(readNpyWindow(folder / "a.npy", window).ok());
    ASSERT_TRUE(writeNpy(folder / "a.npy", {{6}, std::vector<float>(6)}).ok());
    EXPECT_FALSE(readNpyWindow(folder / "a.npy", {0, 0, 1, 1}).ok());
    // No values, and an extent whose product with the next one overflows.
    ASSERT_TRUE(
        writeNpy(folder / "a.npy", {{0, std::int64_t{1} << 40U, std::int64_t{1} << 40U}, {}}).ok());
    EXPECT_FALSE(readNpyWindow(folder / "a.npy", {0, 0, 1, 1}).ok());
}

std::string refusal(const TestFolder& folder, const std::string& bytes)
{
    tests::writeFile(folder / "bad.npy", bytes);
    const auto result = readNpy(folder / "bad.npy", 1000);
    return result.ok() ? "accepted" : result.error().message;
}

TEST(Npy, RefusesDamagedFiles)
{
    const TestFolder folder;
    const std::string good = encodeNpy({{2, 3}, std::vector<float>(6)});
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    EXPECT_EQ(refusal(folder, good), "accepted");
    EXPECT_THAT(refusal(folder, with("<f4", "<f8")), HasSubstr("float32"));
    EXPECT_THAT(refusal(folder, with("False", "True ")), HasSubstr("C order"));
    EXPECT_THAT(refusal(folder, with("(2, 3)", "(2, 4)")), HasSubstr("does not match"));
    EXPECT_THAT(refusal(folder, with("(2, 3)", "(-2,3)")), HasSubstr("shape cannot be read"));
    EXPECT_THAT(refusal(folder, with("NUMPY", "NUMPX")), HasSubstr("magic"));
    EXPECT_THAT(refusal(folder, encodeNpy({{251}, std::vector<float>(251)})), HasSubstr("limit"));
    EXPECT_THAT(refusal(folder, with("(2, 3), }            ", "(4294967296,4294967296)")),
                HasSubstr("not a float32 .npy"));
}

TEST(Npy, RefusesEveryTruncation)
{
    const TestFolder folder;
    const std::string good = encodeNpy({{2, 3}, std::vector<float>(6)});
    for (std::size_t length = 0; length < good.size(); ++length)
        EXPECT_NE(refusal(folder, good.substr(0, length)), "accepted") << length;
}

// As numpy.lib.format writes other versions, of headers that are longer or hold other letters.
TEST(Npy, VersionsTwoAndThreeAreRead)
{
    const TestFolder folder;
    const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n";
    for (const char version : {'\x02', '\x03'}) {
        writeFile(folder / "a.npy", std::string("\x93NUMPY") + version + '\0' +
                                        static_cast<char>(header.size()) + std::string(3, '\0') +
                                        header + std::string("\0\0\x80\x3f", 4));
        EXPECT_EQ(readNpy(folder / "a.npy").value().values, std::vector<float>{1.0F});
    }
    writeFile(folder / "a.npy", std::string("\x93NUMPY\x04\0\0\0\0\0", 12));
    EXPECT_FALSE(readNpy(folder / "a.npy").ok());
}

}  // namespace
}  // namespace qs::core
