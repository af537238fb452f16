#include "core/analysis/open_comparisons.h"

#include "core/sweep/append_plan.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::addFailure;
using tests::addRow;
using tests::runOf;

// Rounds of all cells wander by as much; "fast" is clear, "open" is not.
void measure(RunData& data, int first, int count, const std::vector<std::string>& ids)
{
    const double wander[] = {0.0, 0.004, -0.004, 0.002, -0.002, 0.003, -0.003};
    for (int round = first; round < first + count; ++round) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto at = (static_cast<std::size_t>(round) + 3 * i) % 7;
            const double base = ids[i] == "fast" ? 0.5 : ids[i] == "open" ? 0.992 : 1.0;
            addRow(data, ids[i], round, {base * (1.0 + wander[at])}).durationSeconds = 10.0;
        }
    }
}

RunData runWithAnOpenCell()
{
    RunData data = runOf({{.id = "eager", .reference = "eager"},
                          {.id = "fast", .precision = "int8dq", .reference = "eager"},
                          {.id = "open", .precision = "fp16", .reference = "eager"},
                          {.id = "again", .reference = "eager"}},
                         3);
    data.plan.cells[3].role = CellRole::NoiseFloor;
    data.plan.cells[3].rerun = 1;
    measure(data, 0, 3, {"eager", "fast", "open", "again"});
    return data;
}

OpenComparisons openOf(const RunData& data)
{
    return openComparisons(analyse(data, "bf16-eager"));
}

TEST(OpenComparisons, AreThoseWithoutAClaim)
{
    const OpenComparisons open = openOf(runWithAnOpenCell());
    EXPECT_THAT(open.cellIds, ElementsAre("open")) << "nor are noise-floor runs asked for";
    EXPECT_THAT(open.baselineIds, ElementsAre("eager"));
    EXPECT_EQ(open.cells(), 2U);
    EXPECT_EQ(open.compared, 2);
    EXPECT_EQ(open.waiting, 0);
}

TEST(OpenComparisons, TooFewRoundsAreOpenToo)
{
    RunData data = runOf({{.id = "eager", .reference = "eager"},
                          {.id = "fast", .precision = "int8dq", .reference = "eager"}},
                         2);
    measure(data, 0, 2, {"eager", "fast"});
    EXPECT_THAT(openOf(data).cellIds, ElementsAre("fast"));
    EXPECT_EQ(roundsToSettle(data.plan), 3) << "a verdict needs three";
}

TEST(OpenComparisons, WaitForTheRoundsThatArePlanned)
{
    RunData data = runWithAnOpenCell();
    data.plan.preset.rounds = 5;
    const OpenComparisons open = openOf(data);
    EXPECT_TRUE(open.none());
    EXPECT_EQ(open.waiting, 2);
}

TEST(OpenComparisons, WhatFailedCannotBeSettled)
{
    RunData data = runWithAnOpenCell();
    std::erase_if(data.measurements,
                  [](const Measurement& row) { return row.cellId == "open" && row.round == 2; });
    addFailure(data, "open", 2, FailureKind::Signal);
    EXPECT_TRUE(openOf(data).none());
    EXPECT_EQ(openOf(data).compared, 1);
    EXPECT_TRUE(openOf(RunData()).none());
}

TEST(OpenComparisons, CostWhatTheCellsTookBefore)
{
    RunData data = runWithAnOpenCell();
    EXPECT_DOUBLE_EQ(settleSeconds(data, openOf(data), 4), 2 * 10.0 * 4);
    for (Measurement& row : data.measurements)
        row.durationSeconds = 0.0;
    data.plan.cells[0].estimatedSeconds = 3.0;
    data.plan.cells[2].estimatedSeconds = 4.0;
    EXPECT_DOUBLE_EQ(settleSeconds(data, openOf(data), 2), 2 * 7.0) << "estimated";
}

TEST(OpenComparisons, FurtherRoundsAreALaterLook)
{
    RunData data = runWithAnOpenCell();
    data.plan = appendPlan(data.plan, settleAddition(data.plan, openOf(data), 4)).value();
    EXPECT_EQ(analyse(data, "bf16-eager").find("open")->claim->look, 0) << "none has begun";
    EXPECT_THAT(openOf(data).cellIds, IsEmpty()) << "they are still to come";
    measure(data, 3, 4, {"eager", "open"});
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_EQ(analysis.find("open")->claim->look, 1);
    EXPECT_EQ(analysis.find("open")->claim->evidence.ratio.count, 7U);
    EXPECT_EQ(analysis.find("fast")->claim->look, 0);
    EXPECT_EQ(analysis.find("fast")->claim->evidence.ratio.count, 3U)
        << "the baseline's new rounds are no pairs of its";
    EXPECT_EQ(analysis.find("fast")->claim->verdict, Verdict::Faster);
}

// The same rounds, planned at once or added when the first ones left it open: whoever looks twice
// has to show more.
TEST(OpenComparisons, ALaterLookNeedsMore)
{
    RunData planned = runOf({{.id = "eager", .reference = "eager"},
                             {.id = "open", .precision = "fp16", .reference = "eager"}},
                            7);
    measure(planned, 0, 7, {"eager", "open"});
    RunData extended = planned;
    extended.plan.preset.rounds = 3;
    extended.plan =
        appendPlan(extended.plan, settleAddition(extended.plan, {{"open"}, {"eager"}, 4})).value();
    const SpeedClaim once = *analyse(planned, "bf16-eager").find("open")->claim;
    const SpeedClaim twice = *analyse(extended, "bf16-eager").find("open")->claim;
    EXPECT_EQ(twice.evidence.claim(), once.evidence.claim());
    EXPECT_DOUBLE_EQ(twice.pValue, 4.0 * once.pValue);
}

}  // namespace
}  // namespace qs::core
