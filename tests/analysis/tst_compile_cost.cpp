#include "core/analysis/compile_cost.h"

#include "core/analysis/analysis.h"
#include "core/analysis/find_answer.h"
#include "core/analysis/metric_values.h"
#include "core/measure/distance_limit.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;
using tests::addQuality;
using tests::addRow;
using tests::runOf;

// 30 s more at the begin, 10 ms a pass, twice as fast: 10 ms are gained with each.
TEST(BreakEven, IsWhereTheGainIsWhatTheBeginCost)
{
    const BreakEven found = breakEvenOf(30.0, 0.010, 2.0, Interval{1.5, 2.5});
    EXPECT_EQ(found.result, BreakEvenResult::Wins);
    EXPECT_NEAR(*found.passes, 3000.0, 1e-6);
    ASSERT_TRUE(found.interval);
    EXPECT_NEAR(found.interval->lower, 2000.0, 1e-6);
    EXPECT_NEAR(found.interval->upper, 6000.0, 1e-6);
}

TEST(BreakEven, WithoutAGainIsNever)
{
    const BreakEven slower = breakEvenOf(30.0, 0.010, 0.9, Interval{0.8, 0.95});
    EXPECT_EQ(slower.result, BreakEvenResult::Never);
    EXPECT_EQ(slower.passes, std::nullopt);
    EXPECT_EQ(breakEvenOf(30.0, 0.010, 1.0, Interval{1.0, 1.0}).result, BreakEvenResult::Never);
}

TEST(BreakEven, AnIntervalThatHoldsBothDecidesNothing)
{
    const BreakEven gains = breakEvenOf(30.0, 0.010, 1.1, Interval{0.9, 1.3});
    EXPECT_EQ(gains.result, BreakEvenResult::Undecided);
    EXPECT_NEAR(*gains.passes, 30000.0, 1e-6);
    EXPECT_EQ(gains.interval, std::nullopt);
    EXPECT_EQ(breakEvenOf(30.0, 0.010, 0.95, Interval{0.9, 1.05}),
              BreakEven{.result = BreakEvenResult::Undecided});
    EXPECT_EQ(breakEvenOf(30.0, 0.010, 2.0, std::nullopt).result, BreakEvenResult::Undecided)
        << "one repeat decides nothing";
}

TEST(BreakEven, WhoBeginsNoLaterWinsFromTheFirstPass)
{
    const BreakEven found = breakEvenOf(-1.0, 0.010, 2.0, Interval{1.5, 2.5});
    EXPECT_EQ(found.result, BreakEvenResult::Wins);
    EXPECT_THAT(found.passes, Optional(0.0));
    EXPECT_EQ(found.interval, (Interval{0.0, 0.0}));
}

StageCompile package(const char* stage, double cold, double warm, double distance)
{
    return {.stage = stage,
            .content = stage,
            .coldSeconds = cold,
            .warmSeconds = warm,
            .coldParts = {{"kernels", 0.75 * cold}, {"wrapper", 0.25 * cold}},
            .distanceToEager = distance};
}

// bf16 eager takes 20 ms a pass and begins within 1 s, compiled 10 ms and 3 s; its two packages
// take 24 and 8 s, warm 6 and 2.
RunData compiledRun(double distance = 0.001)
{
    RunData data = runOf({{.id = "ref", .reference = "ref"},
                          {.id = "fast", .compile = "inductor-default", .reference = "ref"},
                          {.id = "gold", .precision = "fp32", .reference = "ref"}});
    for (int round = 0; round < 3; ++round) {
        Measurement& eager = addRow(data, "ref", round, {0.020});
        eager.result.phases = {{Phase::Compile, 1.5}, {Phase::MemoryPass, 0.5}};
        Measurement& fast = addRow(data, "fast", round, {0.010});
        fast.result.phases = {{Phase::Compile, 4.0}, {Phase::MemoryPass, 1.0}};
        fast.result.compiles = {package("encoder", 24.0, 6.0, distance),
                                package("decoder", 8.0, 2.0, 0.0005)};
        addRow(data, "gold", round, {0.040});
    }
    addQuality(data, "fast", "ref", 0, 0.9999);
    return data;
}

CompileCost costOf(const RunData& data)
{
    const Analysis analysis = analyse(data, "bf16-eager");
    return *analysis.find("fast")->compileCost;
}

