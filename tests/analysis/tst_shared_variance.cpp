#include "core/analysis/shared_variance.h"

#include "core/analysis/analysis.h"
#include "core/analysis/find_answer.h"
#include "core/report/words/verdict_text.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::addRow;
using tests::runOf;

// `cells` compared with bf16 eager in three rounds that wander by 0.05 %; the first is 3 % slower.
// The last `noisy` wander twenty times as much, inside their rounds as well.
RunData runOfThreeRounds(int cells, int noisy)
{
    RunData data = runOf({{.id = "bf16", .reference = "bf16"}}, 3);
    for (int i = 0; i < cells; ++i) {
        PlannedCell cell = tests::cellOf(
            {.id = "c" + std::to_string(i), .precision = "fp16", .reference = "bf16"});
        cell.config.seed = 100 + i;
        data.plan.cells.push_back(cell);
    }
    std::mt19937_64 random(5);
    const auto wander = [&random](double size) {
        return size * (static_cast<double>(random() >> 11U) * 0x1.0p-53 - 0.5);
    };
    for (int round = 0; round < 3; ++round) {
        for (int i = -1; i < cells; ++i) {
            const double size = i >= cells - noisy ? 0.02 : 0.001;
            const double base = (i == 0 ? 1.03 : 1.0) * (1.0 + wander(size));
            std::vector<double> passes;
            for (int pass = 0; pass < 16; ++pass)
                passes.push_back(base * (1.0 + wander(size)));
            addRow(data, i < 0 ? "bf16" : "c" + std::to_string(i), round, passes);
        }
    }
    return data;
}

TEST(SharedVariance, ThreeRoundsDecideAmongMany)
{
    const RunData data = runOfThreeRounds(30, 3);
    const Analysis analysis = analyse(data, "bf16-eager");
    const SpeedClaim& slower = *analysis.find("c0")->claim;
    EXPECT_EQ(slower.verdict, Verdict::Slower);
    EXPECT_GT(slower.evidence.logVariance.freedom, 4.0) << "two of its own";
    EXPECT_FALSE(slower.outlook);
    for (const CellSummary& cell : analysis.cells) {
        if (cell.claim && cell.cellId != "c0") {
            EXPECT_NE(cell.claim->verdict, Verdict::Faster) << cell.cellId;
            EXPECT_NE(cell.claim->verdict, Verdict::Slower) << cell.cellId;
        }
    }
    // What wanders inside its rounds is expected to wander between them.
    EXPECT_GT(analysis.find("c29")->claim->evidence.logVariance.variance,
              10.0 * analysis.find("c1")->claim->evidence.logVariance.variance);
}

TEST(SharedVariance, TheIntervalIsTheOneThatIsJudged)
{
    const RunData data = runOfThreeRounds(30, 0);
    const Analysis analysis = analyse(data, "bf16-eager");
    const CellSummary& cell = *analysis.find("c0");
    EXPECT_EQ(cell.speedupInterval, cell.claim->evidence.ratio.interval);
}

// One of the cells takes a tenth less time than it does.
void quicken(RunData& data, const std::string& cellId)
{
    for (Measurement& row : data.measurements) {
        if (row.cellId == cellId) {
            for (double& seconds : row.result.hostSeconds)
                seconds *= 0.9;
        }
    }
}

// Two intervals of one ratio would contradict each other.
TEST(SharedVariance, TheAnswerShowsTheIntervalsOfTheTable)
{
    RunData data = runOfThreeRounds(30, 0);
    quicken(data, "bf16");
    const Analysis ofBaseline = analyse(data, "bf16-eager");
    const RunAnswer baseline = findAnswer(ofBaseline, {});
    ASSERT_TRUE(baseline.isBaseline);
    ASSERT_EQ(baseline.eligible, 31U);
    for (std::size_t i = 1; i < baseline.eligible; ++i) {
        const AnswerCandidate& candidate = baseline.candidates[i];
        const CellSummary& cell = *ofBaseline.find(candidate.cellId);
        EXPECT_EQ(candidate.besideBest->value, *cell.speedup) << cell.cellId;
        EXPECT_EQ(candidate.besideBest->interval, cell.speedupInterval) << cell.cellId;
    }
    for (int times = 0; times < 3; ++times)
        quicken(data, "c1");
    const Analysis ofCell = analyse(data, "bf16-eager");
    const RunAnswer answer = findAnswer(ofCell, {});
    ASSERT_EQ(answer.best()->cellId, "c1");
    ASSERT_EQ(answer.candidates[1].cellId, "bf16");
    const CellSummary& best = *ofCell.find("c1");
    EXPECT_EQ(answer.candidates[1].besideBest->value, 1.0 / *best.speedup);
    EXPECT_EQ(answer.candidates[1].besideBest->interval, inverted(*best.speedupInterval));
}

TEST(SharedVariance, FewComparisonsStandAlone)
{
    const RunData data = runOfThreeRounds(7, 0);
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_EQ(analysis.find("c0")->claim->evidence.logVariance.freedom, 2.0);
}

// Machines do not tell each other anything.
TEST(SharedVariance, StaysOnOneDevice)
{
    RunData data = runOfThreeRounds(14, 0);
    for (std::size_t i = 8; i < data.plan.cells.size(); ++i)
        data.plan.cells[i].config.device = "cuda:0";
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_EQ(analysis.find("c0")->claim->evidence.logVariance.freedom, 2.0) << "seven of fourteen";
}

TEST(SharedVariance, AnOpenComparisonSaysHowItLeans)
{
    RunData data = runOf({{.id = "bf16", .reference = "bf16"},
                          {.id = "slow", .precision = "fp16", .reference = "bf16"}},
                         3);
    const double seconds[] = {1.4, 1.9, 1.6};
    for (int round = 0; round < 3; ++round) {
        addRow(data, "bf16", round, {1.0});
        addRow(data, "slow", round, {seconds[round]});
    }
    const Analysis analysis = analyse(data, "bf16-eager");
    const SpeedClaim& claim = *analysis.find("slow")->claim;
    ASSERT_EQ(claim.verdict, Verdict::Ambiguous);
    ASSERT_TRUE(claim.outlook);
    EXPECT_EQ(claim.outlook->leaning, Verdict::Slower);
    ASSERT_TRUE(claim.outlook->moreRounds);
    const std::string more = std::to_string(*claim.outlook->moreRounds);
    EXPECT_THAT(outlookText(claim), HasSubstr("leans slower; " + more + " more repeat"));
    EXPECT_EQ(verdictText(claim), "undecided");
}

}  // namespace
}  // namespace qs::core
