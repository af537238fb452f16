#include "core/image/exif.h"

#include <gtest/gtest.h>

#include <string>

namespace qs::core {
namespace {

std::string number(std::uint32_t value, int size, bool big)
{
    std::string text;
    for (int i = 0; i < size; ++i) {
        const int shift = 8 * (big ? size - 1 - i : i);
        text += static_cast<char>((value >> shift) & 255U);
    }
    return text;
}

struct Entry {
    std::uint32_t tag = 0x0112;
    std::uint32_t type = 3;
    std::uint32_t count = 1;
    std::uint32_t value = 6;
};

std::string segment(bool big, const std::vector<Entry>& entries)
{
    std::string text("Exif\0\0", 6);
    text += big ? "MM" : "II";
    text += number(42, 2, big) + number(8, 4, big);
    text += number(static_cast<std::uint32_t>(entries.size()), 2, big);
    for (const Entry& entry : entries)
        text += number(entry.tag, 2, big) + number(entry.type, 2, big) +
                number(entry.count, 4, big) + number(entry.value, 2, big) + number(0, 2, big);
    return text;
}

int orientation(const std::string& text)
{
    return exifOrientation(std::as_bytes(std::span(text)));
}

TEST(Exif, FindsTheOrientationInBothByteOrders)
{
    for (const bool big : {false, true}) {
        for (std::uint32_t value = 1; value <= 8; ++value)
            EXPECT_EQ(orientation(segment(big, {{.tag = 0x010F}, {.value = value}})),
                      static_cast<int>(value));
    }
}

TEST(Exif, DamageMeansAsStored)
{
    EXPECT_EQ(orientation(""), 1);
    EXPECT_EQ(orientation(segment(true, {})), 1);
    EXPECT_EQ(orientation(segment(true, {{.value = 9}})), 1);
    EXPECT_EQ(orientation(segment(true, {{.value = 0}})), 1);
    EXPECT_EQ(orientation(segment(true, {{.type = 4}})), 1);
    EXPECT_EQ(orientation(segment(true, {{.count = 2}})), 1);
    EXPECT_EQ(orientation(segment(true, {{.tag = 0x0113}})), 1);
    std::string wrongMagic = segment(false, {{}});
    wrongMagic[8] = 43;
    EXPECT_EQ(orientation(wrongMagic), 1);
    std::string farDirectory = segment(false, {{}});
    farDirectory.replace(10, 4, "\xFF\xFF\xFF\xFF");
    EXPECT_EQ(orientation(farDirectory), 1);
    std::string manyEntries = segment(false, {{.tag = 1}});
    manyEntries.replace(14, 2, "\xFF\xFF");
    EXPECT_EQ(orientation(manyEntries), 1);
}

TEST(Exif, EveryTruncationMeansAsStored)
{
    const std::string good = segment(true, {{.tag = 0x010F}, {.value = 6}});
    ASSERT_EQ(orientation(good), 6);
    // The last two bytes of the entry are padding behind the value.
    for (std::size_t length = 0; length + 2 < good.size(); ++length)
        EXPECT_EQ(orientation(good.substr(0, length)), 1) << length;
}

TEST(Exif, OrientationsComeBack)
{
    Picture picture = makePicture(3, 2, 1);
    for (std::size_t i = 0; i < 6; ++i)
        picture.values[i] = static_cast<float>(i);
    // Each orientation and the one that undoes it.
    for (const auto& [there, back] :
         {std::pair{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 8}, {7, 7}, {8, 6}})
        EXPECT_EQ(applyOrientation(applyOrientation(picture, there), back), picture) << there;
    // 6: the first stored row becomes the right column, read downwards.
    const Picture turned = applyOrientation(picture, 6);
    EXPECT_EQ(turned.width, 2);
    EXPECT_EQ(turned.values, (std::vector<float>{3, 0, 4, 1, 5, 2}));
}

}  // namespace
}  // namespace qs::core
