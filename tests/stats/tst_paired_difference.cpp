#include "core/stats/paired_difference.h"

#include <gtest/gtest.h>

#include <vector>

namespace qs::core {
namespace {

const std::vector<double> kEight{0.3, -0.1, 0.4, 0.2, 0.5, 0.05, -0.02, 0.6};

// scipy.stats.permutation_test(permutation_type="samples", alternative="greater"), all patterns.
TEST(SignFlip, AgreesWithScipy)
{
    EXPECT_DOUBLE_EQ(signFlipChance(kEight, 0.0), 6.0 / 256.0);
    EXPECT_DOUBLE_EQ(signFlipChance(kEight, 0.1), 22.0 / 256.0);
}

// The same with 2 000 000 draws: 0.30401.
TEST(SignFlip, DrawsWhereThereAreTooManyPatterns)
{
    const std::vector<double> thirty{-0.502, -1.024, 0.052,  0.72,   1.436,  0.41,  -0.253, -0.485,
                                     1.049,  1.935,  0.573,  -0.933, -0.658, 1.9,   0.503,  -1.432,
                                     0.216,  -0.863, -0.329, -0.188, -0.413, 0.853, 0.237,  -0.289,
                                     0.71,   1.13,   -1.343, 0.043,  -0.681, 0.127};
    EXPECT_NEAR(signFlipChance(thirty, 0.0), 0.30401, 0.006);
    EXPECT_EQ(signFlipChance(thirty, 0.0), signFlipChance(thirty, 0.0));
}

TEST(SignFlip, KnowsItsLimits)
{
    EXPECT_EQ(signFlipChance({}, 0.0), 1.0);
    const std::vector<double> same(8, 0.25);
    EXPECT_DOUBLE_EQ(signFlipChance(same, 0.0), 1.0 / 256.0);
    EXPECT_DOUBLE_EQ(signFlipChance(same, 0.25), 1.0) << "no difference is no evidence";
    // Rounding must not lose the pattern that was seen.
    const std::vector<double> tiny{1e-17, 3e-17, 1.0, 1e-9, 0.1, 0.2, 0.3};
    EXPECT_GE(signFlipChance(tiny, 0.0), 1.0 / 128.0);
}

TEST(QualityVerdictTest, NamesWhatIsBeyondTheFloor)
{
    const std::vector<double> near(16, 0.001);
    std::vector<double> far;
    for (int i = 0; i < 16; ++i)
        far.push_back(0.02 + 0.001 * i);
    EXPECT_EQ(judgeQuality(near, far, 0.005), QualityVerdict::Better);
    EXPECT_EQ(judgeQuality(far, near, 0.005), QualityVerdict::Worse);
    EXPECT_EQ(judgeQuality(far, near, 0.1), QualityVerdict::Same) << "below the floor";
    EXPECT_EQ(judgeQuality(near, near, 0.0), QualityVerdict::Same);
}

TEST(QualityVerdictTest, LeavesOpenWhatIsOpen)
{
    std::vector<double> a(8, 0.01);
    std::vector<double> b{0.5, 0.0, 0.4, 0.01, 0.3, 0.0, 0.02, 0.0};
    EXPECT_EQ(judgeQuality(a, b, 0.005), QualityVerdict::Ambiguous) << "three pictures decide it";
    a.resize(5);
    b.resize(5);
    EXPECT_EQ(judgeQuality(a, b, 0.005), QualityVerdict::TooFewPictures);
    EXPECT_EQ(judgeQuality({}, {}, 0.0), QualityVerdict::TooFewPictures);
}

}  // namespace
}  // namespace qs::core