TEST(CompileCost, AddsTheStagesAndTheBegin)
{
    const RunData data = compiledRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    const CellSummary& fast = *analysis.find("fast");
    EXPECT_DOUBLE_EQ(fast.compileCost->coldSeconds, 32.0);
    EXPECT_DOUBLE_EQ(fast.compileCost->warmSeconds, 8.0);
    EXPECT_DOUBLE_EQ(fast.startSeconds, 3.0);
    EXPECT_DOUBLE_EQ(beginSeconds(fast, CompileStart::Cold), 35.0);
    EXPECT_DOUBLE_EQ(beginSeconds(*analysis.find("ref"), CompileStart::Cold), 1.0);
    EXPECT_EQ(analysis.find("ref")->compileCost, std::nullopt);
}

// Two processors: 26 s until both packages are there, which took 24 and 8.
RunData compiledSideBySide()
{
    RunData data = compiledRun();
    for (Measurement& row : data.measurements) {
        for (StageCompile& stage : row.result.compiles)
            stage.together = CompiledTogether{"both", 2, 26.0, 7.0};
    }
    return data;
}

BreakEven coldBreakEvenAgainstFast(RunData data)
{
    data.plan.cells.push_back(
        tests::cellOf({.id = "faster", .compile = "inductor-max-autotune", .reference = "ref"}));
    for (int round = 0; round < 3; ++round) {
        Measurement& faster = addRow(data, "faster", round, {0.005});
        faster.result.phases = {{Phase::Compile, 4.0}, {Phase::MemoryPass, 1.0}};
        faster.result.compiles = {package("encoder", 60.0, 6.0, 0.001)};
        faster.result.compiles.front().content = "tuned";
    }
    return *analyse(data, "fast").find("faster")->compileCost->cold;
}

TEST(CompileCost, ABaselineThatMayHaveCompiledInLessTimeDecidesNoBreakEven)
{
    const BreakEven exact = coldBreakEvenAgainstFast(compiledSideBySide());
    EXPECT_EQ(exact.result, BreakEvenResult::Wins);
    EXPECT_NEAR(*exact.passes, (60.0 - 26.0) / 0.005, 1e-6);
    EXPECT_FALSE(exact.isUpperLimit);
    const BreakEven open = coldBreakEvenAgainstFast(compiledRun());
    EXPECT_EQ(open.result, BreakEvenResult::Undecided) << "it takes more where fast took less";
    EXPECT_NEAR(*open.passes, (60.0 - 32.0) / 0.005, 1e-6);
    EXPECT_EQ(open.interval, std::nullopt);
}

TEST(CompileCost, WhatIsCompiledSideBySideCountsOnce)
{
    const RunData data = compiledSideBySide();
    const Analysis analysis = analyse(data, "bf16-eager");
    const CompileCost& cost = *analysis.find("fast")->compileCost;
    EXPECT_DOUBLE_EQ(cost.coldSeconds, 26.0);
    EXPECT_DOUBLE_EQ(cost.warmSeconds, 7.0);
    EXPECT_FALSE(cost.isUpperLimit);
    // 28 s later than eager, cold.
    EXPECT_NEAR(*cost.cold->passes, 2800.0, 1e-6);
    EXPECT_TRUE(costOf(compiledRun()).isUpperLimit) << "nobody knows what was side by side";
}

// As those that other cells have put into the cache.
CompileCost costOfCalls(const CompiledTogether& encoder, const CompiledTogether& decoder)
{
    RunData data = compiledRun();
    for (Measurement& row : data.measurements) {
        if (row.cellId != "fast")
            continue;
        row.result.compiles[0].together = encoder;
        row.result.compiles[1].together = decoder;
    }
    return costOf(data);
}

TEST(CompileCost, OfSomeOfTheProgramsOfACallIsNoMoreThanTheyTook)
{
    const CompileCost apart = costOfCalls({"first", 4, 30.0, 20.0}, {"second", 7, 100.0, 60.0});
    EXPECT_DOUBLE_EQ(apart.coldSeconds, 24.0 + 8.0);
    EXPECT_DOUBLE_EQ(apart.warmSeconds, 6.0 + 2.0);
    EXPECT_TRUE(apart.isUpperLimit);
    const CompileCost some = costOfCalls({"both", 4, 30.0, 60.0}, {"both", 4, 30.0, 60.0});
    EXPECT_DOUBLE_EQ(some.coldSeconds, 30.0) << "nor than all of the call";
    EXPECT_DOUBLE_EQ(some.warmSeconds, 8.0);
    EXPECT_TRUE(some.isUpperLimit);
}

