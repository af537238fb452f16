#include "core/analysis/recommendation.h"

#include "core/analysis/analysis.h"
#include "core/analysis/pivot.h"
#include "core/measure/pass_profile.h"
#include "core/report/words/answer_text.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::addFailure;
using tests::addRow;
using tests::runOf;

// Of each precision at batches 1 and 4: seconds as multiples of those of bf16.
RunData runWith(double fast1, double fast4, double slow)
{
    RunData data = runOf({{.id = "b1", .batch = 1, .reference = "b1"},
                          {.id = "b4", .batch = 4, .reference = "b4"},
                          {.id = "f1", .precision = "int8dq", .batch = 1, .reference = "b1"},
                          {.id = "f4", .precision = "int8dq", .batch = 4, .reference = "b4"},
                          {.id = "s4", .precision = "int8wo", .batch = 4, .reference = "b4"},
                          {.id = "x1", .precision = "fp16", .batch = 1, .reference = "b1"}},
                         5);
    const double wander[] = {0.0, 0.0004, -0.0004, 0.0002, -0.0002};
    for (int round = 0; round < 5; ++round) {
        const double now = 1.0 + wander[round];
        addRow(data, "b1", round, {now});
        addRow(data, "b4", round, {now});
        addRow(data, "f1", round, {fast1 * (2.0 - now)});
        addRow(data, "f4", round, {fast4 * (2.0 - now)});
        addRow(data, "s4", round, {slow * (2.0 - now)});
    }
    addFailure(data, "x1", 0, FailureKind::OutOfMemory);
    return data;
}

const FamilyAdvice& adviceFor(const std::vector<FamilyAdvice>& all, const std::string& label)
{
    for (const FamilyAdvice& advice : all) {
        if (advice.row->label == label)
            return advice;
    }
    ADD_FAILURE() << "no row " << label;
    return all.front();
}

TEST(Pivot, HasALineForEachModeAndAColumnForEachBatch)
{
    const RunData data = runWith(0.5, 0.8, 2.0);
    const Analysis analysis = analyse(data, "bf16-eager");
    const Pivot pivot = pivotOf(analysis);
    EXPECT_THAT(pivot.batches, ElementsAre(1, 4));
    ASSERT_EQ(pivot.rows.size(), 4U);
    EXPECT_EQ(pivot.rows[1].label, "int8dq · eager");
    EXPECT_EQ(pivot.rows[1].cells[1]->cellId, "f4");
    EXPECT_EQ(pivot.rows[2].cells[0], nullptr) << "the sweep has no int8wo at batch 1";
}

TEST(Pivot, LeavesAReferenceThatDoesOtherWorkOut)
{
    RunData data = runWith(0.5, 0.8, 2.0);
    for (PlannedCell& cell : data.plan.cells) {
        if (cell.id == cell.referenceId)
            cell.role = CellRole::QualityReference;
        else
            cell.config.workload = "quantize";
    }
    EXPECT_EQ(pivotOf(analyse(data, "bf16-eager")).rows.size(), 3U);
    for (PlannedCell& cell : data.plan.cells)
        cell.config.workload = "quantize";
    EXPECT_EQ(pivotOf(analyse(data, "bf16-eager")).rows.size(), 4U);
}

TEST(Recommendation, PutsWhatIsFasterFirst)
{
    const RunData data = runWith(0.5, 1.3, 2.0);
    const Analysis analysis = analyse(data, "bf16-eager");
    const Pivot pivot = pivotOf(analysis);
    const std::vector<FamilyAdvice> all = adviceOf(analysis, pivot);
    EXPECT_EQ(all.front().advice, Advice::Recommended);
    EXPECT_EQ(all.front().row->label, "int8dq · eager");
    EXPECT_THAT(all.front().faster, ElementsAre(1));
    EXPECT_THAT(all.front().slower, ElementsAre(4));
    EXPECT_EQ(all.front().best->cellId, "f1");
    EXPECT_THAT(adviceText(all.front()), HasSubstr("faster at batch 1; slower at batch 4"));
    EXPECT_EQ(adviceFor(all, "int8wo · eager").advice, Advice::Slower);
    EXPECT_EQ(adviceFor(all, "fp16 · eager").advice, Advice::Unusable);
    EXPECT_EQ(adviceFor(all, "bf16 · eager").advice, Advice::Baseline);
    EXPECT_EQ(gradeOf(all.front()), AdviceGrade::Recommended);
    EXPECT_EQ(gradeOf(adviceFor(all, "int8wo · eager")), AdviceGrade::Avoid);
    EXPECT_EQ(gradeOf(adviceFor(all, "fp16 · eager")), AdviceGrade::Avoid);
    EXPECT_EQ(gradeOf(adviceFor(all, "bf16 · eager")), AdviceGrade::SafeDefault);
}

