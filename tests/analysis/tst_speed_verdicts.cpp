#include "core/analysis/speed_verdicts.h"

#include "core/report/report.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::addRow;
using tests::runOf;

// Rounds of the reference wander by a tenth of a percent; the others are multiples of them, give or
// take as much.
RunData runWith(double fast, double equal, int rounds, int measured)
{
    RunData data = runOf({{.id = "eager", .reference = "eager"},
                          {.id = "fast", .precision = "int8dq", .reference = "eager"},
                          {.id = "equal", .precision = "fp16", .reference = "eager"}},
                         rounds);
    const double wander[] = {0.0, 0.001, -0.001, 0.0005, -0.0005, 0.0008, -0.0008};
    for (int round = 0; round < measured; ++round) {
        const auto at = static_cast<std::size_t>(round) % 7;
        addRow(data, "eager", round, {1.0 + wander[at]});
        addRow(data, "fast", round, {fast * (1.0 + wander[(at + 3) % 7])});
        addRow(data, "equal", round, {equal * (1.0 + wander[(at + 5) % 7])});
    }
    return data;
}

Verdict verdictOf(const Analysis& analysis, const char* cell)
{
    return analysis.find(cell)->claim->verdict;
}

TEST(SpeedVerdicts, SayWhatTheRoundsAllow)
{
    const RunData data = runWith(0.9, 1.0005, 5, 5);
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_EQ(verdictOf(analysis, "fast"), Verdict::Faster);
    EXPECT_EQ(verdictOf(analysis, "equal"), Verdict::Same);
    EXPECT_FALSE(analysis.find("fast")->claim->provisional);
    EXPECT_LT(analysis.find("fast")->claim->pValue, 0.004);
    EXPECT_FALSE(analysis.find("eager")->claim) << "nothing is claimed of the baseline";
}

TEST(SpeedVerdicts, WaitForThreeRoundsAndSayThatMoreCome)
{
    EXPECT_EQ(verdictOf(analyse(runWith(0.9, 1.0, 5, 2), "bf16-eager"), "fast"),
              Verdict::TooFewRounds);
    const RunData data = runWith(0.5, 1.0, 5, 4);
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_EQ(verdictOf(analysis, "fast"), Verdict::Faster);
    EXPECT_TRUE(analysis.find("fast")->claim->provisional);
}

TEST(SpeedVerdicts, ASmallDifferenceIsNotSettled)
{
    EXPECT_EQ(verdictOf(analyse(runWith(0.99, 1.0, 3, 3), "bf16-eager"), "fast"),
              Verdict::Ambiguous);
}

// What is clear alone is not clear as one of a hundred comparisons, also those still to come.
TEST(SpeedVerdicts, CountEveryPlannedComparison)
{
    const RunData few = runWith(0.985, 1.0, 5, 5);
    RunData many = few;
    for (int i = 0; i < 200; ++i) {
        PlannedCell cell = many.plan.cells[1];
        cell.id = "planned" + std::to_string(i);
        cell.config.seed = 1000 + i;
        many.plan.cells.push_back(cell);
    }
    const Analysis alone = analyse(few, "bf16-eager");
    const Analysis among = analyse(many, "bf16-eager");
    EXPECT_EQ(verdictOf(alone, "fast"), Verdict::Faster);
    EXPECT_GT(among.find("fast")->claim->pValue, 50.0 * alone.find("fast")->claim->pValue);
    EXPECT_EQ(verdictOf(among, "fast"), Verdict::Ambiguous);
    many = few;
    many.plan.cells.push_back(many.plan.cells[1]);
    many.plan.cells.back().id = "impossible";
    many.plan.cells.back().impossible = remark("no such device");
    EXPECT_DOUBLE_EQ(analyse(many, "bf16-eager").find("fast")->claim->pValue,
                     alone.find("fast")->claim->pValue)
        << "what cannot run is no comparison";
}

// The fastest of several looks faster than it is: SLOWER counts once for each that it was chosen
// among, FASTER does not.
TEST(SpeedVerdicts, KnowThatTheBestWasChosen)
{
    const auto claimOf = [](double factor, int graphs, const char* baseline) {
        RunData data = runWith(factor, 1.0, 5, 5);
        for (int i = 0; i < graphs; ++i) {
            PlannedCell cell = data.plan.cells[0];
            cell.id = "graph" + std::to_string(i);
            cell.config.compile = "cuda-graph";
            cell.config.seed = 100 + i;
            data.plan.cells.push_back(cell);
            for (int round = 0; round < 5; ++round)
                addRow(data, cell.id, round, {1.5 + 0.001 * round});
        }
        return analyse(data, baseline).find("fast")->claim->evidence;
    };
    EXPECT_EQ(claimOf(0.98, 0, "best-bf16").candidates, 1);
    const RatioEvidence slower = claimOf(1.02, 3, "best-bf16");
    EXPECT_EQ(slower.candidates, 4);
    EXPECT_DOUBLE_EQ(slower.claim(), 2.0 * 4.0 * slower.slower);
    const RatioEvidence faster = claimOf(0.98, 3, "best-bf16");
    EXPECT_DOUBLE_EQ(faster.claim(), 2.0 * faster.faster);
    EXPECT_EQ(claimOf(1.02, 3, "bf16-eager").candidates, 1) << "nobody chose it by its time";
    // One that competes itself was chosen against by the others alone.
    RunData data = runWith(0.9, 1.0, 5, 5);
    PlannedCell graph = data.plan.cells[0];
    graph.id = "graph";
    graph.config.compile = "cuda-graph";
    data.plan.cells.push_back(graph);
    for (int round = 0; round < 5; ++round)
        addRow(data, "graph", round, {1.1 + 0.001 * round});
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_EQ(analysis.find("graph")->claim->evidence.candidates, 1);
    EXPECT_EQ(analysis.find("fast")->claim->evidence.candidates, 2);
}

TEST(SpeedVerdicts, StandInEveryReport)
{
    const RunData data = runWith(0.9, 1.0005, 5, 5);
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_THAT(cellsCsv(data, analysis, true), HasSubstr(",faster,"));
    EXPECT_THAT(cellsCsv(data, analysis, true), HasSubstr("speed_verdict_p_value_corrected"));
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("| faster |"));
    EXPECT_THAT(reportJson(data, analysis).dump(), HasSubstr(R"("verdict":"same")"));
}

}  // namespace
}  // namespace qs::core
