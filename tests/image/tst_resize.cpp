#include "core/image/resize.h"

#include "tests/support/test_folder.h"
#include "tests/support/test_picture.h"

#include <gtest/gtest.h>

#include <cmath>

namespace qs::core {
namespace {

// The picture of make_resize_goldens.py.
Picture source(int width = 53, int height = 37)
{
    Picture picture = makePicture(width, height, 1);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            picture.at(x, y, 0) =
                static_cast<float>((x * 37 + y * 11 + x * y % 7 * 29) % 256) / 256.0F;
    }
    return picture;
}

void expectGolden(const Picture& picture, const std::string& name)
{
    const FloatArray golden =
        readNpy(tests::dataFile("golden/image/resize_" + name + ".npy")).value();
    ASSERT_EQ(golden.shape, (std::vector<std::int64_t>{picture.height, picture.width})) << name;
    for (std::size_t i = 0; i < golden.values.size(); ++i)
        ASSERT_NEAR(picture.values[i], golden.values[i], 2e-6) << name << " at " << i;
}

TEST(Resize, AgreesWithPillow)
{
    struct Row {
        ResizeFilter filter;
        const char* name;
    };
    for (const Row& row : {Row{ResizeFilter::Box, "box"}, Row{ResizeFilter::Bicubic, "bicubic"},
                           Row{ResizeFilter::Lanczos, "lanczos"}}) {
        for (const auto& [width, height] :
             {std::pair{20, 11}, std::pair{90, 61}, std::pair{53, 10}, std::pair{7, 37}}) {
            const std::string size = std::to_string(width) + "x" + std::to_string(height);
            expectGolden(resized(source(), width, height, row.filter),
                         std::string(row.name) + "_" + size);
        }
    }
}

TEST(Resize, CenterCropAgreesWithPillow)
{
    for (const int size : {8, 16, 24, 37, 50})
        expectGolden(centerCropAdm(source(), size), "adm_" + std::to_string(size));
}

TEST(Resize, PaddingKeepsTheWholePicture)
{
    const Picture wide = paddedToSquare(source(53, 37), 20);
    const Picture fitted = resizeToFit(source(53, 37), 20);
    EXPECT_EQ(cropped(wide, 0, 0, fitted.width, fitted.height), fitted);
    for (int y = fitted.height; y < 20; ++y) {
        for (int x = 0; x < 20; ++x)
            EXPECT_EQ(wide.at(x, y, 0), 0.5F) << x << " " << y;
    }
    // Never enlarged; a square of the right size stays as it is.
    const Picture small = paddedToSquare(source(7, 5), 16);
    EXPECT_EQ(cropped(small, 0, 0, 7, 5), source(7, 5));
    EXPECT_EQ(small.at(7, 0, 0), 0.5F);
    EXPECT_EQ(paddedToSquare(source(16, 16), 16), source(16, 16));
    EXPECT_EQ(paddedToSquare(toRgb(source(5, 7)), 9).channels, 3);
}

TEST(Resize, FitAgreesWithPillow)
{
    for (const int longest : {5, 20, 52})
        expectGolden(resizeToFit(source(), longest), "fit_" + std::to_string(longest));
    EXPECT_EQ(resizeToFit(source(), 53), source()) << "never enlarges";
    EXPECT_EQ(resizeToFit(source(), 1000), source());
}

TEST(Resize, FlatPicturesStayFlat)
{
    for (const ResizeFilter filter :
         {ResizeFilter::Box, ResizeFilter::Bicubic, ResizeFilter::Lanczos}) {
        for (const int side : {1, 3, 17, 100}) {
            for (const float value :
                 resized(makePicture(31, 19, 3, 0.3F), side, side + 1, filter).values)
                ASSERT_NEAR(value, 0.3F, 1e-6);
        }
    }
}

TEST(Resize, SameSizeIsTheSamePicture)
{
    EXPECT_EQ(resized(source(), 53, 37, ResizeFilter::Lanczos), source());
    EXPECT_EQ(centerCropAdm(source(37, 37), 37), source(37, 37));
}

TEST(Resize, ChannelsDoNotMix)
{
    const Picture picture = tests::testPicture(4, 80);
    const Picture small = centerCropAdm(picture, 33);
    EXPECT_EQ(small.channels, 3);
    for (int channel = 0; channel < 3; ++channel) {
        Picture grey = makePicture(80, 80, 1);
        for (std::size_t i = 0; i < grey.values.size(); ++i)
            grey.values[i] = picture.values[3 * i + static_cast<std::size_t>(channel)];
        const Picture alone = centerCropAdm(grey, 33);
        for (std::size_t i = 0; i < alone.values.size(); ++i)
            ASSERT_EQ(alone.values[i], small.values[3 * i + static_cast<std::size_t>(channel)]);
    }
}

TEST(Resize, CropsStayInRangeAndExact)
{
    Picture edge = makePicture(64, 64, 1, 0.0F);
    for (int y = 0; y < 64; ++y) {
        for (int x = 32; x < 64; ++x)
            edge.at(x, y, 0) = 1.0F;
    }
    const auto overshoot = resized(edge, 100, 100, ResizeFilter::Lanczos);
    EXPECT_GT(*std::max_element(overshoot.values.begin(), overshoot.values.end()), 1.01F);
    for (const Picture& picture : {centerCropAdm(edge, 50), resizeToFit(edge, 37)}) {
        for (const float value : picture.values) {
            ASSERT_GE(value, 0.0F);
            ASSERT_LE(value, 1.0F);
        }
    }
}

TEST(Resize, ExtremeShapesWork)
{
    EXPECT_EQ(resizeToFit(makePicture(16384, 1, 1), 100).height, 1);
    // Enlarged as a whole, the strip would have 16384 · 64 x 64 pixels.
    const Picture strip = centerCropAdm(source(16000, 1), 64);
    EXPECT_EQ(strip.width, 64);
    EXPECT_EQ(strip.height, 64);
    // Computing the centre alone changes nothing.
    const Picture wide = source(2000, 10);
    const Picture across = clamped(resized(wide, 6400, 10, ResizeFilter::Bicubic), 0.0F, 1.0F);
    const Picture whole = clamped(resized(across, 6400, 32, ResizeFilter::Bicubic), 0.0F, 1.0F);
    const Picture direct = cropped(whole, (6400 - 32) / 2, 0, 32, 32);
    const Picture crop = centerCropAdm(wide, 32);
    for (std::size_t i = 0; i < crop.values.size(); ++i)
        ASSERT_EQ(crop.values[i], direct.values[i]);
}

TEST(Resize, SizesOutOfRangeStop)
{
    EXPECT_DEATH((void)centerCropAdm(source(), 0), "kLargestCrop");
    EXPECT_DEATH((void)centerCropAdm(source(), kLargestCrop + 1), "kLargestCrop");
    EXPECT_DEATH((void)resized(source(), 0, 5, ResizeFilter::Box), "checkPictureSize");
    EXPECT_DEATH((void)resizeToFit(source(), 0), "longestSide > 0");
}

TEST(Resize, LargePicturesAreHalvedFirst)
{
    // 4 x 4 blocks: two halvings by box give the block means exactly.
    Picture blocks = makePicture(64, 64, 1);
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x)
            blocks.at(x, y, 0) = (x + y) % 2 == 0 ? static_cast<float>(x / 4) / 16.0F : 0.0F;
    }
    const Picture small = centerCropAdm(blocks, 16);
    for (int x = 0; x < 16; ++x)
        EXPECT_NEAR(small.at(x, 3, 0), static_cast<float>(x) / 32.0F, 1e-6);
}

}  // namespace
}  // namespace qs::core
