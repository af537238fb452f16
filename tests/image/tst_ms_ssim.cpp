#include "core/image/ms_ssim.h"

#include "tests/image/golden_cases.h"
#include "tests/support/test_picture.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace qs::core {
namespace {

using tests::goldenCases;
using tests::goldenReference;
using tests::withNoise;

// The last column of the golden table: an independent double-precision program, in the order of the
// cases.
constexpr std::array kGolden{1.0,          0.9999999977, 0.9996568408, 0.9886584561, 0.8298053264,
                             0.9964841608, 0.9588068896, 0.0,          0.9422261962};

TEST(MsSsim, AgreesWithTheGoldenTable)
{
    const auto cases = goldenCases();
    ASSERT_EQ(cases.size(), kGolden.size());
    for (std::size_t i = 0; i < cases.size(); ++i)
        EXPECT_NEAR(msSsim(goldenReference(), cases[i].distorted, 255.0).value(), kGolden.at(i),
                    1e-9)
            << cases[i].name;
}

TEST(MsSsim, IsSymmetricBoundedAndOneForEqualPictures)
{
    for (const unsigned seed : {1U, 3U, 5U, 7U}) {
        const Picture a = tests::testPicture(seed, 181);
        const Picture b = tests::testPicture(seed + 1, 181);
        EXPECT_EQ(msSsim(a, a, 1.0).value(), 1.0);
        const double there = msSsim(a, b, 1.0).value();
        EXPECT_NEAR(there, msSsim(b, a, 1.0).value(), 1e-12);
        EXPECT_GE(there, 0.0);
        EXPECT_LT(there, 1.0);
    }
}

TEST(MsSsim, FallsWithNoise)
{
    const Picture picture = tests::testPicture(1, 200);
    double before = 1.0;
    for (const double amplitude : {0.01, 0.05, 0.1, 0.3}) {
        const double now = msSsim(withNoise(picture, amplitude), picture, 1.0).value();
        EXPECT_LT(now, before) << amplitude;
        before = now;
    }
}

TEST(MsSsim, DoesNotDependOnTheUnit)
{
    const Picture a = tests::testPicture(1, 180);
    const Picture b = withNoise(a, 0.1);
    Picture a255 = a;
    Picture b255 = b;
    for (float& value : a255.values)
        value *= 256.0F;
    for (float& value : b255.values)
        value *= 256.0F;
    EXPECT_NEAR(msSsim(a, b, 1.0).value(), msSsim(a255, b255, 256.0).value(), 1e-12);
}

TEST(MsSsim, RefusesWhatCannotBeCompared)
{
    const Picture least = makePicture(176, 177, 3, 0.5F);
    EXPECT_EQ(msSsim(least, least, 1.0).value(), 1.0);
    const auto small = msSsim(makePicture(175, 400, 3), makePicture(175, 400, 3), 1.0);
    ASSERT_FALSE(small.ok());
    EXPECT_NE(small.error().message.find("176"), std::string::npos);
    EXPECT_FALSE(msSsim(least, makePicture(177, 177, 3), 1.0).ok());
    EXPECT_FALSE(msSsim(least, least, 0.0).ok());
    Picture broken = least;
    broken.at(7, 7, 0) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(msSsim(broken, least, 1.0).ok());
}

}  // namespace
}  // namespace qs::core