TEST(Recommendation, SaysWhatTakesTheLeastMemory)
{
    RunData data = runWith(0.5, 1.3, 2.0);
    const auto peaks = [&](std::int64_t f1, std::int64_t f4) {
        for (Measurement& row : data.measurements) {
            row.result.memory.selfTest.result = SelfTestResult::Passed;
            row.result.memory.allocatedPeak = row.cellId == "f1"   ? f1
                                              : row.cellId == "f4" ? f4
                                                                   : 1000;
        }
    };
    const auto leastOf = [&](const char* label) {
        const Analysis analysis = analyse(data, "bf16-eager");
        const Pivot pivot = pivotOf(analysis);
        return adviceFor(adviceOf(analysis, pivot), label).leastMemory;
    };
    peaks(900, 1100);
    EXPECT_THAT(leastOf("int8dq · eager"), ElementsAre(1));
    EXPECT_THAT(leastOf("bf16 · eager"), IsEmpty()) << "int8wo takes as much at batch 4";
    peaks(1000, 900);
    EXPECT_THAT(leastOf("int8dq · eager"), ElementsAre(4));
    EXPECT_THAT(leastOf("int8wo · eager"), IsEmpty());
    for (PlannedCell& cell : data.plan.cells) {
        if (cell.id == "f4")
            cell.config.sizes.set("image_size", 32);
    }
    const Analysis analysis = analyse(data, "bf16-eager");
    const Pivot pivot = pivotOf(analysis);
    for (const FamilyAdvice& advice : adviceOf(analysis, pivot))
        EXPECT_THAT(advice.leastMemory, IsEmpty()) << "f4 does other work";
}

TEST(Recommendation, SaysWhatWaitsForTheHost)
{
    RunData data = runWith(0.5, 1.3, 2.0);
    for (PlannedCell& cell : data.plan.cells)
        cell.config.device = "cuda:0";
    for (Measurement& row : data.measurements) {
        if (row.cellId == "f1")
            row.result.profile = profileOf({{"product", WorkKind::Product, 0.0, 0.004}}, 1);
    }
    const Analysis analysis = analyse(data, "bf16-eager");
    const Pivot pivot = pivotOf(analysis);
    const std::vector<FamilyAdvice> all = adviceOf(analysis, pivot);
    EXPECT_THAT(adviceFor(all, "int8dq · eager").hostBound, ElementsAre(1));
    EXPECT_THAT(adviceFor(all, "bf16 · eager").hostBound, IsEmpty());
}

TEST(Recommendation, SmallGainsAreMarginal)
{
    const RunData data = runWith(0.97, 0.97, 1.0);
    const Analysis analysis = analyse(data, "bf16-eager");
    const Pivot pivot = pivotOf(analysis);
    const std::vector<FamilyAdvice> all = adviceOf(analysis, pivot);
    EXPECT_EQ(adviceFor(all, "int8dq · eager").advice, Advice::Recommended);
    EXPECT_EQ(gradeOf(adviceFor(all, "int8dq · eager")), AdviceGrade::Marginal);
    EXPECT_EQ(adviceFor(all, "int8wo · eager").advice, Advice::NoGain);
    EXPECT_EQ(gradeOf(adviceFor(all, "int8wo · eager")), AdviceGrade::Marginal);
}

