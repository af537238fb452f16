#include "core/image/flip.h"

#include "core/base/json.h"
#include "tests/support/test_folder.h"
#include "tests/support/test_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace qs::core {
namespace {

constexpr int kWidth = 90;
constexpr int kHeight = 70;

using Levels = std::array<int, 3>;  // of 256

// The pictures of make_flip_goldens.py.
Levels referenceAt(int x, int y)
{
    const int disc = (x - 45) * (x - 45) + (y - 35) * (y - 35) < 600 ? 1 : 0;
    return {(x * 2 + 40 * ((x / 8 + y / 8) % 2)) % 257, (y * 3 + 90 * disc) % 257,
            (x * y / 16) % 257};
}

int noiseAt(int x, int y, int c)
{
    return (x * 193 + y * 71 + c * 57) * (x + 3 * y + c) % 31 - 15;
}

Picture made(const std::function<int(int x, int y, int c)>& level)
{
    Picture picture = makePicture(kWidth, kHeight, 3);
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            for (int c = 0; c < 3; ++c)
                picture.at(x, y, c) =
                    static_cast<float>(std::clamp(level(x, y, c), 0, 256)) / 256.0F;
        }
    }
    return picture;
}

int at(int x, int y, int c)
{
    return referenceAt(x, y)[static_cast<std::size_t>(c)];
}

Picture reference()
{
    return made(at);
}

Picture distorted(const std::string& name)
{
    const std::map<std::string, std::function<int(int, int, int)>> distortions{
        {"identical", at},
        {"one pixel",
         [](int x, int y, int c) { return at(x, y, c) + (x == 40 && y == 30 ? 200 : 0); }},
        {"brighter", [](int x, int y, int c) { return at(x, y, c) + 10; }},
        {"weak noise",
         [](int x, int y, int c) {
             return at(x, y, c) + static_cast<int>(std::floor(noiseAt(x, y, c) / 4.0));
         }},
        {"noise", [](int x, int y, int c) { return at(x, y, c) + noiseAt(x, y, c); }},
        {"strong noise", [](int x, int y, int c) { return at(x, y, c) + 4 * noiseAt(x, y, c); }},
        {"few levels", [](int x, int y, int c) { return at(x, y, c) / 32 * 32 + 16; }},
        {"shifted", [](int x, int y, int c) { return at((x + kWidth - 1) % kWidth, y, c); }},
        {"channels swapped", [](int x, int y, int c) { return at(x, y, 2 - c); }},
        {"inverted", [](int x, int y, int c) { return 256 - at(x, y, c); }},
        {"grey", [](int x, int y, int) { return (at(x, y, 0) + at(x, y, 1) + at(x, y, 2)) / 3; }},
        {"black", [](int, int, int) { return 0; }}};
    return made(distortions.at(name));
}

// Of NVIDIA's flip-evaluator: means to 1e-4, single pixels to 1e-3.
TEST(Flip, AgreesWithItsAuthors)
{
    const Json golden = readJsonFile(tests::dataFile("golden/image/flip.json")).value();
    ASSERT_EQ(golden.at("cases").size(), 13U);
    int wholeMaps = 0;
    for (const Json& expected : golden.at("cases")) {
        const auto name = expected.at("name").get<std::string>();
        const int step = expected.at("step").get<int>();
        wholeMaps += step == 1 ? 1 : 0;
        const FlipResult result =
            flip(distorted(name), reference(), expected.at("ppd").get<double>()).value();
        EXPECT_NEAR(result.mean, expected.at("mean").get<double>(), 1e-4) << name;
        std::size_t place = 0;
        double farthest = 0.0;
        for (int y = 0; y < kHeight; y += step) {
            for (int x = 0; x < kWidth; x += step) {
                const double value = expected.at("map").at(place++).get<double>();
                farthest = std::max(farthest, std::abs(result.map.at(x, y) - value));
            }
        }
        EXPECT_EQ(place, expected.at("map").size()) << name;
        EXPECT_LE(farthest, 1e-3) << name;
    }
    EXPECT_EQ(wholeMaps, 2) << "every pixel of some pairs, not one in twenty-five";
}

