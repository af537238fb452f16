#include "core/analysis/combined_gains.h"

#include "core/report/combined_section.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace qs::core {
namespace {

constexpr const char* kMode = "inductor-reduce-overhead";

// A plain pass takes 1 s, compiled 0.8, quantized 0.5, both `both`; rounds wander together.
RunData fourCells(double both, int rounds = 5)
{
    RunData data = tests::runOf(
        {{.id = "plain", .reference = "plain"},
         {.id = "compiled", .compile = kMode, .reference = "plain"},
         {.id = "quantized", .precision = "int8dq", .reference = "plain"},
         {.id = "both", .precision = "int8dq", .compile = kMode, .reference = "plain"}},
        rounds);
    for (int round = 0; round < rounds; ++round) {
        const double drift = 1.0 + 0.1 * round;
        // What does not cancel.
        const double noise = 1.0 + 0.001 * (round % 2 == 0 ? 1.0 : -1.0);
        tests::addRow(data, "plain", round, {drift * noise});
        tests::addRow(data, "compiled", round, {0.8 * drift});
        tests::addRow(data, "quantized", round, {0.5 * drift});
        tests::addRow(data, "both", round, {both * drift});
    }
    return data;
}

CombinedGain gainOf(double both, int rounds = 5)
{
    const RunData data = fourCells(both, rounds);
    const auto gains = combinedGains(analyse(data, "bf16-eager"));
    EXPECT_EQ(gains.size(), 1U);
    return gains.front();
}

TEST(CombinedGains, IsTheCombinedSpeedUpOverTheProductOfBoth)
{
    const CombinedGain gain = gainOf(0.4);
    EXPECT_EQ(gain.bothId, "both");
    EXPECT_EQ(gain.plainId, "plain");
    EXPECT_NEAR(gain.compiled, 1.25, 0.01);
    EXPECT_NEAR(gain.quantized, 2.0, 0.01);
    EXPECT_NEAR(gain.both, 2.5, 0.01);
    EXPECT_NEAR(gain.ratio.value, 1.0, 0.005);
    EXPECT_EQ(gain.ratio.count, 5U);
    ASSERT_TRUE(gain.ratio.interval);
    // Half a percent, though the rounds drift by 40 %.
    EXPECT_LT(gain.ratio.interval->upper - gain.ratio.interval->lower, 0.01);
    EXPECT_EQ(gain.result, GainsTogether::Multiply);
}

TEST(CombinedGains, LessMoreAndUndecided)
{
    EXPECT_EQ(gainOf(0.5).result, GainsTogether::Less);
    EXPECT_NEAR(gainOf(0.5).ratio.value, 0.8, 0.005);
    EXPECT_EQ(gainOf(0.3).result, GainsTogether::More);
    EXPECT_EQ(gainOf(0.4, 1).result, GainsTogether::Undecided) << "one repeat has no interval";
}

TEST(CombinedGains, NeedsAllFourInTheSameRounds)
{
    RunData data = fourCells(0.4);
    std::erase_if(data.measurements,
                  [](const Measurement& row) { return row.cellId == "quantized"; });
    EXPECT_TRUE(combinedGains(analyse(data, "bf16-eager")).empty());
    RunData other = fourCells(0.4);
    for (Measurement& row : other.measurements)
        row.round += row.cellId == "both" ? 10 : 0;
    EXPECT_TRUE(combinedGains(analyse(other, "bf16-eager")).empty());
    RunData shape = fourCells(0.4);
    shape.plan.cells[2].config.batch = 4;
    EXPECT_TRUE(combinedGains(analyse(shape, "bf16-eager")).empty());
}

// A filter quantizes part of the layers; bf16 has the same cells for all filters.
TEST(CombinedGains, FiltersAreThoseOfTheQuantizedCells)
{
    RunData data = fourCells(0.4);
    for (PlannedCell& cell : data.plan.cells) {
        if (cell.config.precision.front() == "int8dq")
            cell.config.layers = "mlp";
    }
    EXPECT_EQ(combinedGains(analyse(data, "bf16-eager")).size(), 1U);
    data.plan.cells[3].config.layers = "attention";
    EXPECT_TRUE(combinedGains(analyse(data, "bf16-eager")).empty());
}

TEST(CombinedGains, StandInTheReports)
{
    const RunData data = fourCells(0.4);
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_THAT(markdownOf(combinedSection(analysis)), testing::HasSubstr("int8dq"));
    EXPECT_THAT(htmlOf(combinedSection(analysis)), testing::HasSubstr("id=\"combined\""));
    EXPECT_EQ(combinedJson(analysis)[0]["result"], "multiply");
    const RunData without = tests::runOf({{.id = "plain"}}, 1);
    EXPECT_TRUE(combinedSection(analyse(without, "bf16-eager")).table.lines.empty());
}

}  // namespace
}  // namespace qs::core
