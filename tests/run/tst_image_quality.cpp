#include "core/run/image_quality.h"

#include "core/image/difference.h"
#include "core/image/flip.h"
#include "core/image/ms_ssim.h"
#include "core/image/picture_file.h"
#include "core/image/ssim.h"
#include "core/image/tiles.h"
#include "core/record/journal/journal_line.h"
#include "core/record/run_folder.h"
#include "core/run/output_metrics.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <limits>
#include <random>

namespace {

using namespace qs::core;
using namespace qs::tests;
using testing::ElementsAre;
using testing::SizeIs;

// Uniform in [-1, 1], beyond which models go now and then.
FloatArray noise(unsigned seed, int side, float amplitude = 1.0F)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> values(-amplitude, amplitude);
    FloatArray array{{3, side, side}, {}};
    for (int i = 0; i < 3 * side * side; ++i)
        array.values.push_back(values(random));
    return array;
}

TEST(Quality, TurnsOutputsIntoPictures)
{
    const FloatArray output{{3, 1, 2}, {-1.0F, 1.0F, 0.0F, 3.0F, -2.0F, 0.5F}};
    const Picture picture = pictureFromModelRange(output).value();
    EXPECT_EQ(picture.width, 2);
    EXPECT_EQ(picture.height, 1);
    EXPECT_THAT(picture.values, ElementsAre(0.0F, 0.5F, -0.5F, 1.0F, 2.0F, 0.75F))
        << "nothing is clamped";
    EXPECT_FALSE(pictureFromModelRange({{4}, {1, 2, 3, 4}}).ok());
}

TEST(Quality, SaysThatIdenticalOutputsAreIdentical)
{
    const FloatArray output = noise(1, 80, 1.5F);
    const OutputQuality quality = compareOutputs(OutputKind::Image, output, output, 5).value();
    EXPECT_EQ(quality.sample, 5);
    EXPECT_DOUBLE_EQ(*quality.find("ssim"), 1.0);
    EXPECT_FALSE(quality.find("psnr").has_value());
    EXPECT_EQ(quality.find("max_difference"), 0.0);
    EXPECT_EQ(quality.find("mean_difference"), 0.0);
    EXPECT_EQ(quality.find("relative_l2"), 0.0);
    EXPECT_EQ(quality.find("cosine"), 1.0);
    EXPECT_DOUBLE_EQ(quality.worstTile->ssim, 1.0);
}

TEST(Quality, AddsWhatAPersonSees)
{
    const FloatArray output = noise(1, 176, 1.4F);
    FloatArray reference = output;
    for (std::size_t i = 0; i < reference.values.size(); i += 3)
        reference.values[i] += 0.05F;
    OutputQuality quality;
    ASSERT_TRUE(compareImages(output, reference, quality).ok());
    const Picture a = clamped(pictureFromModelRange(output).value(), 0.0F, 1.0F);
    const Picture b = clamped(pictureFromModelRange(reference).value(), 0.0F, 1.0F);
    EXPECT_EQ(quality.find("flip"), flip(a, b).value().mean);
    EXPECT_EQ(quality.find("ms_ssim"), msSsim(a, b, 1.0).value());
    OutputQuality small;
    ASSERT_TRUE(compareImages(noise(1, 64), noise(2, 64), small).ok());
    EXPECT_TRUE(small.find("flip").has_value());
    EXPECT_FALSE(small.find("ms_ssim").has_value()) << "too small for five scales";
    FloatArray broken = noise(1, 64);
    broken.values[5] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(compareImages(broken, noise(2, 64), small).ok());
}

