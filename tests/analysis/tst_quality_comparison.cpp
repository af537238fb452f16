#include "core/analysis/quality_comparison.h"

#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using tests::addQuality;
using tests::runOf;

constexpr int kPictures = 8;

// A floor of 0.001; "good" lies at 0.002, "bad" at about 0.02 and "alike" where "bad" is, give or
// take less than the floor.
RunData comparedRun()
{
    RunData data = runOf({{.id = "ref", .reference = "ref"},
                          {.id = "fp32", .precision = "fp32", .reference = "ref"},
                          {.id = "good", .precision = "int8dq", .reference = "ref"},
                          {.id = "bad", .precision = "int8wo", .reference = "ref"},
                          {.id = "alike", .precision = "float8dq-row", .reference = "ref"},
                          {.id = "ref4", .batch = 4, .reference = "ref4"},
                          {.id = "other", .precision = "int8dq", .batch = 4, .reference = "ref4"}});
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = true;
    data.plan.cells[1].role = CellRole::NoiseFloor;
    for (int picture = 0; picture < kPictures; ++picture) {
        addQuality(data, "fp32", "ref", picture, 0.999);
        addQuality(data, "good", "ref", picture, 0.998);
        addQuality(data, "bad", "ref", picture, 0.98 - 0.001 * picture);
        addQuality(data, "alike", "ref", picture,
                   0.98 - 0.001 * picture + (picture % 2 == 0 ? 2e-4 : -2e-4));
        addQuality(data, "other", "ref4", picture, 0.9);
    }
    return data;
}

QualityComparison compared(const RunData& data, const char* a, const char* b)
{
    return judgeAgainst(data, analyse(data, "best-bf16"), a, b);
}

TEST(QualityComparison, TellsWhichIsCloserToTheReference)
{
    const RunData data = comparedRun();
    const QualityComparison comparison = compared(data, "good", "bad");
    EXPECT_EQ(comparison.verdict, QualityVerdict::Better);
    EXPECT_EQ(comparison.pictures, 8U);
    EXPECT_NEAR(comparison.margin, 0.001, 1e-12);
    ASSERT_TRUE(comparison.closer);
    EXPECT_NEAR(comparison.closer->value, 0.0215, 1e-9);
    EXPECT_LT(comparison.closer->interval->lower, 0.0215);
    EXPECT_EQ(compared(data, "bad", "good").verdict, QualityVerdict::Worse);
    EXPECT_NEAR(compared(data, "bad", "good").closer->value, -0.0215, 1e-9);
    EXPECT_EQ(compared(data, "bad", "alike").verdict, QualityVerdict::Same);
}

TEST(QualityComparison, TheReferenceLiesAtNoDistance)
{
    const RunData data = comparedRun();
    EXPECT_EQ(compared(data, "bad", "ref").verdict, QualityVerdict::Worse);
    EXPECT_EQ(compared(data, "ref", "bad").verdict, QualityVerdict::Better);
    EXPECT_EQ(compared(data, "ref", "fp32").verdict, QualityVerdict::Same);
}

// One picture that differs much is no evidence: the others say nothing.
TEST(QualityComparison, OnePictureAloneSettlesNothing)
{
    RunData data = comparedRun();
    for (OutputQuality& quality : data.qualities) {
        if (quality.cellId == "bad")
            quality.set("ssim", quality.sample == 0 ? 0.5 : 0.998);
    }
    EXPECT_EQ(compared(data, "good", "bad").verdict, QualityVerdict::Ambiguous);
}

TEST(QualityComparison, OnlyPicturesOfBothCount)
{
    RunData data = comparedRun();
    std::erase_if(data.qualities, [](const OutputQuality& quality) {
        return quality.cellId == "bad" && quality.sample >= 5;
    });
    const QualityComparison comparison = compared(data, "good", "bad");
    EXPECT_EQ(comparison.pictures, 5U);
    EXPECT_EQ(comparison.verdict, QualityVerdict::TooFewPictures);
    EXPECT_EQ(comparison.reason, NoVerdict::TooFewImages);
}

TEST(QualityComparison, SaysWhyThereIsNoVerdict)
{
    RunData data = comparedRun();
    const auto reason = [&](const char* a, const char* b) {
        const QualityComparison comparison = compared(data, a, b);
        EXPECT_FALSE(comparison.verdict) << a << " and " << b;
        return comparison.reason;
    };
    EXPECT_EQ(reason("good", "other"), NoVerdict::OtherReference);
    EXPECT_EQ(reason("good", "good"), NoVerdict::SameCell);
    EXPECT_EQ(reason("good", "nobody"), NoVerdict::OtherRun);
    EXPECT_EQ(reason("other", "ref4"), NoVerdict::NoFloor);
    std::erase_if(data.qualities,
                  [](const OutputQuality& quality) { return quality.cellId == "bad"; });
    EXPECT_EQ(reason("good", "bad"), NoVerdict::NoCommonImages);
    data.plan.cells.push_back(data.plan.cells[0]);
    data.plan.cells.back().id = "again";
    data.plan.cells.back().rerun = 1;
    EXPECT_EQ(reason("good", "alike"), NoVerdict::FloorIncomplete);
    EXPECT_EQ(compared(data, "good", "alike").floorRuns, 1);
    EXPECT_EQ(compared(data, "good", "alike").floorRunsPlanned, 2);
    data.plan.cells[2].trained = false;
    EXPECT_EQ(reason("good", "alike"), NoVerdict::Untrained);
}

}  // namespace
}  // namespace qs::core
