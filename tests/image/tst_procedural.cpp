#include "core/image/procedural.h"

#include "core/base/sha256.h"
#include "core/image/scenes/noise.h"
#include "core/image/scenes/stroke_font.h"
#include "core/image/ssim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace qs::core {
namespace {

std::string hashOf(const Picture& picture)
{
    const auto bytes = toBytes(picture);
    return sha256Hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

struct Statistics {
    double mean = 0.0;
    double deviation = 0.0;
    std::size_t colours = 0;
};

Statistics statisticsOf(const Picture& picture)
{
    Statistics result;
    double squares = 0.0;
    for (const float value : picture.values) {
        result.mean += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    const auto count = static_cast<double>(picture.values.size());
    result.mean /= count;
    result.deviation = std::sqrt(squares / count - result.mean * result.mean);
    const auto bytes = toBytes(picture);
    std::set<std::array<std::uint8_t, 3>> colours;
    for (std::size_t i = 0; i < bytes.size(); i += 3)
        colours.insert({bytes[i], bytes[i + 1], bytes[i + 2]});
    result.colours = colours.size();
    return result;
}

struct GoldenHash {
    std::string_view kind;
    std::string_view hash;
};

// Made with GCC 12 and found equal with clang 14, without optimisation and with -O3 -march=native.
// A change of these is a change of the shipped pictures: old runs can then no longer be compared
// with new ones.
TEST(Procedural, EveryMachineMakesTheSamePictures)
{
    for (const GoldenHash& golden :
         {GoldenHash{"dead-leaves",
                     "4ce67ad4973bc4c85d8005d4f6c8b61226d757c1c3cdb0690c4f64283ee42162"},
          GoldenHash{"portrait",
                     "d176007e28a66ed9b8fe36d5d66a3dbcd974e724fdaf191731732a4172eaa01c"},
          GoldenHash{"landscape",
                     "19a9a60073c37b7566593586d20d4a6f4e10d7f829b07682112efe05952b6484"},
          GoldenHash{"text", "97737a9e69e5ac82eab251c0b789b4aee56824e19fdcf48e0dc73308b37a51a9"},
          GoldenHash{"fractal-noise",
                     "af41b7f50363c41e551f08b2aa0815869fb287dfc6d6dea0e3e720ebec448f21"},
          GoldenHash{"spheres", "856dc376599720e18adbbea7dc796bb9858fd3dae7f8894ac55923a5359a5da0"},
          GoldenHash{"gratings",
                     "713cafc50d6aa109c8c1db0abd1b8846406321c95cc1181abf4eea25231a500c"},
          GoldenHash{"gradients",
                     "cff4d68e01a14441319a285bbf41ac9b1ac89cd6e4e7932ddaefcfe949049f98"},
          GoldenHash{"edges", "c711b9a1be6fde3b45ce50d997c4927d38f0847dbe2410ebc2907e8756b163d3"},
          GoldenHash{"collage",
                     "448c66ca027de8317d5ce4cc2555f384452b3059b977ecfb7eaa2e173fad579c"}}) {
        const auto kind = proceduralKindFromString(golden.kind);
        ASSERT_TRUE(kind.has_value()) << golden.kind;
        EXPECT_EQ(hashOf(proceduralPicture(*kind, 1, 96)), golden.hash) << golden.kind;
    }
}

TEST(Procedural, PicturesAreWholeAndQuantised)
{
    for (const ProceduralKind kind : kProceduralKinds) {
        for (std::int64_t seed = -3; seed < 4; ++seed) {
            const Picture picture = proceduralPicture(kind, seed, 40);
            ASSERT_TRUE(checkPicture(picture).ok());
            EXPECT_EQ(picture.channels, 3);
            EXPECT_EQ(picture, pictureFromBytes(40, 40, 3, toBytes(picture)).value())
                << toString(kind) << " " << seed;
        }
    }
}

TEST(Procedural, PicturesAreNeitherEmptyNorAlike)
{
    std::set<std::string> hashes;
    for (const ProceduralKind kind : kProceduralKinds) {
        for (const std::int64_t seed : {1, 2, 3, 4}) {
            const Picture picture = proceduralPicture(kind, seed, 128);
            const Statistics statistics = statisticsOf(picture);
            EXPECT_GT(statistics.mean, 0.05) << toString(kind) << " " << seed;
            EXPECT_LT(statistics.mean, 0.97) << toString(kind) << " " << seed;
            EXPECT_GT(statistics.deviation, 0.02) << toString(kind) << " " << seed;
            EXPECT_GT(statistics.colours, 150U) << toString(kind) << " " << seed;
            hashes.insert(hashOf(picture));
        }
    }
    EXPECT_EQ(hashes.size(), 4 * kProceduralKinds.size());
}

TEST(Procedural, SmallestSizeHoldsForAllKinds)
{
    for (const ProceduralKind kind : kProceduralKinds)
        EXPECT_EQ(proceduralPicture(kind, 5, kSmallestProcedural).width, kSmallestProcedural);
    EXPECT_DEATH((void)proceduralPicture(ProceduralKind::Text, 1, 15), "kSmallestProcedural");
}

// Mean over 4 x 4 pixels.
Picture quartered(const Picture& picture)
{
    Picture small = makePicture(picture.width / 4, picture.height / 4, 3);
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x) {
            for (int c = 0; c < 3; ++c)
                small.at(x / 4, y / 4, c) += picture.at(x, y, c) / 16.0F;
        }
    }
    return small;
}

TEST(Procedural, CompositionDoesNotDependOnTheSize)
{
    for (const ProceduralKind kind :
         {ProceduralKind::DeadLeaves, ProceduralKind::Portrait, ProceduralKind::Landscape,
          ProceduralKind::Spheres, ProceduralKind::Gradients}) {
        const Picture small = proceduralPicture(kind, 2, 64);
        const Picture large = quartered(proceduralPicture(kind, 2, 256));
        EXPECT_GT(ssim(small, large, SsimVariant::Wang04, 1.0).value().mean, 0.8) << toString(kind);
        const Picture other = proceduralPicture(kind, 3, 64);
        EXPECT_LT(ssim(small, other, SsimVariant::Wang04, 1.0).value().mean, 0.8) << toString(kind);
    }
}

TEST(Procedural, SetsGoThroughTheKindsAndGrow)
{
    const auto set = proceduralSet(21, 9, 32);
    ASSERT_EQ(set.size(), 21U);
    EXPECT_EQ(set[0].name, "01 dead-leaves");
    EXPECT_EQ(set[9].name, "10 collage");
    EXPECT_EQ(set[20].name, "21 dead-leaves");
    EXPECT_NE(set[0].picture, set[10].picture);
    EXPECT_NE(set[10].picture, set[20].picture);
    const auto shorter = proceduralSet(3, 9, 32);
    for (std::size_t i = 0; i < shorter.size(); ++i)
        EXPECT_EQ(shorter[i].picture, set[i].picture);
    EXPECT_NE(proceduralSet(1, 10, 32)[0].picture, set[0].picture);
    EXPECT_TRUE(proceduralSet(0, 1, 32).empty());
}

TEST(Procedural, NamesComeBack)
{
    for (const ProceduralKind kind : kProceduralKinds)
        EXPECT_EQ(proceduralKindFromString(toString(kind)), kind);
    EXPECT_FALSE(proceduralKindFromString("photo").has_value());
}

TEST(ExactMath, IsCloseToTheLibrary)
{
    using namespace scenes;
    for (int i = -3000; i < 3000; ++i) {
        const double turns = i / 997.0;
        ASSERT_NEAR(sine(turns), std::sin(turns * kTurn), 4e-6) << turns;
        ASSERT_NEAR(cosine(turns), std::cos(turns * kTurn), 4e-6) << turns;
        const double x = std::cos(turns * kTurn);
        const double y = std::sin(turns * kTurn);
        const double error = angleOf(x, y) - std::atan2(y, x) / kTurn;
        ASSERT_NEAR(error - std::round(error), 0.0, 7e-4) << turns;
    }
    EXPECT_EQ(angleOf(0.0, 0.0), 0.0);
    EXPECT_EQ(smooth(1.0, 2.0, 0.5), 0.0);
    EXPECT_EQ(smooth(1.0, 2.0, 1.5), 0.5);
    EXPECT_EQ(smooth(2.0, 1.0, 0.5), 1.0) << "edges may run downwards";
}

TEST(ExactMath, RandomNumbersAreThoseOfSplitmix64)
{
    // The first outputs for state 0, as the author's reference program prints them.
    scenes::Random random(0);
    EXPECT_EQ(random.next(), 0xE220A8397B1DCDAFULL);
    EXPECT_EQ(random.next(), 0x6E789E6AA1B965F4ULL);
    EXPECT_EQ(random.next(), 0x06C45D188009454FULL);
    for (int i = 0; i < 1000; ++i) {
        const double value = random.uniform();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        ASSERT_LT(random.below(7), 7);
    }
}

TEST(Noise, IsSmoothZeroOnTheLatticeAndBounded)
{
    const scenes::Noise noise(4);
    EXPECT_EQ(noise.at({3.0, -2.0}), 0.0);
    for (int i = 0; i < 2000; ++i) {
        const scenes::Point p{i * 0.0373 - 20.0, 7.0 - i * 0.0191};
        ASSERT_LE(std::abs(noise.at(p)), 1.3);
        ASSERT_NEAR(noise.at(p), noise.at(p + scenes::Point{1e-6, 1e-6}), 1e-5);
    }
    EXPECT_NE(noise.at({0.5, 0.5}), scenes::Noise(5).at({0.5, 0.5}));
}

TEST(Canvas, CoverageIsTheAreaOfTheShape)
{
    scenes::Canvas canvas(64);
    canvas.ellipse({0.5, 0.5}, 0.3, 0.2, 0.07, [](double, double) { return scenes::grey(1.0); });
    double area = 0.0;
    for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x)
            area += canvas.at(x, y).g / (64.0 * 64.0);
    }
    EXPECT_NEAR(area, 3.14159265 * 0.3 * 0.2, 0.002);
    // Painting outside the surface is cut off, not stored elsewhere.
    canvas.segment({-1.0, -1.0}, {2.0, 2.0}, 0.1, scenes::grey(0.5));
    EXPECT_EQ(canvas.at(0, 0).r, 0.5);
    EXPECT_EQ(canvas.at(63, 0).r, 0.0);
}