TEST(Quality, EqualsTheMetricsItIsMadeOf)
{
    const FloatArray output = noise(1, 96, 1.4F);
    FloatArray reference = output;
    for (std::size_t i = 0; i < reference.values.size(); i += 3)
        reference.values[i] += 0.05F;
    const OutputQuality quality = compareOutputs(OutputKind::Image, output, reference, 0).value();

    const Picture a = pictureFromModelRange(output).value();
    const Picture b = pictureFromModelRange(reference).value();
    const Picture seenA = clamped(a, 0.0F, 1.0F);
    const Picture seenB = clamped(b, 0.0F, 1.0F);
    const SsimResult similarity = ssim(seenA, seenB, SsimVariant::Wang04, 1.0).value();
    EXPECT_EQ(quality.find("ssim"), similarity.mean);
    EXPECT_EQ(quality.find("psnr"), difference(seenA, seenB, 1.0).value().psnrDb);
    const Difference raw = difference(a, b, 1.0).value();
    EXPECT_EQ(quality.find("max_difference"), raw.maxAbsolute);
    EXPECT_EQ(quality.find("mean_difference"), raw.meanAbsolute);
    EXPECT_EQ(quality.find("relative_l2"), raw.relativeL2);
    ASSERT_TRUE(quality.find("cosine").has_value());
    EXPECT_EQ(*quality.find("cosine"), raw.cosineSimilarity);
    EXPECT_GT(*quality.find("cosine"), 0.9);
    EXPECT_LT(*quality.find("cosine"), 1.0);
    const Tile worst = worstTiles(similarity.map, 1).front();
    EXPECT_EQ(quality.worstTile->x, worst.x);
    EXPECT_EQ(quality.worstTile->y, worst.y);
    EXPECT_EQ(quality.worstTile->ssim, worst.mean);
    EXPECT_LT(quality.worstTile->ssim, *quality.find("ssim") + 1e-12);
}

// torch 2.11, float64: a Gaussian of 11 x 11 with sigma 1.5 by conv2d over pad(mode="reflect"),
// C1 = 0.02², C2 = 0.06². Clamped, or from 0 to 1, it would be another number.
TEST(Quality, SsimOfTorchmetricsIsThatOfPyTorch)
{
    FloatArray output{{3, 24, 32}, std::vector<float>(3 * 24 * 32)};
    FloatArray reference = output;
    for (std::size_t i = 0; i < output.values.size(); ++i) {
        reference.values[i] = static_cast<float>(i * 7 % 33) / 12.0F - 1.25F;
        output.values[i] = reference.values[i] + (i % 3 == 0 ? 0.25F : 0.0F);
    }
    const OutputQuality quality = compareOutputs(OutputKind::Image, output, reference, 0).value();
    EXPECT_NEAR(quality.find("torchmetrics_ssim").value(), 0.5550635482425351, 1e-9);
}

TEST(Quality, FindsTheWorstTile)
{
    const FloatArray reference = noise(2, 160);
    FloatArray output = reference;
    for (int channel = 0; channel < 3; ++channel) {
        for (int y = 110; y < 140; ++y) {
            for (int x = 10; x < 50; ++x)
                output.values[static_cast<std::size_t>((channel * 160 + y) * 160 + x)] = 0.0F;
        }
    }
    const OutputQuality quality = compareOutputs(OutputKind::Image, output, reference, 0).value();
    EXPECT_LE(quality.worstTile->x, 10);
    EXPECT_GE(quality.worstTile->x + kTileSide, 50);
    EXPECT_LE(quality.worstTile->y, 110);
    EXPECT_GE(quality.worstTile->y + kTileSide, 140);
    EXPECT_LT(quality.worstTile->ssim, *quality.find("ssim"));
}

TEST(Quality, DoesNotCallOutputsIdenticalThatOnlyLookSo)
{
    // Both are white after clamping.
    const FloatArray output{{3, 16, 16}, std::vector<float>(768, 1.5F)};
    const FloatArray reference{{3, 16, 16}, std::vector<float>(768, 2.5F)};
    const OutputQuality quality = compareOutputs(OutputKind::Image, output, reference, 0).value();
    EXPECT_DOUBLE_EQ(*quality.find("ssim"), 1.0);
    EXPECT_FALSE(quality.find("psnr").has_value()) << "infinite";
    EXPECT_DOUBLE_EQ(*quality.find("max_difference"), 0.5);
    EXPECT_GT(*quality.find("relative_l2"), 0.0);
}

