#include "core/image/ssim.h"

#include "tests/image/golden_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace qs::core {
namespace {

using ::testing::HasSubstr;
using tests::goldenCases;
using tests::goldenReference;
using tests::withNoise;

// Colour picture with structure in every channel, values 0..1.
Picture colourPicture(int width, int height)
{
    Picture picture = makePicture(width, height, 3);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            picture.at(x, y, 0) = static_cast<float>((x * 7 + y * 3) % 32) / 31.0F;
            picture.at(x, y, 1) = static_cast<float>((x / 5 + y / 3) % 4) / 3.0F;
            picture.at(x, y, 2) = 0.5F + 0.5F * std::sin(0.1F * static_cast<float>(x * y % 97));
        }
    }
    return picture;
}

TEST(Ssim, GoldenReferenceIsTheDocumentedPicture)
{
    const Picture reference = goldenReference();
    EXPECT_EQ(std::accumulate(reference.values.begin(), reference.values.end(), 0.0), 6556736.0);
    EXPECT_EQ(reference.at(0, 0, 0), 0.0F);
    EXPECT_EQ(reference.at(200, 40, 0), 100.0F);
}

TEST(Ssim, AgreesWithTheGoldenTable)
{
    for (const auto& golden : goldenCases()) {
        for (std::size_t i = 0; i < kSsimVariants.size(); ++i) {
            const auto result =
                ssim(goldenReference(), golden.distorted, kSsimVariants.at(i), 255.0).value();
            EXPECT_NEAR(result.mean, golden.ssim.at(i), 1e-9)
                << golden.name << " " << name(kSsimVariants.at(i));
            if (kSsimVariants.at(i) == SsimVariant::Wang04) {
                EXPECT_NEAR(result.lowest, golden.lowest, 5.1e-7) << golden.name;
            }
        }
    }
}

TEST(Ssim, FollowsTheClosedFormOnFlatPictures)
{
    struct Row {
        float a;
        float b;
        double expected;
    };
    for (const Row& row : {Row{100, 110, 0.995476444092}, Row{0, 255, 0.000099990001},
                           Row{128, 129, 0.999969725870}, Row{10, 20, 0.802567608255}}) {
        for (const SsimVariant variant : kSsimVariants) {
            const auto result =
                ssim(makePicture(16, 13, 3, row.a), makePicture(16, 13, 3, row.b), variant, 255.0);
            EXPECT_NEAR(result.value().mean, row.expected, 1e-12) << name(variant);
        }
    }
}

TEST(Ssim, IdentityIsExactlyOne)
{
    const Picture noisy = withNoise(colourPicture(70, 130), 0.3);
    for (const SsimVariant variant : kSsimVariants) {
        for (const Picture& picture : {noisy, makePicture(12, 200, 1, 0.1F), goldenReference()}) {
            const SsimResult result = ssim(picture, picture, variant, 1.0).value();
            EXPECT_EQ(result.mean, 1.0) << name(variant);
            EXPECT_EQ(result.lowest, 1.0) << name(variant);
        }
    }
}

TEST(Ssim, IsSymmetricAndBounded)
{
    const Picture a = colourPicture(90, 75);
    for (const double amplitude : {0.01, 0.2, 5.0}) {
        const Picture b = withNoise(a, amplitude);
        for (const SsimVariant variant : kSsimVariants) {
            const SsimResult forward = ssim(a, b, variant, 1.0).value();
            EXPECT_NEAR(forward.mean, ssim(b, a, variant, 1.0).value().mean, 1e-12);
            for (const float value : forward.map.values)
                ASSERT_LE(std::abs(value), 1.0F);
        }
    }
}

TEST(Ssim, ScalesWithTheRange)
{
    const Picture a = colourPicture(40, 50);
    const Picture b = withNoise(a, 0.1);
    // A power of two scales without rounding, so the figures may differ only through the constants.
    const auto times = [](Picture picture, float factor) {
        for (float& value : picture.values)
            value *= factor;
        return picture;
    };
    for (const SsimVariant variant : kSsimVariants)
        EXPECT_NEAR(ssim(a, b, variant, 1.0).value().mean,
                    ssim(times(a, 256), times(b, 256), variant, 256.0).value().mean, 1e-12);
    // Bytes against 0..1: equal up to the float rounding of value / 255.
    const auto golden = goldenCases().at(4);
    EXPECT_NEAR(ssim(times(goldenReference(), 1.0F / 255.0F),
                     times(golden.distorted, 1.0F / 255.0F), SsimVariant::Wang04, 1.0)
                    .value()
                    .mean,
                golden.ssim.at(0), 1e-6);
}

TEST(Ssim, FallsAsNoiseGrows)
{
    const Picture a = colourPicture(64, 64);
    for (const SsimVariant variant : kSsimVariants) {
        double last = 1.0;
        for (const double amplitude : {0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8}) {
            const double mean = ssim(a, withNoise(a, amplitude), variant, 1.0).value().mean;
            EXPECT_LT(mean, last) << name(variant) << " at " << amplitude;
            last = mean;
        }
    }
}