TEST(Flip, IsZeroOnlyForEqualPictures)
{
    const Picture picture = tests::testPicture(4, 100);
    EXPECT_EQ(flip(picture, picture).value().mean, 0.0);
    Picture other = picture;
    other.at(50, 50, 1) = 1.0F - other.at(50, 50, 1);
    EXPECT_GT(flip(other, picture).value().mean, 0.0);
}

TEST(Flip, IsSymmetricAndBounded)
{
    for (const unsigned seed : {1U, 3U, 5U, 7U}) {
        const Picture a = tests::testPicture(seed, 80);
        const Picture b = tests::testPicture(seed + 1, 80);
        const FlipResult there = flip(a, b).value();
        const FlipResult back = flip(b, a).value();
        EXPECT_NEAR(there.mean, back.mean, 1e-6);
        for (const float value : there.map.values) {
            EXPECT_GE(value, 0.0F);
            EXPECT_LE(value, 1.0F);
        }
    }
}

TEST(Flip, GrowsWithTheDistortionAndShrinksWithTheDistance)
{
    const auto mean = [](const char* name, double pixelsPerDegree) {
        return flip(distorted(name), reference(), pixelsPerDegree).value().mean;
    };
    EXPECT_LT(mean("weak noise", 67.0), mean("noise", 67.0));
    EXPECT_LT(mean("noise", 67.0), mean("strong noise", 67.0));
    EXPECT_GT(mean("noise", 30.0), mean("noise", 67.0));
    EXPECT_GT(mean("noise", 67.0), mean("noise", 140.0)) << "from afar noise is not seen";
}

// Bands are an implementation detail: a picture of several bands equals its parts.
TEST(Flip, DoesNotDependOnTheBandsItIsComputedIn)
{
    const Picture a = tests::testPicture(1, 200);
    const Picture b = tests::testPicture(2, 200);
    const PixelMap whole = flip(a, b).value().map;
    // Rows 60 … 139 with enough around them to be exact in the middle.
    const PixelMap part =
        flip(cropped(a, 0, 30, 200, 140), cropped(b, 0, 30, 200, 140)).value().map;
    for (int y = 60; y < 140; ++y) {
        for (int x = 0; x < 200; ++x)
            ASSERT_FLOAT_EQ(whole.at(x, y), part.at(x, y - 30)) << x << ", " << y;
    }
}

TEST(Flip, TakesGreyAndLimitsWhatNoScreenShows)
{
    const Picture grey = makePicture(20, 20, 1, 0.5F);
    EXPECT_EQ(flip(grey, grey).value().mean, 0.0);
    EXPECT_NEAR(flip(makePicture(20, 20, 1, 0.2F), grey).value().mean,
                flip(makePicture(20, 20, 3, 0.2F), makePicture(20, 20, 3, 0.5F)).value().mean,
                1e-6);
    const Picture white = makePicture(20, 20, 3, 1.0F);
    EXPECT_EQ(flip(makePicture(20, 20, 3, 7.5F), white).value().mean, 0.0);
    EXPECT_EQ(flip(makePicture(1, 1, 3, 0.5F), makePicture(1, 1, 3, 0.5F)).value().mean, 0.0);
}

TEST(Flip, RefusesWhatCannotBeCompared)
{
    const Picture picture = makePicture(20, 20, 3, 0.5F);
    EXPECT_FALSE(flip(picture, makePicture(20, 21, 3, 0.5F)).ok());
    EXPECT_FALSE(flip(picture, makePicture(20, 20, 1, 0.5F)).ok());
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Picture broken = picture;
        broken.at(3, 3, 0) = bad;
        EXPECT_FALSE(flip(broken, picture).ok());
        EXPECT_FALSE(flip(picture, broken).ok());
    }
    for (const double distance : {0.0, -67.0, 1e9, std::nan("")})
        EXPECT_FALSE(flip(picture, picture, distance).ok()) << distance;
}

}  // namespace
}  // namespace qs::core