// -1 is black: zero on the scale of the picture, which nothing can be related to.
TEST(Quality, OfABlackReferenceCanBeStored)
{
    const FloatArray black{{3, 192, 192}, std::vector<float>(3 * 192 * 192, -1.0F)};
    OutputQuality quality = compareOutputs(OutputKind::Image, noise(1, 192), black, 0).value();
    ASSERT_TRUE(compareImages(noise(1, 192), black, quality).ok());
    EXPECT_EQ(quality.find("relative_l2"), std::nullopt);
    EXPECT_TRUE(quality.find("psnr").has_value());
    quality.cellId = "a";
    quality.referenceId = "b";
    const auto line = encodeJournalLine(toJson({&quality, 1}));
    ASSERT_TRUE(line.ok()) << line.error().message;
    const auto back = outputQualitiesFromJson(parseJson(toJson({&quality, 1}).dump(), "q").value());
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(toJson(back.value()), toJson({&quality, 1}));
    EXPECT_EQ(back.value().front().find("relative_l2"), std::nullopt);
    EXPECT_EQ(compareOutputs(OutputKind::Image, black, black, 0).value().find("relative_l2"), 0.0)
        << "identical";
}

TEST(Quality, RefusesWhatCannotBeCompared)
{
    EXPECT_FALSE(compareOutputs(OutputKind::Image, noise(1, 32), noise(1, 48), 0).ok());
    FloatArray broken = noise(1, 32);
    broken.values[100] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(compareOutputs(OutputKind::Image, broken, noise(1, 32), 0).ok());
    EXPECT_FALSE(compareOutputs(OutputKind::Image, noise(1, 32), broken, 0).ok());
}

class StoredOutputs : public testing::Test
{
protected:
    StoredOutputs()
    {
        for (const char* cell : {"a", "b"})
            std::filesystem::create_directories(m_run / "cells" / cell);
        for (int i = 0; i < 2; ++i) {
            const auto seed = static_cast<unsigned>(i);
            EXPECT_TRUE(writeNpy(outputArray(m_run, "a", i), noise(seed, 32)).ok());
            EXPECT_TRUE(writeNpy(outputArray(m_run, "b", i), noise(seed, 32, 0.9F)).ok());
        }
    }

    TestFolder m_folder;
    std::filesystem::path m_run = m_folder.path();
};

TEST_F(StoredOutputs, AreNotDrawnOnceStopped)
{
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(writeOutputPictures(m_run, "a", 2, stop.get_token()).error().code,
              ErrorCode::Cancelled);
    EXPECT_TRUE(lacksOutputPictures(m_run, "a", 2));
    ASSERT_TRUE(writeOutputPictures(m_run, "a", 2).ok());
    EXPECT_FALSE(lacksOutputPictures(m_run, "a", 2));
    std::filesystem::remove(outputArray(m_run, "a", 1).path());
    std::filesystem::remove(outputPicture(m_run, "a", 1).path());
    EXPECT_FALSE(lacksOutputPictures(m_run, "a", 2)) << "there is nothing to make it of";
}

TEST_F(StoredOutputs, AnyOfThemMayBeMissing)
{
    ASSERT_TRUE(writeOutputPictures(m_run, "a", 2).ok());
    std::filesystem::remove(outputPicture(m_run, "a", 0).path());
    EXPECT_TRUE(lacksOutputPictures(m_run, "a", 2));
}

// The largest outputs take many seconds; whoever stops does not wait for them.
TEST(Quality, ComparesNothingMoreOnceStopped)
{
    const FloatArray output{{3, 512, 512}, std::vector<float>(std::size_t{3} * 512 * 512)};
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(compareOutputs(OutputKind::Image, output, output, 0, stop.get_token()).error().code,
              ErrorCode::Cancelled);
}

TEST_F(StoredOutputs, BecomePictures)
{
    ASSERT_TRUE(writeOutputPictures(m_run, "a", 2).ok());
    const Picture stored = readPicture(outputPicture(m_run, "a", 1)).value();
    EXPECT_EQ(toBytes(stored), toBytes(pictureFromModelRange(noise(1, 32)).value()));
    EXPECT_FALSE(writeOutputPictures(m_run, "a", 3).ok());
}

}  // namespace
