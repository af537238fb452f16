#include "core/stats/paired_difference.h"

#include "core/stats/verdict.h"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <string>
#include <vector>

namespace qs::core {
namespace {

const std::vector<double> kEight{0.3, -0.1, 0.4, 0.2, 0.5, 0.05, -0.02, 0.6};

// scipy.stats.permutation_test(permutation_type="samples", alternative="greater"), all patterns.
TEST(SignFlip, AgreesWithScipy)
{
    EXPECT_DOUBLE_EQ(signFlipPValue(kEight, 0.0), 6.0 / 256.0);
    EXPECT_DOUBLE_EQ(signFlipPValue(kEight, 0.1), 22.0 / 256.0);
}

// The same with 2 000 000 draws: 0.30401.
TEST(SignFlip, DrawsWhereThereAreTooManyPatterns)
{
    const std::vector<double> thirty{-0.502, -1.024, 0.052,  0.72,   1.436,  0.41,  -0.253, -0.485,
                                     1.049,  1.935,  0.573,  -0.933, -0.658, 1.9,   0.503,  -1.432,
                                     0.216,  -0.863, -0.329, -0.188, -0.413, 0.853, 0.237,  -0.289,
                                     0.71,   1.13,   -1.343, 0.043,  -0.681, 0.127};
    EXPECT_NEAR(signFlipPValue(thirty, 0.0), 0.30401, 0.006);
    EXPECT_EQ(signFlipPValue(thirty, 0.0), signFlipPValue(thirty, 0.0));
}

TEST(SignFlip, KnowsItsLimits)
{
    EXPECT_EQ(signFlipPValue({}, 0.0), 1.0);
    const std::vector<double> same(8, 0.25);
    EXPECT_DOUBLE_EQ(signFlipPValue(same, 0.0), 1.0 / 256.0);
    EXPECT_DOUBLE_EQ(signFlipPValue(same, 0.25), 1.0) << "no difference is no evidence";
    // Rounding must not lose the pattern that was seen.
    const std::vector<double> tiny{1e-17, 3e-17, 1.0, 1e-9, 0.1, 0.2, 0.3};
    EXPECT_GE(signFlipPValue(tiny, 0.0), 1.0 / 128.0);
}

// scipy.stats.mannwhitneyu(high, low, alternative="greater", method="exact"): 1 / C(16, 8).
TEST(Separation, IsOneOfAllWaysToChooseTheHighOnes)
{
    const std::vector<double> low{0.1, 0.4, 0.2, 0.3, 0.15, 0.25, 0.35, 0.05};
    std::vector<double> high{0.5, 0.9, 0.6, 0.7, 0.8, 1.5, 0.41, 0.55};
    EXPECT_NEAR(separationPValue(high, low), 1.0 / 12870.0, 1e-15);
    EXPECT_NEAR(separationPValue(std::span(high).first(2), std::span(low).first(3)), 1.0 / 10.0,
                1e-15);
    EXPECT_EQ(separationPValue(low, high), 1.0);
    high.front() = 0.4;
    EXPECT_EQ(separationPValue(high, low), 1.0) << "a tie is no separation";
    EXPECT_EQ(separationPValue({}, low), 1.0);
    EXPECT_EQ(separationPValue(high, {}), 1.0);
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

TEST(QualityVerdictTest, IsJudgedByThePValue)
{
    const std::vector<double> near(16, 0.001);
    std::vector<double> far;
    for (int i = 0; i < 16; ++i)
        far.push_back(0.02 + 0.001 * i);
    const QualityEvidence evidence = weighQuality(far, near, 0.005);
    EXPECT_DOUBLE_EQ(evidence.worse, 1.0 / 65536.0) << "each picture is worse";
    EXPECT_EQ(evidence.better, 1.0);
    EXPECT_DOUBLE_EQ(evidence.claim(), 2.0 / 65536.0);
    EXPECT_NEAR(evidence.closer.value, 0.001 - 0.0275, 1e-12);
    EXPECT_EQ(evidence.closer.count, 16U);
    EXPECT_EQ(judge(evidence, evidence.claim()), QualityVerdict::Worse);
    EXPECT_EQ(judge(evidence, 0.051), QualityVerdict::Ambiguous);
    EXPECT_EQ(judge(weighQuality({}, {}, 0.0), 0.0), QualityVerdict::TooFewPictures);
}

// From -1 to 1, roughly normal, and the same with every library.
double deviation(std::mt19937_64& random)
{
    double sum = 0.0;
    for (int i = 0; i < 4; ++i)
        sum += static_cast<double>(random() >> 11U) * 0x1.0p-53 - 0.5;
    return sum / 2.0;
}

// Fifty cells that lie just at the floor: none is worse than it.
TEST(QualityVerdictTest, ASweepOfHarmlessCellsIsHardlyEverBlamed)
{
    constexpr int kSweeps = 400;
    std::mt19937_64 random(5);
    const std::vector<double> reference(16, 0.0);
    int blamed = 0;
    int blamedOneByOne = 0;
    int found = 0;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        std::vector<QualityEvidence> evidence;
        std::vector<double> claims;
        for (int cell = 0; cell < 51; ++cell) {
            std::vector<double> distances;
            for (int picture = 0; picture < 16; ++picture)  // the last one really is worse
                distances.push_back((cell < 50 ? 0.010 : 0.016) + 0.005 * deviation(random));
            evidence.push_back(weighQuality(distances, reference, 0.010));
            claims.push_back(evidence.back().claim());
        }
        const std::vector<double> adjusted = holmAdjusted(claims);
        bool any = false;
        bool anyAlone = false;
        for (std::size_t i = 0; i < 50; ++i) {
            any = any || judge(evidence[i], adjusted[i]) == QualityVerdict::Worse;
            anyAlone = anyAlone || judge(evidence[i], claims[i]) == QualityVerdict::Worse;
        }
        blamed += any ? 1 : 0;
        blamedOneByOne += anyAlone ? 1 : 0;
        found += judge(evidence.back(), adjusted.back()) == QualityVerdict::Worse ? 1 : 0;
    }
    EXPECT_LE(blamed, kSweeps / 100);
    EXPECT_GE(blamedOneByOne, kSweeps / 4) << "what the correction is for";
    EXPECT_GE(found, kSweeps * 90 / 100);
}

}  // namespace
}  // namespace qs::core
