#include "core/run/stored_output.h"

#include "core/base/npy.h"
#include "core/image/picture_file.h"
#include "core/image/ssim.h"
#include "core/record/run_folder.h"
#include "core/run/each_output.h"
#include "core/run/image_quality.h"
#include "tests/support/test_folder.h"
#include "tests/support/test_picture.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace {

using namespace qs::core;
using namespace qs::tests;

constexpr int kSide = 160;

// A run folder with a reference and a cell that differs from it in one place.
class StoredPictures : public testing::Test
{
protected:
    StoredPictures()
    {
        Picture picture = testPicture(3, kSide);
        write("reference", picture);
        for (int y = 70; y < 100; ++y) {
            for (int x = 40; x < 90; ++x)
                picture.at(x, y, 1) = 1.3F - picture.at(x, y, 1);
        }
        write("cell", picture);
    }

    void write(const std::string& cell, Picture picture)
    {
        for (float& value : picture.values)
            value = value * 2.0F - 1.0F;
        EXPECT_TRUE(createFolders(folder.path() / "cells" / cell).ok());
        EXPECT_TRUE(writeNpy(outputArray(folder.path(), cell, 0), toPlanar(picture)).ok());
        EXPECT_TRUE(writeOutputPictures(folder.path(), cell, 1).ok());
    }

    Tile worstTile() const
    {
        const auto seen = [&](const std::string& cell) {
            return clamped(readStoredOutput(folder.path(), cell, 0).value().picture, 0.0F, 1.0F);
        };
        const auto map =
            ssim(seen("cell"), seen("reference"), SsimVariant::Wang04, 1.0).value().map;
        return worstTiles(map, 1).front();
    }

    void dropArray(const std::string& cell) const
    {
        std::filesystem::remove(outputArray(folder.path(), cell, 0).path());
    }

    TestFolder folder;
};

TEST_F(StoredPictures, TileEqualsThatOfTheWholePicture)
{
    const Tile tile = worstTile();
    const StoredTile stored = readStoredTile(folder.path(), "cell", "reference", 0, tile).value();
    EXPECT_FALSE(stored.rounded);
    EXPECT_NEAR(stored.ssim.value(), tile.mean, 1e-7) << "the map that the tile is of has floats";
    const Picture whole = readStoredOutput(folder.path(), "cell", 0).value().picture;
    EXPECT_EQ(stored.picture, cropped(whole, tile.x, tile.y, tile.width, tile.height));
    EXPECT_DOUBLE_EQ(
        readStoredTile(folder.path(), "reference", "reference", 0, tile).value().ssim.value(), 1.0);
    EXPECT_FALSE(readStoredTile(folder.path(), "cell", "", 0, tile).value().ssim.has_value());
}

TEST_F(StoredPictures, PngStandsInForAnArrayThatWasNotKept)
{
    const Tile tile = worstTile();
    const Picture exact = readStoredOutput(folder.path(), "cell", 0).value().picture;
    dropArray("cell");
    const StoredOutput stored = readStoredOutput(folder.path(), "cell", 0).value();
    EXPECT_TRUE(stored.rounded);
    for (std::size_t i = 0; i < exact.values.size(); ++i)
        ASSERT_NEAR(stored.picture.values[i], std::clamp(exact.values[i], 0.0F, 1.0F), 0.51 / 255);
    const StoredTile part = readStoredTile(folder.path(), "cell", "reference", 0, tile).value();
    EXPECT_TRUE(part.rounded);
    EXPECT_NEAR(part.ssim.value(), tile.mean, 1e-3);
    EXPECT_EQ(part.picture, cropped(stored.picture, tile.x, tile.y, tile.width, tile.height));
}

TEST_F(StoredPictures, SaysWhatIsMissingOrDamaged)
{
    const auto none = readStoredOutput(folder.path(), "cell", 7);
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().code, ErrorCode::NotFound);
    EXPECT_NE(none.error().message.find("output_7.png"), std::string::npos);
    writeFile(outputArray(folder.path(), "cell", 0).path(), "no array");
    EXPECT_FALSE(readStoredOutput(folder.path(), "cell", 0).ok()) << "damage is not papered over";
    EXPECT_FALSE(readStoredTile(folder.path(), "cell", "", 0, {5, 5, 64, 64}).ok());
}

TEST_F(StoredPictures, RefusesTilesOutsideOfThePicture)
{
    for (const Tile& tile : {Tile{0, 5, 64, 64}, Tile{5, 100, 64, 64}, Tile{5, 5, 400, 64}}) {
        EXPECT_FALSE(readStoredTile(folder.path(), "cell", "reference", 0, tile).ok());
    }
    dropArray("cell");
    EXPECT_FALSE(readStoredTile(folder.path(), "cell", "", 0, {5, 100, 64, 64}).ok());
}

// What takes memory is not done many times at once.
TEST(ManyOutputs, AreTakenOneByOneIfTheyAreLarge)
{
    const TestFolder folder;
    ASSERT_TRUE(createFolders(folder.path() / "cells" / "large").ok());
    const FloatArray large{{3, 640, 640}, std::vector<float>(3 * 640 * 640, 0.5F)};
    ASSERT_TRUE(writeNpy(outputArray(folder.path(), "large", 0), large).ok());
    std::vector<std::thread::id> threads;
    std::vector<int> order;
    EXPECT_TRUE(forEachOutput(folder.path(), "large", 8,
                              [&](int i) -> Status {
                                  threads.push_back(std::this_thread::get_id());
                                  order.push_back(i);
                                  return {};
                              },
                              {})
                    .ok());
    EXPECT_EQ(threads, std::vector(8, std::this_thread::get_id()));
    EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
