#include "core/analysis/analysis.h"
#include "core/analysis/batch_limits.h"
#include "core/report/report.h"

#include "tests/analysis/analysis_data.h"
#include "tests/support/sample_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::addFailure;
using tests::addRow;
using tests::runOf;

RunData threeBatches()
{
    return runOf({{.id = "b4", .batch = 4}, {.id = "b1", .batch = 1}, {.id = "b2", .batch = 2}});
}

BatchLimits onlyLimits(const RunData& data)
{
    const Analysis analysis = analyse(data, "best-bf16");
    const auto limits = batchLimits(analysis);
    QS_ASSERT(limits.size() == 1);
    return limits.front();
}

TEST(BatchLimits, LargestFittingNeedsALargerOneThatRanOutOfMemory)
{
    RunData data = threeBatches();
    addRow(data, "b1", 0, {1.0});
    addRow(data, "b2", 0, {1.0});
    EXPECT_EQ(onlyLimits(data).largestFitting, std::nullopt);
    addFailure(data, "b4", 0, FailureKind::OutOfMemory);
    const BatchLimits limits = onlyLimits(data);
    EXPECT_EQ(limits.largestFitting, 2);
    EXPECT_THAT(limits.cellIds, ElementsAre("b1", "b2", "b4"));
    EXPECT_EQ(limits.family, "bf16 · eager");
}

TEST(BatchLimits, OtherFailuresAreNoLimit)
{
    RunData data = threeBatches();
    addRow(data, "b1", 0, {1.0});
    addFailure(data, "b4", 0, FailureKind::Signal);
    EXPECT_EQ(onlyLimits(data).largestFitting, std::nullopt);
}

TEST(BatchLimits, AnAccidentAtASmallerBatchIsNoLimit)
{
    RunData data = threeBatches();
    addRow(data, "b1", 0, {1.0});
    addFailure(data, "b2", 0, FailureKind::OutOfMemory);
    addRow(data, "b4", 0, {1.0});
    EXPECT_EQ(onlyLimits(data).largestFitting, std::nullopt);
}

TEST(BatchLimits, NothingFits)
{
    RunData data = threeBatches();
    addFailure(data, "b1", 0, FailureKind::OutOfMemory);
    EXPECT_EQ(onlyLimits(data).largestFitting, std::nullopt);
    EXPECT_EQ(onlyLimits(data).bestThroughputBatch, std::nullopt);
}

TEST(BatchLimits, BestThroughputIsNotTheLargestBatch)
{
    RunData data = threeBatches();
    addRow(data, "b1", 0, {1.0});  // 1 picture per second
    addRow(data, "b2", 0, {1.0});  // 2
    addRow(data, "b4", 0, {4.0});  // 1
    const BatchLimits limits = onlyLimits(data);
    EXPECT_EQ(limits.bestThroughputBatch, 2);
    EXPECT_DOUBLE_EQ(limits.bestThroughput, 2.0);
}

// Four digits of a figure that scatters by half would be a lie.
TEST(BatchLimits, TheBestThroughputHasItsInterval)
{
    RunData data = threeBatches();
    for (int round = 0; round < 3; ++round) {
        addRow(data, "b1", round, {1.0});
        addRow(data, "b2", round, {1.0 + 0.5 * round});
        addRow(data, "b4", round, {9.0});
    }
    const BatchLimits limits = onlyLimits(data);
    EXPECT_EQ(limits.bestThroughputBatch, 2);
    ASSERT_TRUE(limits.bestThroughputInterval);
    EXPECT_LT(limits.bestThroughputInterval->lower, limits.bestThroughput);
    const std::string markdown = summaryMarkdown(data, analyse(data, "best-bf16"));
    const std::string section = markdown.substr(markdown.find("## Batch limits"));
    EXPECT_THAT(section, HasSubstr("| 2 | 1.4 \\["));
}

TEST(BatchLimits, FamiliesAreNamedByWhatTellsThemApart)
{
    RunData data = runOf({{.id = "a"}, {.id = "b"}, {.id = "c"}});
    data.plan.cells[1].config.attention = "flash";
    const Analysis analysis = analyse(data, "best-bf16");
    const auto limits = batchLimits(analysis);
    ASSERT_EQ(limits.size(), 2U);
    EXPECT_THAT(limits[0].family, HasSubstr("attention auto"));
    EXPECT_THAT(limits[1].family, HasSubstr("attention flash"));
}

TEST(BatchLimits, OfTheSampleRun)
{
    const RunData data = tests::sampleRun({.withFailures = true});
    const Analysis analysis = analyse(data, data.plan.preset.speedBaseline);
    const auto limits = batchLimits(analysis);
    ASSERT_EQ(limits.size(), 5U);  // four swept and fp32; reruns do not count
    EXPECT_EQ(limits[0].largestFitting, std::nullopt);
    EXPECT_EQ(limits[0].bestThroughputBatch, 64);
    EXPECT_EQ(limits[1].family, "bf16 · cuda-graph");
    EXPECT_EQ(limits[1].largestFitting, 16);
}

TEST(Analysis, OfTheSampleRun)
{
    const RunData data = tests::sampleRun();
    const Analysis analysis = analyse(data, "best-bf16");
    ASSERT_EQ(analysis.cells.size(), 18U);
    const CellSummary& summary = *analysis.find("int8dq-cuda-graph-b16");
    EXPECT_EQ(summary.baselineId, "bf16-cuda-graph-b16");
    // 17 ms against 10.6 ms, each within one percent.
    EXPECT_NEAR(*summary.speedup, 17.0 / 10.6, 0.04);
    ASSERT_TRUE(summary.speedupInterval);
    EXPECT_LT(summary.speedupInterval->lower, *summary.speedup);
    EXPECT_GT(summary.speedupInterval->lower, 1.0);
    // Mean spread over four pictures is 1.15: 0.0046 against the 0.00115 of fp32.
    EXPECT_NEAR(*summary.noiseMultiple, 4.0, 1e-9);
    EXPECT_EQ(summary.roundsOk, 3);
    EXPECT_TRUE(analysis.find("bf16-none-b4-again")->identical());
    EXPECT_EQ(analysis.floors.size(), 3U);
}

// 10 000 cells in 10 rounds. How long that takes is a matter of bench_analysis; whoever looks at
// all rows for each cell runs into the time limit of the whole test.
TEST(Analysis, TakesHundredThousandRows)
{
    RunData data;
    data.plan.preset.rounds = 10;
    for (int i = 0; i < 10'000; ++i) {
        const std::string id = "c" + std::to_string(i);
        data.plan.cells.push_back(tests::cellOf(
            {.id = id, .precision = i % 2 == 0 ? "bf16" : "int8dq", .reference = "c0"}));
        for (int round = 0; round < 10; ++round)
            addRow(data, id, round, {1.0, 1.1, 1.2, 1.0, 1.1});
        tests::addQuality(data, id, "c0", 0, 0.9);
    }
    const Analysis analysis = analyse(data, "best-bf16");
    const auto limits = batchLimits(analysis);
    EXPECT_EQ(analysis.cells.back().roundsOk, 10);
    EXPECT_EQ(limits.size(), 2U);
}

}  // namespace
}  // namespace qs::core
