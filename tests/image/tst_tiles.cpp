#include "core/image/tiles.h"

#include "core/image/ssim.h"
#include "tests/support/test_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace qs::core {
namespace {

PixelMap flatMap(int width, int height, float value = 1.0F)
{
    return {width, height, 0, 0,
            std::vector<float>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                               value)};
}

void set(PixelMap& map, int left, int top, int side, float value)
{
    for (int y = top; y < top + side; ++y) {
        for (int x = left; x < left + side; ++x)
            map.values[static_cast<std::size_t>(y * map.width + x)] = value;
    }
}

// In a flat area SSIM divides by next to nothing: what it finds there is not what one sees.
TEST(Tiles, OfFlatAreasComeLast)
{
    PixelMap map = flatMap(256, 64);
    set(map, 0, 0, 64, 0.1F);    // flat in the reference
    set(map, 192, 0, 64, 0.5F);  // detailed
    Picture reference = makePicture(256, 64, 3, 0.2F);
    for (int y = 0; y < 64; ++y) {
        for (int x = 128; x < 256; ++x)
            reference.at(x, y, 1) = (x + y) % 2 == 0 ? 0.1F : 0.4F;
    }
    EXPECT_EQ(worstTiles(map, 1).front().x, 0);
    EXPECT_EQ(worstTiles(map, reference, 1).front().x, 192);
    const auto all = worstTiles(map, reference, 10);
    // Not left out, but after those that show something.
    const auto flat = std::find_if(all.begin(), all.end(), [](const Tile& t) { return t.x == 0; });
    ASSERT_NE(flat, all.end());
    EXPECT_GT(flat - all.begin(), 1);
    // Noise below a few levels of 8 bits is flat as well; a slope is not.
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x)
            reference.at(x, y, 0) = 0.2F + 0.004F * static_cast<float>((x * 7 + y * 3) % 3);
    }
    EXPECT_EQ(worstTiles(map, reference, 1).front().x, 192);
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x)
            reference.at(x, y, 0) = static_cast<float>(x) / 64.0F;
    }
    EXPECT_EQ(worstTiles(map, reference, 1).front().x, 0);
}

TEST(Tiles, FindTheWorstPlaceOnTheGrid)
{
    PixelMap map = flatMap(256, 192);
    set(map, 100, 70, 50, 0.0F);  // inside the tile at (96, 64), and in no other as a whole
    map.offsetX = 5;
    map.offsetY = 5;
    const auto tiles = worstTiles(map, 1);
    ASSERT_EQ(tiles.size(), 1U);
    EXPECT_EQ(tiles[0], (Tile{101, 69, 64, 64, 1.0 - 2500.0 / 4096.0}));
}

TEST(Tiles, OrderedWithoutOverlap)
{
    PixelMap map = flatMap(320, 320);
    set(map, 0, 0, 64, 0.5F);
    set(map, 128, 128, 64, 0.2F);
    set(map, 256, 64, 64, 0.3F);
    const auto tiles = worstTiles(map, 3);
    ASSERT_EQ(tiles.size(), 3U);
    EXPECT_EQ(tiles[0].x, 128);
    EXPECT_EQ(tiles[1].x, 256);
    EXPECT_EQ(tiles[2].x, 0);
    EXPECT_EQ(worstTiles(map, 1000).size(), 25U) << "5 x 5 tiles fit without overlap";
}

TEST(Tiles, TiesGoInReadingOrder)
{
    const auto tiles = worstTiles(flatMap(192, 128), 10);
    ASSERT_EQ(tiles.size(), 6U);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        EXPECT_EQ(tiles[i].x, static_cast<int>(i % 3) * 64);
        EXPECT_EQ(tiles[i].y, static_cast<int>(i / 3) * 64);
    }
}

TEST(Tiles, ReachTheFarEdge)
{
    PixelMap map = flatMap(150, 101);
    set(map, 149, 100, 1, 0.0F);
    const auto tiles = worstTiles(map, 1);
    EXPECT_EQ(tiles[0].x, 150 - 64);
    EXPECT_EQ(tiles[0].y, 101 - 64);
}

TEST(Tiles, SmallMapsAreOneTile)
{
    PixelMap map = flatMap(54, 22, 0.25F);
    map.offsetX = 5;
    map.offsetY = 5;
    EXPECT_EQ(worstTiles(map, 3), (std::vector<Tile>{{5, 5, 54, 22, 0.25}}));
    EXPECT_EQ(worstTiles(flatMap(64, 64), 3).size(), 1U);
    EXPECT_TRUE(worstTiles(PixelMap{}, 3).empty());
    EXPECT_TRUE(worstTiles(map, 0).empty());
}

TEST(Tiles, NanNeverWins)
{
    PixelMap map = flatMap(128, 64, 0.5F);
    map.values[0] = std::numeric_limits<float>::quiet_NaN();
    const auto tiles = worstTiles(map, 5);
    ASSERT_EQ(tiles.size(), 1U);
    EXPECT_EQ(tiles[0].x, 32);
}

TEST(Tiles, FindDamageInAPicture)
{
    const Picture good = tests::testPicture(3, 256);
    Picture bad = good;
    for (int y = 170; y < 200; ++y) {
        for (int x = 40; x < 70; ++x)
            bad.at(x, y, 1) = 1.0F - bad.at(x, y, 1);
    }
    for (const SsimVariant variant : kSsimVariants) {
        const auto tiles = worstTiles(ssim(bad, good, variant, 1.0).value().map, 1);
        EXPECT_LE(tiles[0].x, 40);
        EXPECT_GE(tiles[0].x + tiles[0].width, 70);
        EXPECT_LE(tiles[0].y, 170);
        EXPECT_GE(tiles[0].y + tiles[0].height, 200);
    }
}

}  // namespace
}  // namespace qs::core
