#include "core/image/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace qs::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Picture counted(int width, int height, int channels)
{
    Picture picture = makePicture(width, height, channels);
    std::iota(picture.values.begin(), picture.values.end(), 0.0F);
    return picture;
}

TEST(Picture, PlanarAndBack)
{
    const Picture picture = counted(3, 2, 3);
    const FloatArray planar = toPlanar(picture);
    EXPECT_THAT(planar.shape, ElementsAre(3, 2, 3));
    EXPECT_THAT(planar.values,
                ElementsAre(0, 3, 6, 9, 12, 15, 1, 4, 7, 10, 13, 16, 2, 5, 8, 11, 14, 17));
    EXPECT_EQ(pictureFromPlanar(planar).value(), picture);
    const Picture grey = counted(4, 5, 1);
    EXPECT_EQ(pictureFromPlanar(toPlanar(grey)).value(), grey);
    FloatArray batchOfOne = planar;
    batchOfOne.shape.insert(batchOfOne.shape.begin(), 1);
    EXPECT_EQ(pictureFromPlanar(batchOfOne).value(), picture);
}

TEST(Picture, BatchGivesOnePictureEach)
{
    FloatArray batch{{2, 1, 2, 3}, std::vector<float>(12)};
    std::iota(batch.values.begin(), batch.values.end(), 0.0F);
    const auto pictures = picturesFromPlanar(batch).value();
    ASSERT_EQ(pictures.size(), 2U);
    EXPECT_EQ(pictures[0], counted(3, 2, 1));
    EXPECT_EQ(pictures[1].at(2, 1, 0), 11.0F);
    EXPECT_TRUE(picturesFromPlanar({{0, 3, 4, 4}, {}}).value().empty());
}

TEST(Picture, RefusesArraysThatAreNoPictures)
{
    const auto refusal = [](std::vector<std::int64_t> shape, std::size_t count) {
        const auto result = pictureFromPlanar({std::move(shape), std::vector<float>(count)});
        return result.ok() ? std::string("accepted") : result.error().message;
    };
    EXPECT_EQ(refusal({3, 2, 2}, 12), "accepted");
    EXPECT_THAT(refusal({2, 2, 2}, 8), HasSubstr("1 or 3 channels"));
    EXPECT_THAT(refusal({3, 2, 2}, 11), HasSubstr("it has 11 values"));
    EXPECT_THAT(refusal({3, 0, 2}, 0), HasSubstr("not positive"));
    EXPECT_THAT(refusal({3, -2, -2}, 12), HasSubstr("not positive"));
    EXPECT_THAT(refusal({3, 16385, 1}, 49155), HasSubstr("limit of 16384"));
    EXPECT_THAT(refusal({1, std::int64_t{1} << 40, std::int64_t{1} << 40}, 1), HasSubstr("limit"));
    EXPECT_THAT(refusal({12}, 12), HasSubstr("not one image"));
    EXPECT_THAT(refusal({}, 1), HasSubstr("[N, C, H, W]"));
    EXPECT_THAT(refusal({2, 3, 1, 1}, 6), HasSubstr("not one image"));
}

TEST(Picture, BytesRoundHalfUpAndClamp)
{
    EXPECT_EQ(toByte(0.5F / 255.0F), 1);
    EXPECT_EQ(toByte(0.499F / 255.0F), 0);
    EXPECT_EQ(toByte(127.5F / 255.0F), 128);
    EXPECT_EQ(toByte(254.499F / 255.0F), 254);
    EXPECT_EQ(toByte(1.0F), 255);
    EXPECT_EQ(toByte(7.0F), 255);
    EXPECT_EQ(toByte(-0.1F), 0);
    EXPECT_EQ(toByte(NAN), 0);
    EXPECT_EQ(toByte(INFINITY), 255);
    EXPECT_EQ(toByte(-INFINITY), 0);
}

TEST(Picture, EveryByteSurvivesTheRoundTrip)
{
    std::vector<std::uint8_t> bytes(256 * 3);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i % 256);
    const Picture picture = pictureFromBytes(256, 1, 3, bytes).value();
    EXPECT_EQ(toBytes(picture), bytes);
    EXPECT_EQ(picture.values[255], 1.0F);
    EXPECT_FALSE(pictureFromBytes(255, 1, 3, bytes).ok());
    EXPECT_FALSE(pictureFromBytes(384, 1, 2, bytes).ok());
}

TEST(Picture, CheckFindsContradictions)
{
    EXPECT_TRUE(checkPicture(counted(2, 2, 3)).ok());
    EXPECT_FALSE(checkPicture(Picture{}).ok());
    EXPECT_FALSE(checkPicture({2, 2, 3, std::vector<float>(11)}).ok());
    EXPECT_FALSE(checkPicture({2, 2, 2, std::vector<float>(8)}).ok());
    EXPECT_TRUE(checkPictureSize(16384, 6103).ok());
    EXPECT_THAT(checkPictureSize(16384, 6104).error().message, HasSubstr("100 megapixels"));
    EXPECT_FALSE(checkPictureSize(16385, 1).ok());
}

TEST(Picture, GreyBecomesColour)
{
    const Picture rgb = toRgb(counted(2, 1, 1));
    EXPECT_EQ(rgb.channels, 3);
    EXPECT_THAT(rgb.values, ElementsAre(0, 0, 0, 1, 1, 1));
    EXPECT_EQ(toRgb(rgb), rgb);
}

TEST(Picture, ClampsAllButNan)
{
    const Picture picture = clamped({2, 2, 1, {-3.0F, 0.25F, 9.0F, NAN}}, -1.0F, 1.0F);
    EXPECT_EQ(picture.values[0], -1.0F);
    EXPECT_EQ(picture.values[1], 0.25F);
    EXPECT_EQ(picture.values[2], 1.0F);
    EXPECT_TRUE(std::isnan(picture.values[3]));
}

TEST(Picture, CropsInsideAndStopsOutside)
{
    const Picture picture = counted(5, 4, 1);
    EXPECT_THAT(cropped(picture, 1, 2, 2, 2).values, ElementsAre(11, 12, 16, 17));
    EXPECT_EQ(cropped(picture, 0, 0, 5, 4), picture);
    EXPECT_DEATH((void)cropped(picture, 4, 0, 2, 1), "width <= picture.width - x");
}

}  // namespace
}  // namespace qs::core