TEST(Canvas, HsvHitsThePrimaries)
{
    const auto expect = [](scenes::Rgb colour, double r, double g, double b) {
        EXPECT_NEAR(colour.r, r, 1e-12);
        EXPECT_NEAR(colour.g, g, 1e-12);
        EXPECT_NEAR(colour.b, b, 1e-12);
    };
    expect(scenes::hsv(0.0, 1.0, 1.0), 1, 0, 0);
    expect(scenes::hsv(1.0 / 3.0, 1.0, 1.0), 0, 1, 0);
    expect(scenes::hsv(-1.0 / 3.0, 1.0, 0.5), 0, 0, 0.5);
    expect(scenes::hsv(0.4, 0.0, 0.7), 0.7, 0.7, 0.7);
}

TEST(StrokeFont, DrawsEveryLetterDifferently)
{
    std::set<std::string> shapes;
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,-:!?+/()";
    for (const char letter : letters) {
        scenes::Canvas canvas(40);
        const double end = scenes::drawLine(canvas, std::string(1, letter), {0.2, 0.9}, 0.8, 0.1,
                                            scenes::grey(1.0), 0.0);
        EXPECT_GT(end, 0.2);
        shapes.insert(hashOf(canvas.picture()));
    }
    EXPECT_EQ(shapes.size(), letters.size());
    scenes::Canvas blank(40);
    (void)scenes::drawLine(blank, " ~", {0.2, 0.9}, 0.8, 0.1, scenes::grey(1.0), 0.0);
    EXPECT_EQ(statisticsOf(blank.picture()).colours, 1U);
    EXPECT_NEAR(scenes::lineWidth("AB", 0.6), (5.6 + 4.0) * 0.1, 1e-12);
}

}  // namespace
}  // namespace qs::core