TEST(CompileCost, CountsWhatWasCompiledForAllShapes)
{
    RunData data = compiledRun();
    EXPECT_EQ(costOf(data).compilations, (Compilations{2, 1}));
    RunData more = runOf(
        {{.id = "ref", .reference = "ref"},
         {.id = "fast", .compile = "inductor-default", .reference = "ref"},
         {.id = "larger", .compile = "inductor-default", .batch = 64, .reference = "ref"},
         {.id = "other", .compile = "inductor-max-autotune", .batch = 64, .reference = "ref"}});
    addRow(more, "fast", 0, {0.010}).result.compiles = {package("one", 24.0, 6.0, 0.001)};
    addRow(more, "larger", 0, {0.030}).result.compiles = {package("one", 24.0, 6.0, 0.001)};
    addRow(more, "other", 0, {0.030}).result.compiles = {package("two", 24.0, 6.0, 0.001)};
    const Analysis analysis = analyse(more, "bf16-eager");
    EXPECT_EQ(analysis.find("fast")->compileCost->compilations, (Compilations{1, 2}));
    EXPECT_EQ(analysis.find("larger")->compileCost->compilations, (Compilations{1, 2}));
    EXPECT_EQ(analysis.find("other")->compileCost->compilations, (Compilations{1, 1}));
}

TEST(CompileCost, PyTorchIsImportedOnceForACell)
{
    RunData data = compiledRun();
    for (Measurement& row : data.measurements) {
        for (StageCompile& stage : row.result.compiles)
            stage.coldParts.insert(stage.coldParts.begin(), {std::string(kImportPart), 1.5});
    }
    const CompileCost cost = costOf(data);
    EXPECT_DOUBLE_EQ(cost.coldSeconds, 32.0 - 1.5);
    EXPECT_DOUBLE_EQ(cost.warmSeconds, 8.0 - 1.5);
    EXPECT_EQ(cost.stages[0].coldParts.size(), 3U);
    EXPECT_EQ(cost.stages[1].coldParts.size(), 2U) << "the second package does not import it";
}

// 34 s later than eager, cold, and 10 s, warm; 10 ms gained with each pass.
TEST(CompileCost, BreaksEvenAgainstTheBaseline)
{
    const CompileCost cost = costOf(compiledRun());
    ASSERT_TRUE(cost.cold && cost.warm);
    EXPECT_EQ(cost.cold->result, BreakEvenResult::Wins);
    EXPECT_NEAR(*cost.cold->passes, 3400.0, 1e-6);
    EXPECT_NEAR(*cost.warm->passes, 1000.0, 1e-6);
    EXPECT_EQ(&cost.breakEven(CompileStart::Warm), &cost.warm);
}

TEST(CompileCost, TheMetricsAreTheSame)
{
    const RunData data = compiledRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    const CellSummary& fast = *analysis.find("fast");
    EXPECT_THAT(valueOf("break_even_cold", fast), Optional(*fast.compileCost->cold->passes));
    EXPECT_THAT(valueOf("compile_warm", fast), Optional(8.0));
    EXPECT_THAT(valueOf("compile_start", fast), Optional(3.0));
    EXPECT_EQ(intervalOf(*metricRegistry().find("break_even_warm"), fast),
              fast.compileCost->warm->interval);
    EXPECT_EQ(valueOf("break_even_cold", *analysis.find("ref")), std::nullopt);
}

// The decoder found the product of the encoder, and made one more.
TEST(CompileCost, AKernelOfSeveralStagesWasMadeOnce)
{
    const KernelChoice shared{.kernel = "qs_linear", .shape = "128x256", .seconds = 2.5};
    RunData data = compiledRun();
    for (Measurement& row : data.measurements) {
        for (StageCompile& stage : row.result.compiles) {
            stage.kernels = {shared};
            stage.coldSeconds = shared.seconds;
        }
        if (row.cellId == "fast")
            row.result.compiles[1].kernels.push_back({.kernel = "qs_norm", .seconds = 0.25});
    }
    const CompileCost cost = costOf(data);
    EXPECT_DOUBLE_EQ(cost.coldSeconds, 2.75);
    EXPECT_DOUBLE_EQ(cost.warmSeconds, 0.0);
    EXPECT_FALSE(cost.isUpperLimit);
}

