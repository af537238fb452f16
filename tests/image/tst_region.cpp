#include "core/image/region.h"

#include "core/base/json.h"
#include "core/image/ssim.h"
#include "core/image/tiles.h"
#include "tests/support/test_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace qs::core {
namespace {

constexpr int kRegionWidth = 230;
constexpr int kRegionHeight = 150;

// The pictures of make_region_goldens.py.
Picture regionReference()
{
    Picture picture = makePicture(kRegionWidth, kRegionHeight, 3);
    for (int y = 0; y < kRegionHeight; ++y) {
        for (int x = 0; x < kRegionWidth; ++x) {
            picture.at(x, y, 0) = static_cast<float>((x * 37 + y * 11) % 257) / 256.0F;
            picture.at(x, y, 1) = static_cast<float>((x * 5 + y * y) % 241) / 256.0F;
            picture.at(x, y, 2) = static_cast<float>(x * y % 251) / 256.0F;
        }
    }
    return picture;
}

Picture damaged()
{
    Picture picture = regionReference();
    for (int y = 0; y < kRegionHeight; ++y) {
        for (int x = 0; x < kRegionWidth; ++x) {
            for (int c = 0; c < 3; ++c) {
                const int noise = (x * 193 + y * 71 + c * 57) * (x + 3 * y + c) % 31 - 15;
                const int strong = (x / 50 + y / 40) % 5;
                picture.at(x, y, c) += static_cast<float>(noise * strong) / 256.0F;
            }
        }
    }
    return picture;
}

PixelMap ssimMap()
{
    return ssim(clamped(damaged(), 0.0F, 1.0F), clamped(regionReference(), 0.0F, 1.0F),
                SsimVariant::Wang04, 1.0)
        .value()
        .map;
}

Json golden()
{
    return readJsonFile(tests::dataFile("golden/image/regions.json")).value();
}

TEST(Region, WorstTilesAreThoseOfTheOracle)
{
    const Json expected = golden().at("tiles");
    const auto tiles = worstTiles(ssimMap(), 4);
    ASSERT_EQ(tiles.size(), expected.size());
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        EXPECT_EQ(tiles[i].x, expected[i].at("x").get<int>()) << i;
        EXPECT_EQ(tiles[i].y, expected[i].at("y").get<int>()) << i;
        EXPECT_NEAR(tiles[i].mean, expected[i].at("mean").get<double>(), 1e-7) << i;
    }
}

TEST(Region, ScoresAreThoseOfTheOracle)
{
    const Picture picture = damaged();
    const Picture original = regionReference();
    const PixelMap map = ssimMap();
    const Json rows = golden().at("regions");
    for (const Json& row : rows) {
        const Json& r = row.at("region");
        const Region region{r[0].get<int>(), r[1].get<int>(), r[2].get<int>(), r[3].get<int>()};
        const RegionScore score = scoreRegion(picture, original, map, region).value();
        EXPECT_EQ(score.region, region);
        ASSERT_EQ(score.ssim.has_value(), !row.at("ssim").is_null()) << r;
        if (score.ssim) {
            EXPECT_NEAR(*score.ssim, row.at("ssim").get<double>(), 1e-7) << r;
        }
        EXPECT_EQ(score.maxAbsolute, row.at("max_absolute").get<double>()) << r;
        EXPECT_EQ(score.identical, row.at("psnr_db").is_null()) << r;
        if (score.identical)
            EXPECT_TRUE(std::isinf(score.psnrDb)) << r;
        else
            EXPECT_NEAR(score.psnrDb, row.at("psnr_db").get<double>(), 1e-9) << r;
    }
}

TEST(Region, ScoreOfATileIsTheTilesMean)
{
    const PixelMap map = ssimMap();
    for (const Tile& tile : worstTiles(map, 4)) {
        const auto score = scoreRegion(damaged(), regionReference(), map,
                                       {tile.x, tile.y, tile.width, tile.height});
        EXPECT_NEAR(score.value().ssim.value(), tile.mean, 1e-12);
    }
}

TEST(Region, IsLimitedToThePicture)
{
    constexpr int kHuge = std::numeric_limits<int>::max();
    EXPECT_EQ(clippedTo({-20, -10, 50, 30}, 100, 80), (Region{0, 0, 30, 20}));
    EXPECT_EQ(clippedTo({90, 70, kHuge, kHuge}, 100, 80), (Region{90, 70, 10, 10}));
    EXPECT_EQ(clippedTo({-kHuge, -kHuge, kHuge, kHuge}, 100, 80).width, 0);
    for (const Region& outside :
         {Region{100, 0, 5, 5}, Region{0, 80, 5, 5}, Region{-5, 0, 5, 5}, Region{3, 3, 0, 5},
          Region{3, 3, -2, 5}, Region{kHuge, kHuge, kHuge, kHuge}}) {
        EXPECT_EQ(clippedTo(outside, 100, 80).width, 0);
        EXPECT_FALSE(
            scoreRegion(makePicture(100, 80, 3), makePicture(100, 80, 3), {}, outside).ok());
    }
    const auto part = scoreRegion(damaged(), regionReference(), ssimMap(), {-50, -50, 60, 60});
    EXPECT_EQ(part.value().region, (Region{0, 0, 10, 10}));
}

TEST(Region, RefusesPicturesThatCannotBeCompared)
{
    Picture broken = makePicture(32, 32, 3);
    broken.at(4, 4, 0) = std::numeric_limits<float>::quiet_NaN();
    const Picture good = makePicture(32, 32, 3);
    EXPECT_FALSE(scoreRegion(broken, good, {}, {0, 0, 8, 8}).ok());
    // A NaN elsewhere does not matter to this region.
    EXPECT_TRUE(scoreRegion(broken, good, {}, {8, 8, 8, 8}).ok());
    EXPECT_FALSE(scoreRegion(good, makePicture(33, 32, 3), {}, {0, 0, 8, 8}).ok());
}

}  // namespace
}  // namespace qs::core
