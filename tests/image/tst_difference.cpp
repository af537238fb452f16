#include "core/image/difference.h"

#include "tests/image/golden_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace qs::core {
namespace {

using ::testing::HasSubstr;

Difference between(std::vector<float> values, std::vector<float> reference, double range = 1.0)
{
    return difference(std::span<const float>(values), std::span<const float>(reference), range)
        .value();
}

TEST(Difference, PsnrAgreesWithTheGoldenTable)
{
    for (const auto& golden : tests::goldenCases()) {
        const Difference result =
            difference(golden.distorted, tests::goldenReference(), 255.0).value();
        if (golden.name == "identity") {
            EXPECT_TRUE(result.identical);
            EXPECT_EQ(result.psnrDb, std::numeric_limits<double>::infinity());
        } else {
            EXPECT_FALSE(result.identical);
            EXPECT_NEAR(result.psnrDb, golden.psnrDb, 5.1e-7) << golden.name;
        }
    }
}

TEST(Difference, HandWorkedFigures)
{
    // Errors 1, -2, 0, 2: squares 9, |reference|² = 1 + 4 + 0 + 4 = 9.
    const Difference result = between({2, 0, 0, 4}, {1, 2, 0, 2}, 2.0);
    EXPECT_DOUBLE_EQ(result.meanSquaredError, 9.0 / 4.0);
    EXPECT_DOUBLE_EQ(result.maxAbsolute, 2.0);
    EXPECT_DOUBLE_EQ(result.meanAbsolute, 5.0 / 4.0);
    EXPECT_DOUBLE_EQ(result.relativeL2, 1.0);
    EXPECT_DOUBLE_EQ(result.cosineSimilarity, 10.0 / (std::sqrt(20.0) * 3.0));
    EXPECT_NEAR(result.psnrDb, 10.0 * std::log10(4.0 / 2.25), 1e-12);
}

TEST(Difference, RangeShiftsThePsnrAlone)
{
    const Difference one = between({0.5F, 0.25F}, {0.5F, 0.75F}, 1.0);
    const Difference two = between({0.5F, 0.25F}, {0.5F, 0.75F}, 2.0);
    EXPECT_NEAR(two.psnrDb - one.psnrDb, 20.0 * std::log10(2.0), 1e-12);
    EXPECT_EQ(one.meanSquaredError, two.meanSquaredError);
}

TEST(Difference, EdgesAreDefined)
{
    EXPECT_DOUBLE_EQ(between({1, -1}, {-1, 1}).cosineSimilarity, -1.0);
    EXPECT_EQ(between({0, 0}, {0, 0}).cosineSimilarity, 1.0);
    EXPECT_EQ(between({0, 0}, {0, 0}).relativeL2, 0.0);
    EXPECT_EQ(between({1, 0}, {0, 0}).cosineSimilarity, 0.0);
    EXPECT_EQ(between({1, 0}, {0, 0}).relativeL2, std::numeric_limits<double>::infinity());
    EXPECT_EQ(between({0, 0}, {0, 2}).relativeL2, 1.0);
    // Equal up to the sign of zero is identical: no bit of a picture shows it.
    EXPECT_TRUE(between({0.0F, 1}, {-0.0F, 1}).identical);
    // The smallest step there is still counts as different.
    EXPECT_FALSE(between({1}, {std::nextafter(1.0F, 2.0F)}).identical);
    EXPECT_LT(between({1}, {std::nextafter(1.0F, 2.0F)}).psnrDb, 140.0);
}

TEST(Difference, LongInputsKeepTheirPrecision)
{
    const std::vector<float> values(3'000'001, 0.1F);
    const std::vector<float> reference(values.size(), 0.2F);
    const double error = static_cast<double>(0.2F) - static_cast<double>(0.1F);
    const Difference result = between(values, reference);
    EXPECT_NEAR(result.meanAbsolute, error, 1e-14);
    EXPECT_NEAR(result.meanSquaredError, error * error, 1e-15);
    EXPECT_NEAR(result.cosineSimilarity, 1.0, 1e-12);
}

TEST(Difference, RefusesWhatHasNoScore)
{
    const auto refusal = [](std::vector<float> a, std::vector<float> b, double range) {
        const auto result = difference(std::span<const float>(a), std::span<const float>(b), range);
        return result.ok() ? std::string("accepted") : result.error().message;
    };
    EXPECT_THAT(refusal({1}, {1, 2}, 1), HasSubstr("1 values with 2"));
    EXPECT_THAT(refusal({}, {}, 1), HasSubstr("0 values"));
    EXPECT_THAT(refusal({1}, {1}, -1), HasSubstr("range"));
    EXPECT_THAT(refusal({1, NAN}, {1, 2}, 1), HasSubstr("the result has 1 NaN"));
    EXPECT_THAT(refusal({1, 2}, {INFINITY, -INFINITY}, 1), HasSubstr("the reference has 2"));
    const auto shapes = difference(makePicture(2, 3, 3), makePicture(3, 2, 3), 1.0);
    EXPECT_THAT(shapes.error().message, HasSubstr("different sizes"));
}

TEST(Difference, SignedMapIsTheMeanOverChannels)
{
    Picture a = makePicture(2, 1, 3, 0.5F);
    const Picture b = a;
    a.at(1, 0, 0) = 0.8F;
    a.at(1, 0, 2) = 0.2F + 0.6F;
    const PixelMap map = signedDifferenceMap(a, b).value();
    EXPECT_EQ(map.at(0, 0), 0.0F);
    EXPECT_NEAR(map.at(1, 0), 0.2F, 1e-6);
    EXPECT_NEAR(signedDifferenceMap(b, a).value().at(1, 0), -0.2F, 1e-6);
    EXPECT_FALSE(signedDifferenceMap(a, makePicture(1, 1, 3)).ok());
}

}  // namespace
}  // namespace qs::core
