#include "core/analysis/analysis.h"

#include "tests/analysis/analysis_data.h"

#include <gtest/gtest.h>

#include <cmath>

namespace qs::core {
namespace {

using tests::addRow;
using tests::runOf;

RunData threeCells()
{
    RunData data = runOf({{.id = "eager", .reference = "eager"},
                          {.id = "graph", .compile = "cuda-graph", .reference = "eager"},
                          {.id = "int8", .precision = "int8dq", .reference = "eager"}});
    for (int round = 0; round < 3; ++round) {
        const double drift = 1.0 + round;  // the computer grows slower; ratios do not see it
        addRow(data, "eager", round, {4.0 * drift});
        addRow(data, "graph", round, {2.0 * drift});
        addRow(data, "int8", round, {1.0 * drift});
    }
    return data;
}

TEST(SpeedBaseline, BestBf16IsTheFastestOfTheSameShape)
{
    const RunData data = threeCells();
    const Analysis analysis = analyse(data, "best-bf16");
    for (const CellSummary& summary : analysis.cells)
        EXPECT_EQ(summary.baselineId, "graph") << summary.cellId;
    EXPECT_DOUBLE_EQ(*analysis.find("int8")->speedup, 2.0);
    EXPECT_DOUBLE_EQ(*analysis.find("eager")->speedup, 0.5);
    EXPECT_DOUBLE_EQ(*analysis.find("graph")->speedup, 1.0);
    EXPECT_FALSE(analysis.find("graph")->speedupInterval) << "against itself nothing is measured";
    ASSERT_TRUE(analysis.find("int8")->speedupInterval);
    EXPECT_NEAR(analysis.find("int8")->speedupInterval->lower, 2.0, 1e-12);
    EXPECT_NEAR(analysis.find("int8")->speedupInterval->upper, 2.0, 1e-12);
}

TEST(SpeedBaseline, Bf16EagerIsTheQualityReference)
{
    const Analysis analysis = analyse(threeCells(), "bf16-eager");
    EXPECT_EQ(analysis.find("int8")->baselineId, "eager");
    EXPECT_DOUBLE_EQ(*analysis.find("int8")->speedup, 4.0);
    EXPECT_DOUBLE_EQ(*analysis.find("eager")->speedup, 1.0);
}

TEST(SpeedBaseline, AnyPlainPrecisionCanBeItInEagerMode)
{
    RunData data = threeCells();
    data.plan.cells.push_back(tests::cellOf({.id = "single", .precision = "fp32"}));
    data.plan.cells.push_back(tests::cellOf({.id = "other", .precision = "fp32", .batch = 8}));
    data.plan.cells.back().config.batch = 8;
    for (int round = 0; round < 3; ++round) {
        addRow(data, "single", round, {8.0 * (1.0 + round)});
        addRow(data, "other", round, {1.0});
    }
    data.plan.cells[2].config.layers = "mlp";
    const Analysis analysis = analyse(data, "fp32-eager");
    for (const char* id : {"eager", "graph", "int8", "single"})
        EXPECT_EQ(analysis.find(id)->baselineId, "single") << id;
    EXPECT_DOUBLE_EQ(*analysis.find("int8")->speedup, 8.0) << "whatever its layers";
    EXPECT_EQ(analysis.find("other")->baselineId, "other") << "its own batch";
    EXPECT_TRUE(analyse(data, "fp16-eager").find("int8")->baselineId.empty()) << "none in the run";
}

TEST(SpeedBaseline, QuantizingAloneStandsAgainstWhatIsCompiledAlike)
{
    RunData data = threeCells();
    data.plan.cells.push_back(tests::cellOf({.id = "int8eager", .precision = "int8dq"}));
    data.plan.cells.push_back(tests::cellOf({.id = "pinned", .precision = "int8dq"}));
    data.plan.cells.back().config.inputs = "pinned";
    for (int round = 0; round < 3; ++round) {
        addRow(data, "int8eager", round, {8.0});
        addRow(data, "pinned", round, {8.0});
    }
    data.plan.cells[2].config.compile = "cuda-graph";
    const Analysis analysis = analyse(data, "bf16-same-compile");
    EXPECT_EQ(analysis.find("int8")->baselineId, "graph");
    EXPECT_EQ(analysis.find("int8eager")->baselineId, "eager");
    EXPECT_EQ(analysis.find("graph")->baselineId, "graph");
    EXPECT_TRUE(analysis.find("pinned")->baselineId.empty()) << "its inputs lie elsewhere";
    EXPECT_TRUE(analyse(data, "fp16-same-compile").find("int8")->baselineId.empty());
}

TEST(SpeedBaseline, EachWayOfSolvingStandsAgainstTheStraightOne)
{
    RunData data = runOf({{.id = "straight", .precision = "gptq-int4-128:by=straight:samples=4"},
                          {.id = "improved", .precision = "gptq-int4-128:samples=4"},
                          {.id = "compiled", .precision = "gptq-int4-128:by=compiled:samples=4"},
                          {.id = "kernel", .precision = "gptq-int4-128:by=kernel:samples=4"},
                          {.id = "groups", .precision = "gptq-int4-32:by=kernel"}});
    for (PlannedCell& cell : data.plan.cells)
        cell.config.workload = "quantize";
    for (int round = 0; round < 2; ++round) {
        addRow(data, "straight", round, {8.0});
        addRow(data, "improved", round, {4.0});
        addRow(data, "compiled", round, {2.0});
        addRow(data, "kernel", round, {1.0});
        addRow(data, "groups", round, {1.0});
    }
    const Analysis analysis = analyse(data, "same-eager");
    for (const char* id : {"straight", "improved", "compiled", "kernel"})
        EXPECT_EQ(analysis.find(id)->baselineId, "straight") << id;
    EXPECT_DOUBLE_EQ(*analysis.find("kernel")->speedup, 8.0);
    EXPECT_TRUE(analysis.find("groups")->baselineId.empty());
}

TEST(SpeedBaseline, WhatIsCompiledStandsAgainstItselfAsItWas)
{
    RunData data = threeCells();
    data.plan.cells.push_back(tests::cellOf({.id = "int8eager", .precision = "int8dq"}));
    data.plan.cells[2].config.compile = "inductor-default";
    for (int round = 0; round < 3; ++round)
        addRow(data, "int8eager", round, {8.0});
    const Analysis analysis = analyse(data, "same-eager");
    EXPECT_EQ(analysis.find("int8")->baselineId, "int8eager");
    EXPECT_EQ(analysis.find("int8eager")->baselineId, "int8eager");
    EXPECT_EQ(analysis.find("graph")->baselineId, "eager");
    data.plan.cells[2].config.layers = "mlp";
    EXPECT_TRUE(analyse(data, "same-eager").find("int8")->baselineId.empty()) << "other layers";
}

TEST(SpeedBaseline, IntervalIsThatOfTheMeanLogRatio)
{
    RunData data = runOf({{.id = "eager", .reference = "eager"},
                          {.id = "int8", .precision = "int8dq", .reference = "eager"}});
    const double ratios[] = {1.0, 2.0, 4.0};  // geometric mean 2, log standard deviation ln 2
    for (int round = 0; round < 3; ++round) {
        addRow(data, "eager", round, {ratios[round]});
        addRow(data, "int8", round, {1.0});
    }
    const Analysis analysis = analyse(data, "bf16-eager");
    const CellSummary& summary = *analysis.find("int8");
    EXPECT_NEAR(*summary.speedup, 2.0, 1e-12);
    // t(2, 0.975)/√3 = 2.484138 standard deviations of the logarithm.
    const double reach = std::exp(2.484138 * std::log(2.0));
    ASSERT_TRUE(summary.speedupInterval);
    EXPECT_NEAR(summary.speedupInterval->lower, 2.0 / reach, 1e-5);
    EXPECT_NEAR(summary.speedupInterval->upper, 2.0 * reach, 1e-4);
}

TEST(SpeedBaseline, TwoPairedRoundsGiveARatioWithoutInterval)
{
    RunData data = threeCells();
    data.measurements.erase(data.measurements.begin() + 8);  // int8 in round 2
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_DOUBLE_EQ(*analysis.find("int8")->speedup, 4.0);
    EXPECT_FALSE(analysis.find("int8")->speedupInterval);
}

TEST(SpeedBaseline, RoundsPairByNumberAndEnvironment)
{
    RunData data = runOf({{.id = "eager", .reference = "eager"},
                          {.id = "int8", .precision = "int8dq", .reference = "eager"}});
    addRow(data, "eager", 0, {8.0}, "e1");
    addRow(data, "int8", 0, {2.0}, "e1");
    addRow(data, "eager", 1, {100.0}, "e2");
    addRow(data, "int8", 2, {1.0}, "e1");
    EXPECT_DOUBLE_EQ(*analyse(data, "bf16-eager").find("int8")->speedup, 4.0);
}

TEST(SpeedBaseline, DifferentEnvironmentsFormNoRatio)
{
    RunData data = runOf({{.id = "eager", .reference = "eager"},
                          {.id = "int8", .precision = "int8dq", .reference = "eager"}});
    addRow(data, "eager", 0, {8.0}, "e1");
    addRow(data, "int8", 0, {2.0}, "e2");
    for (const char* baseline : {"bf16-eager", "best-bf16"})
        EXPECT_FALSE(analyse(data, baseline).find("int8")->speedup) << baseline;
}

TEST(SpeedBaseline, ACellIdIsTheBaselineOfItsShapeAndMatchedOnOthers)
{
    RunData data = runOf({{.id = "int8-b1", .precision = "int8dq"},
                          {.id = "int8-b2", .precision = "int8dq", .batch = 2},
                          {.id = "bf16-b2", .batch = 2},
                          {.id = "bf16-b4", .batch = 4}});
    for (const char* id : {"int8-b1", "int8-b2", "bf16-b2", "bf16-b4"})
        addRow(data, id, 0, {id[0] == 'i' ? 1.0 : 3.0});
    const Analysis analysis = analyse(data, "int8-b1");
    EXPECT_EQ(analysis.find("int8-b1")->baselineId, "int8-b1");
    EXPECT_EQ(analysis.find("bf16-b2")->baselineId, "int8-b2");
    EXPECT_NEAR(*analysis.find("bf16-b2")->speedup, 1.0 / 3.0, 1e-12);
    EXPECT_EQ(analysis.find("bf16-b4")->baselineId, "") << "nothing of that batch to compare with";
    EXPECT_FALSE(analysis.find("bf16-b4")->speedup);
}

TEST(SpeedBaseline, RerunsAreNoBaseline)
{
    RunData data = threeCells();
    PlannedCell again = data.plan.cells[0];
    again.id = "again";
    again.rerun = 1;
    data.plan.cells.push_back(again);
    for (int round = 0; round < 3; ++round)
        addRow(data, "again", round, {0.1});
    EXPECT_EQ(analyse(data, "best-bf16").find("int8")->baselineId, "graph");
}

TEST(SpeedBaseline, MixedStagesAreNotBf16)
{
    RunData data = threeCells();
    data.plan.cells[1].config.precision = {"bf16", "int8dq"};
    EXPECT_EQ(analyse(data, "best-bf16").find("int8")->baselineId, "eager");
}

TEST(SpeedBaseline, UnknownChoiceGivesNoRatio)
{
    const Analysis analysis = analyse(threeCells(), "nothing");
    EXPECT_EQ(analysis.find("int8")->baselineId, "");
    EXPECT_FALSE(analysis.find("int8")->speedup);
    EXPECT_EQ(analysis.find("no such cell"), nullptr);
}

// The baseline was measured in rounds that the cell did not take part in.
TEST(SpeedBaseline, RoundsThatCannotBePairedAreSaidToBe)
{
    const auto summaryOf = [](double seconds, int rounds) {
        RunData data = runOf({{.id = "eager", .reference = "eager"},
                              {.id = "cell", .precision = "int8dq", .reference = "eager"}},
                             10);
        for (int round = 0; round < 5; ++round)
            addRow(data, "eager", round, {1.0 + 0.001 * (round % 3)});
        for (int round = 5; round < 5 + rounds; ++round)
            addRow(data, "cell", round, {seconds * (1.0 + 0.001 * (round % 3))});
        return *analyse(data, "bf16-eager").find("cell");
    };
    const CellSummary fast = summaryOf(0.5, 5);
    ASSERT_TRUE(fast.claim);
    EXPECT_FALSE(fast.claim->evidence.paired);
    EXPECT_NEAR(*fast.speedup, 2.0, 0.01);
    EXPECT_TRUE(fast.speedupInterval);
    EXPECT_EQ(fast.claim->verdict, Verdict::Faster);
    EXPECT_EQ(fast.notes.back().code, NoteCode::RoundsUnpaired);
    // Three percent, or none, may be the clock.
    EXPECT_EQ(summaryOf(0.97, 5).claim->verdict, Verdict::Ambiguous);
    EXPECT_EQ(summaryOf(1.0, 5).claim->verdict, Verdict::Ambiguous);
    EXPECT_FALSE(summaryOf(0.5, 2).claim) << "too few rounds to tell anything";
    EXPECT_FALSE(summaryOf(0.5, 2).speedup);
}

// The same in cycles: the clock of the cell was higher, or it is not known in one of the rounds.
TEST(SpeedBaseline, RoundsThatCannotBePairedAreWeighedInCyclesToo)
{
    const auto addTraced = [](RunData& data, const char* cell, int round, double seconds,
                              double megahertz) {
        CellResult& result = addRow(data, cell, round, {seconds, seconds}).result;
        result.sampleStart = {1.0, 1.0 + seconds};
        for (double at = 0.5; at < 4.0; at += 0.125)
            result.trace.points.push_back({.at = at, .smClockMegahertz = megahertz});
    };
    const auto claimOf = [&](double megahertz, bool traced) {
        RunData data = runOf({{.id = "eager", .reference = "eager"},
                              {.id = "cell", .precision = "int8dq", .reference = "eager"}},
                             10);
        for (int round = 0; round < 5; ++round)
            addTraced(data, "eager", round, 1.0 + 0.001 * (round % 3), 1000.0);
        for (int round = 5; round < 10; ++round)
            addTraced(data, "cell", round, 0.5 * (1.0 + 0.001 * (round % 3)), megahertz);
        if (!traced)
            data.measurements.back().result.trace = {};
        return *analyse(data, "bf16-eager").find("cell")->claim;
    };
    ASSERT_TRUE(claimOf(1000.0, true).cycles);
    EXPECT_FALSE(claimOf(1000.0, true).cycles->paired);
    EXPECT_EQ(claimOf(1000.0, true).verdict, Verdict::Faster);
    EXPECT_NEAR(claimOf(2000.0, true).cycles->ratio.value, 1.0, 0.01);
    EXPECT_EQ(claimOf(2000.0, true).verdict, Verdict::Ambiguous);
    EXPECT_FALSE(claimOf(2000.0, false).cycles);
}

// Rounds that were added to settle something else do not choose the baseline.
TEST(SpeedBaseline, TheBestBf16IsChosenInSharedRounds)
{
    RunData data = runOf({{.id = "eager", .reference = "eager"},
                          {.id = "graph", .compile = "cuda-graph", .reference = "eager"},
                          {.id = "cell", .precision = "int8dq", .reference = "eager"}},
                         3);
    for (int round = 0; round < 3; ++round) {
        addRow(data, "eager", round, {1.0});
        addRow(data, "graph", round, {0.9});
        addRow(data, "cell", round, {0.8});
    }
    for (int round = 3; round < 12; ++round)  // a slow evening
        addRow(data, "graph", round, {1.2});
    EXPECT_EQ(analyse(data, "best-bf16").find("cell")->baselineId, "graph");
}

}  // namespace
}  // namespace qs::core
