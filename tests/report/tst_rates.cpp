// What reports say of rates, of batches, and of what is compiled.
#include "core/report/compiled_share_section.h"
#include "core/report/rates_section.h"
#include "core/report/report.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::HasSubstr;
using testing::Not;

// Tiles of 64 pixels: 0.4096 km² and 9216 tokens a sample; int8dq at 128 runs out of memory.
RunData tileRun()
{
    RunData data = tests::runOf({{.id = "small", .batch = 4},
                                 {.id = "large", .batch = 128},
                                 {.id = "int8", .precision = "int8dq", .batch = 4},
                                 {.id = "full", .precision = "int8dq", .batch = 128}},
                                2);
    for (PlannedCell& cell : data.plan.cells) {
        cell.amounts = {{AmountKind::Token, 9216.0}, {AmountKind::SquareKilometre, 0.4096}};
        cell.flops = 4.7e12;
        if (cell.config.precision.front() == "int8dq")
            cell.quantizedFlops = 1.57e12;
    }
    for (int round = 0; round < 2; ++round) {
        tests::addRow(data, "small", round, {0.5, 0.5});
        tests::addRow(data, "large", round, {8.0, 8.0});
        tests::addRow(data, "int8", round, {0.25, 0.25});
    }
    tests::addFailure(data, "full", 0, FailureKind::OutOfMemory);
    return data;
}

TEST(Rates, AreThoseOfTilesWithTheLandOfTheWorld)
{
    const RunData data = tileRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    const PlainTable table = ratesSection(analysis).table;
    ASSERT_EQ(table.lines.size(), 4U);
    for (const auto& line : table.lines)
        EXPECT_EQ(line.size(), table.head.size());
    // 4 samples in half a second; 149e6 km² at 3.2768 km²/s are 526 days.
    const std::vector<std::string>& small = table.lines[0];
    EXPECT_EQ(small[1], "4");
    EXPECT_THAT(small[3], HasSubstr("73"));
    EXPECT_THAT(small[4], HasSubstr("3.27"));
    EXPECT_THAT(small[5], HasSubstr("526"));
    // 4.7 / (4.7 - 1.57)
    EXPECT_EQ(table.lines[2][6], "1.50×");
    EXPECT_EQ(small[6], table.lines[3][4])
        << "nothing of bf16 is quantized; no rate without memory";
    EXPECT_NE(small.back(), table.lines[3].back());
    EXPECT_THAT(reportHtml(data, analysis), HasSubstr("id=\"rates\""));
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("km²/s"));
}

TEST(Rates, AreLeftOutOfOtherModels)
{
    RunData data = tileRun();
    for (PlannedCell& cell : data.plan.cells)
        cell.amounts.clear();
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_TRUE(ratesSection(analysis).table.lines.empty());
    EXPECT_THAT(reportHtml(data, analysis), Not(HasSubstr("id=\"rates\"")));
}

TEST(Rates, TheLargestAndTheBestBatchAreInEveryReport)
{
    const RunData data = tileRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    const PlainTable table = batchLimitsSection(analysis).table;
    ASSERT_EQ(table.lines.size(), 2U);
    EXPECT_EQ(table.lines[0][2], "128");
    EXPECT_EQ(table.lines[1][1], "4") << "128 ran out of memory";
    EXPECT_THAT(reportHtml(data, analysis), HasSubstr("id=\"limits\""));
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("## Batch limits"));
}

TEST(CompiledShare, StandsBesideTheTimeThatIsSaved)
{
    RunData data =
        tests::runOf({{.id = "eager"},
                      {.id = "rope", .compile = "regions:rope", .reference = "eager"},
                      {.id = "whole", .compile = "inductor-default", .reference = "eager"}},
                     3);
    for (PlannedCell& cell : data.plan.cells) {
        cell.attentionShare = 0.142;
        if (cell.config.compile != "none")
            cell.compiled = cell.id == "rope" ? CompiledShare{.flops = 0.0, .bytes = 0.25}
                                              : CompiledShare{.flops = 1.0, .bytes = 1.0};
    }
    for (int round = 0; round < 3; ++round) {
        tests::addRow(data, "eager", round, {0.05, 0.05});
        tests::addRow(data, "rope", round, {0.04, 0.04});
        tests::addRow(data, "whole", round, {0.02, 0.02});
    }
    const Analysis analysis = analyse(data, "bf16-eager");
    const PlainTable table = compiledShareSection(analysis).table;
    ASSERT_EQ(table.lines.size(), 1U) << "of a whole model there is no share to tell";
    const std::vector<std::string>& rope = table.lines.front();
    EXPECT_EQ(rope.size(), table.head.size());
    EXPECT_THAT(rope[2], HasSubstr("1.25"));
    EXPECT_EQ(rope[3], "20.0 %") << "not the 25 % that the speed-up seems to say";
    EXPECT_EQ(rope[4], "0 %");
    EXPECT_EQ(rope[5], "25.0 %");
    EXPECT_EQ(rope[6], "14.2 %");
    EXPECT_THAT(reportHtml(data, analysis), HasSubstr("id=\"compiled-share\""));
}

}  // namespace
}  // namespace qs::core