// bf16 eager always works, also where another mode of bf16 is the baseline.
TEST(Recommendation, Bf16EagerIsTheSafeDefaultWhateverTheBaseline)
{
    const RunData data = runWith(0.5, 0.5, 2.0);
    const Analysis analysis = analyse(data, "f1");
    const Pivot pivot = pivotOf(analysis);
    const std::vector<FamilyAdvice> all = adviceOf(analysis, pivot);
    EXPECT_EQ(gradeOf(adviceFor(all, "bf16 · eager")), AdviceGrade::SafeDefault);
}

// A larger gain that is open may be chance: it is no reason to recommend a small one.
TEST(Recommendation, TheGainIsThatOfTheBatchesItIsGivenFor)
{
    const RunData data = runWith(0.97, 0.5, 2.0);
    Analysis analysis = analyse(data, "bf16-eager");
    for (CellSummary& cell : analysis.cells) {
        if (cell.cellId == "f4")
            cell.claim->verdict = Verdict::Ambiguous;
    }
    const Pivot pivot = pivotOf(analysis);
    const FamilyAdvice advice = adviceFor(adviceOf(analysis, pivot), "int8dq · eager");
    EXPECT_THAT(advice.faster, ElementsAre(1));
    EXPECT_EQ(advice.best->cellId, "f1");
    EXPECT_EQ(gradeOf(advice), AdviceGrade::Marginal);
}

TEST(Recommendation, FasterWithWorseOutputsIsNone)
{
    RunData data = runWith(0.5, 0.5, 2.0);
    Analysis analysis = analyse(data, "bf16-eager");
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = true;
    for (CellSummary& cell : analysis.cells) {
        if (cell.cell->config.precision.front() == "int8dq")
            cell.qualityVerdict = QualityVerdict::Worse;
    }
    const Pivot pivot = pivotOf(analysis);
    const std::vector<FamilyAdvice> all = adviceOf(analysis, pivot);
    EXPECT_EQ(adviceFor(all, "int8dq · eager").advice, Advice::FasterButWorse);
    EXPECT_THAT(adviceFor(all, "int8dq · eager").worse, ElementsAre(1, 4));
}

// What may be the answer of a run is not advised against: both ask for the same limit.
TEST(Recommendation, OutputsWithinTheLimitOfAnAnswerAreNoReasonAgainst)
{
    RunData data = runWith(0.5, 0.5, 2.0);
    Analysis analysis = analyse(data, "bf16-eager");
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = true;
    for (CellSummary& cell : analysis.cells) {
        if (cell.cell->config.precision.front() != "int8dq")
            continue;
        cell.qualityVerdict = QualityVerdict::Worse;
        cell.noiseMultiple = cell.cellId == "f1" ? 1.02 : 2.5;
    }
    const Pivot pivot = pivotOf(analysis);
    const std::vector<FamilyAdvice> all = adviceOf(analysis, pivot);
    EXPECT_EQ(adviceFor(all, "int8dq · eager").advice, Advice::Recommended);
    EXPECT_THAT(adviceFor(all, "int8dq · eager").worse, ElementsAre(4));
}

TEST(Recommendation, TheBestBf16IsTheBaselineAndNotTheSafeDefault)
{
    RunData data = runOf({{.id = "eager", .reference = "eager"},
                          {.id = "graph", .compile = "cuda-graph", .reference = "eager"}},
                         3);
    for (int round = 0; round < 3; ++round) {
        addRow(data, "eager", round, {1.0 + 0.001 * round});
        addRow(data, "graph", round, {0.5});
    }
    const Analysis analysis = analyse(data, "best-bf16");
    const Pivot pivot = pivotOf(analysis);
    const std::vector<FamilyAdvice> all = adviceOf(analysis, pivot);
    EXPECT_EQ(gradeOf(adviceFor(all, "bf16 · cuda-graph")), AdviceGrade::Baseline);
    EXPECT_EQ(gradeOf(adviceFor(all, "bf16 · eager")), AdviceGrade::SafeDefault);
}

TEST(Recommendation, WhatLacksItsBaselineIsNoneItself)
{
    RunData data = runOf({{.id = "eager", .reference = "eager"},
                          {.id = "int8", .precision = "int8dq", .reference = "eager"}},
                         3);
    for (int round = 0; round < 3; ++round)
        addRow(data, "int8", round, {1.0});
    const Analysis analysis = analyse(data, "bf16-eager");
    const Pivot pivot = pivotOf(analysis);
    const FamilyAdvice int8 = adviceFor(adviceOf(analysis, pivot), "int8dq · eager");
    EXPECT_EQ(int8.advice, Advice::Open);
    EXPECT_EQ(gradeOf(int8), AdviceGrade::Undecided);
}