TEST(CompileCost, KernelsThatWereChosenAnewAreSaid)
{
    RunData data = compiledRun();
    const auto notes = [&] { return analyse(data, "bf16-eager").find("fast")->notes; };
    const auto differs = testing::Contains(Note{NoteCode::RanDifferently});
    for (Measurement& row : data.measurements) {
        for (StageCompile& stage : row.result.compiles)
            stage.kernels = {{.kernel = "qs_linear",
                              .shape = "128x256",
                              .seconds = 2.5 + row.round,
                              .kept = row.round > 0}};
    }
    EXPECT_THAT(notes(), testing::Not(differs)) << "how long it took plays no part";
    for (Measurement& row : data.measurements) {
        if (row.cellId == "fast" && row.round == 1)
            row.result.compiles[1].kernels[0].shape = "64x256";
    }
    EXPECT_THAT(notes(), differs);
}

TEST(CompileCost, TheBaselineDoesNotBreakEvenWithItself)
{
    const RunData data = compiledRun();
    const Analysis analysis = analyse(data, "best-bf16");
    ASSERT_EQ(analysis.find("ref")->baselineId, "fast");
    EXPECT_EQ(analysis.find("fast")->compileCost->cold, std::nullopt);
}

// bf16 is 0.004 from fp32: a package may be 0.012 from eager.
RunData withGolden(double distance)
{
    RunData data = compiledRun(distance);
    OutputQuality& quality = addQuality(data, "ref", "gold", 0, 0.9999);
    quality.set("relative_l2", 0.004);
    return data;
}

TEST(CompileCost, IsHeldToThreeTimesBf16)
{
    const RunData data = withGolden(0.011);
    const CompileCost cost = costOf(data);
    EXPECT_EQ(cost.bf16FromFp32, 0.004);
    EXPECT_THAT(cost.limit, Optional(testing::DoubleEq(0.012)));
    EXPECT_EQ(cost.farthest().stage, "encoder");
    EXPECT_THAT(analyse(data, "bf16-eager").find("fast")->doubts, IsEmpty());
}

TEST(CompileCost, BeyondTheLimitIsADoubtAndNeverTheAnswer)
{
    const RunData data = withGolden(0.013);
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_THAT(analysis.find("fast")->doubts,
                ElementsAre(Note{NoteCode::FarFromEager, {"encoder", 0.013, 0.012}}));
    EXPECT_EQ(findAnswer(analysis, {}).best()->cellId, "ref");
}

// What int8dq and others are held to is no multiple of bf16.
TEST(CompileCost, StagesWithCodesAreHeldToWhatRoundingDoesToCodes)
{
    RunData data = withGolden(0.06);
    const double limit = distanceLimit(true, 0.004);
    for (Measurement& row : data.measurements) {
        if (row.cellId == "fast")
            row.result.executed = {{.stage = "encoder",
                                    .scheme = "int8dq",
                                    .activationRule = "per token",
                                    .products = {}}};
    }
    EXPECT_THAT(costOf(data).limit, Optional(testing::DoubleEq(limit)));
    EXPECT_THAT(analyse(data, "bf16-eager").find("fast")->doubts, IsEmpty());
    data = withGolden(0.07);
    EXPECT_THAT(analyse(data, "bf16-eager").find("fast")->doubts, testing::SizeIs(1))
        << "without codes";
}

TEST(CompileCost, ARowThatWasHeldToALimitKeepsIt)
{
    RunData data = withGolden(0.011);
    for (Measurement& row : data.measurements) {
        for (StageCompile& stage : row.result.compiles) {
            stage.bf16FromFp32 = 0.006;
            stage.distanceLimit = distanceLimit(false, 0.006);
        }
    }
    const CompileCost cost = costOf(data);
    EXPECT_EQ(cost.bf16FromFp32, 0.006);
    EXPECT_THAT(cost.limit, Optional(testing::DoubleEq(0.018)));
}

TEST(CompileCost, WithoutAGoldenRunTheLimitOfTheWorkerStands)
{
    RunData data = compiledRun(0.04);
    EXPECT_EQ(costOf(data).limit, std::nullopt) << "the row does not say";
    for (Measurement& row : data.measurements) {
        if (row.cellId != "fast")
            continue;
        row.result.compiles[0].distanceLimit = 0.15;
        row.result.compiles[1].distanceLimit = 0.05;
        row.result.compiles[1].distanceToEager = 0.03;
    }
    const CompileCost cost = costOf(data);
    EXPECT_EQ(cost.bf16FromFp32, std::nullopt);
    EXPECT_EQ(cost.farthest().stage, "decoder") << "by what each was allowed";
    EXPECT_THAT(cost.limit, Optional(0.05));
}

}  // namespace
}  // namespace qs::core