TEST(Ssim, AveragesChannels)
{
    const Picture a = colourPicture(40, 33);
    const Picture b = withNoise(a, 0.2);
    const auto channel = [](const Picture& picture, int wanted) {
        Picture grey = makePicture(picture.width, picture.height, 1);
        for (int i = 0; i < picture.width * picture.height; ++i)
            grey.values[static_cast<std::size_t>(i)] =
                picture.values[static_cast<std::size_t>(3 * i + wanted)];
        return grey;
    };
    for (const SsimVariant variant : kSsimVariants) {
        double sum = 0.0;
        for (const int c : {0, 1, 2})
            sum += ssim(channel(a, c), channel(b, c), variant, 1.0).value().mean;
        EXPECT_NEAR(ssim(a, b, variant, 1.0).value().mean, sum / 3.0, 1e-14);
    }
}

TEST(Ssim, MapTellsWhere)
{
    const Picture a = colourPicture(100, 200);
    Picture b = a;
    b.at(60, 150, 1) += 0.9F;
    struct Row {
        SsimVariant variant;
        int margin;
    };
    for (const Row& row : {Row{SsimVariant::Wang04, 5}, Row{SsimVariant::Skimage, 3},
                           Row{SsimVariant::Reflect101, 0}, Row{SsimVariant::Replicate, 0}}) {
        const SsimResult result = ssim(a, b, row.variant, 1.0).value();
        EXPECT_EQ(result.map.width, 100 - 2 * row.margin);
        EXPECT_EQ(result.map.height, 200 - 2 * row.margin);
        EXPECT_EQ(result.map.offsetX, row.margin);
        EXPECT_EQ(result.map.offsetY, row.margin);
        EXPECT_LE(std::abs(result.lowestX - 60), 5);
        EXPECT_LE(std::abs(result.lowestY - 150), 5);
        EXPECT_FLOAT_EQ(result.map.at(result.lowestX - row.margin, result.lowestY - row.margin),
                        static_cast<float>(result.lowest));
        // Windows that do not hold the pixel see no difference; those that hold it do.
        EXPECT_LT(result.map.at(60 - row.margin, 150 - row.margin), 1.0F);
        EXPECT_EQ(result.map.at(60 - row.margin + 6, 150 - row.margin), 1.0F);
        EXPECT_EQ(result.map.at(60 - row.margin, 150 - row.margin - 6), 1.0F);
    }
}

// Bands of rows are an inner matter: a picture of several bands gives what its parts give.
TEST(Ssim, BandsLeaveNoSeams)
{
    const Picture a = colourPicture(30, 64 * 3 + 17);
    const Picture b = withNoise(a, 0.15);
    const SsimResult whole = ssim(a, b, SsimVariant::Wang04, 1.0).value();
    for (const int top : {0, 50, 100, 150}) {
        const SsimResult part =
            ssim(cropped(a, 0, top, 30, 40), cropped(b, 0, top, 30, 40), SsimVariant::Wang04, 1.0)
                .value();
        for (int y = 0; y < part.map.height; ++y) {
            for (int x = 0; x < part.map.width; ++x)
                ASSERT_NEAR(part.map.at(x, y), whole.map.at(x, top + y), 1e-6) << top << " " << y;
        }
    }
}

std::string refusal(const Picture& a, const Picture& b, SsimVariant variant, double range)
{
    const auto result = ssim(a, b, variant, range);
    return result.ok() ? "accepted" : result.error().message;
}

TEST(Ssim, RefusesWhatHasNoScore)
{
    const auto flat = [](int width, int height) { return makePicture(width, height, 3, 0.5F); };
    const auto wang = SsimVariant::Wang04;
    EXPECT_EQ(refusal(flat(11, 11), flat(11, 11), wang, 1), "accepted");
    EXPECT_THAT(refusal(flat(10, 11), flat(10, 11), wang, 1), HasSubstr("at least 11"));
    EXPECT_EQ(refusal(flat(7, 7), flat(7, 7), SsimVariant::Skimage, 1), "accepted");
    EXPECT_THAT(refusal(flat(7, 6), flat(7, 6), SsimVariant::Skimage, 1), HasSubstr("at least 7"));
    EXPECT_THAT(refusal(flat(10, 40), flat(10, 40), SsimVariant::Reflect101, 1), HasSubstr("11"));
    EXPECT_THAT(refusal(flat(12, 13), flat(13, 12), wang, 1), HasSubstr("12 x 13 x 3 and 13 x 12"));
    EXPECT_THAT(refusal(flat(12, 13), makePicture(12, 13, 1), wang, 1), HasSubstr("different"));
    EXPECT_THAT(refusal(flat(12, 13), flat(12, 13), wang, 0), HasSubstr("range"));
    EXPECT_THAT(refusal(flat(12, 13), flat(12, 13), wang, std::nan("")), HasSubstr("range"));
    Picture broken = flat(12, 13);
    broken.values.pop_back();
    EXPECT_THAT(refusal(flat(12, 13), broken, wang, 1), HasSubstr("has 467 values"));
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Picture picture = flat(12, 13);
        picture.at(3, 4, 1) = bad;
        EXPECT_THAT(refusal(flat(12, 13), picture, wang, 1),
                    HasSubstr("second image has 1 NaN or infinite values of 468"));
    }
}

TEST(Ssim, NamesSayWhichSsim)
{
    EXPECT_EQ(name(SsimVariant::Wang04), "SSIM[Wang04 gauss11 σ1.5 valid L=1 mean-RGB]");
    EXPECT_EQ(name(SsimVariant::Reflect101, 2.0),
              "SSIM[torchmetrics/OpenCV gauss11 σ1.5 reflect101 uncropped L=2 mean-RGB]");
}

}  // namespace
}  // namespace qs::core