// Equal work that differs by more than a cell claims drowns the claim.
TEST(Recommendation, NothingIsRecommendedBelowTheNoiseOfReruns)
{
    RunData data = runWith(0.8, 0.8, 2.0);
    PlannedCell rerun = data.plan.cells[0];
    rerun.id = "again";
    rerun.rerun = 1;
    rerun.role = CellRole::NoiseFloor;
    data.plan.cells.push_back(rerun);
    for (int round = 0; round < 5; ++round)
        addRow(data, "again", round, {3.0});
    const Analysis analysis = analyse(data, "bf16-eager");
    const Pivot pivot = pivotOf(analysis);
    EXPECT_EQ(adviceFor(adviceOf(analysis, pivot), "int8dq · eager").advice, Advice::Open);
}

TEST(AnswerLines, BeginWithTheFastest)
{
    const RunData data = runWith(0.5, 0.5, 2.0);
    const Analysis analysis = analyse(data, "bf16-eager");
    const std::vector<AnswerLine> lines = answerLines(analysis);
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines.front().cellId, "f4");
    EXPECT_EQ(lines.front().standing, AnswerStanding::Decided);
    EXPECT_THAT(lines.front().answer, HasSubstr("int8dq · eager · batch 4"));
    EXPECT_THAT(lines.front().answer, HasSubstr("the speed of bf16 · eager · batch 4 (faster)"));
}

TEST(AnswerLines, OfQuantizingSayHowLongItTook)
{
    RunData data = runWith(1.0, 0.5, 2.0);
    for (PlannedCell& cell : data.plan.cells)
        cell.config.workload = "quantize";
    for (Measurement& row : data.measurements) {
        for (double& seconds : row.result.hostSeconds)
            seconds *= 400.0;
    }
    const std::vector<AnswerLine> lines = answerLines(analyse(data, "bf16-eager"));
    ASSERT_FALSE(lines.empty());
    EXPECT_THAT(lines.front().answer, HasSubstr("batch 4: 3 min 20 s;"));
}

TEST(AnswerLines, AskForSamplesOfEachKind)
{
    RunData data = runWith(0.5, 0.5, 2.0);
    for (PlannedCell& cell : data.plan.cells) {
        if (cell.config.batch == 4)
            cell.config.sizes.set(std::string(kImageSize), 512);
    }
    std::vector<std::string> questions;
    for (const AnswerLine& line : answerLines(analyse(data, "bf16-eager")))
        questions.push_back(line.question);
    EXPECT_THAT(questions, Contains(HasSubstr("256 px")));
    EXPECT_THAT(questions, Contains(HasSubstr("512 px")));
}

TEST(AnswerLines, SpeakOfEnergyWhereItWasCounted)
{
    const auto askedForEnergy = [](const RunData& data) {
        const std::vector<AnswerLine> lines = answerLines(analyse(data, "bf16-eager"));
        return std::find_if(lines.begin(), lines.end(), [](const AnswerLine& line) {
                   return line.question.starts_with("Least energy");
               }) != lines.end();
    };
    RunData data = runWith(0.5, 0.5, 2.0);
    EXPECT_FALSE(askedForEnergy(data));
    for (Measurement& row : data.measurements) {
        for (double second = 0.0; second <= 5.0; second += 1.0)
            row.result.trace.points.push_back({.at = second, .energyJoules = 100.0 * second});
        row.result.energy = PassStretch{.passes = 10, .start = 1.0, .seconds = 3.0};
    }
    EXPECT_TRUE(askedForEnergy(data));
}

TEST(AnswerLines, OfARunWithoutRowsAreNone)
{
    const RunData data = runOf({{.id = "a", .reference = "a"}});
    EXPECT_THAT(answerLines(analyse(data, "bf16-eager")), IsEmpty());
}

}  // namespace
}  // namespace qs::core
