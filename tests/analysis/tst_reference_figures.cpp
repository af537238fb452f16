#include "core/analysis/reference_figures.h"

#include "tests/analysis/analysis_data.h"

#include <gtest/gtest.h>

namespace qs::core {
namespace {

TEST(ReferenceFigures, AreMediansOfRounds)
{
    ReferenceRow row;
    row.unitsPerPass = 4;
    row.rounds = {{0.010, 0.030, 0.011}, {0.020}, {0.016, 0.018}};
    const auto figures = figuresOf(row);
    ASSERT_TRUE(figures);
    EXPECT_DOUBLE_EQ(figures->seconds, 0.017);
    EXPECT_DOUBLE_EQ(figures->lowest, 0.011);
    EXPECT_DOUBLE_EQ(figures->highest, 0.020);
    EXPECT_DOUBLE_EQ(figures->throughput, 4.0 / 0.017);
    EXPECT_EQ(figures->rounds, 3U);
    EXPECT_EQ(figures->samples, 6U);
    row.rounds = {};
    EXPECT_FALSE(figuresOf(row));
}

TEST(ReferenceFigures, FindTheCellThatBothHave)
{
    RunData data = tests::runOf({{"a", "bf16", "none", 1},
                                 {"b", "bf16", "none", 4},
                                 {"c", "int8dq", "none", 4},
                                 {"d", "bf16", "cuda-graph", 4}},
                                1);
    for (const char* id : {"b", "c", "d"})
        tests::addRow(data, id, 0, {0.01});
    const Analysis analysis = analyse(data, "bf16-eager");
    ReferenceResults results;
    ASSERT_NE(ownEager(analysis, results, 4), nullptr);
    EXPECT_EQ(ownEager(analysis, results, 4)->cellId, "b");
    EXPECT_EQ(ownEager(analysis, results, 1), nullptr) << "not measured";
    results.sizes = {{"image_size", 512}};
    EXPECT_EQ(ownEager(analysis, results, 4), nullptr);
    results.rows = {{.precision = "bf16", .mode = "default", .batch = 4},
                    {.precision = "bf16", .mode = "eager", .batch = 4}};
    EXPECT_EQ(theirEager(results, 4), &results.rows[1]);
    results.rows[1].status = ReferenceStatus::Failed;
    EXPECT_EQ(theirEager(results, 4), nullptr);
}

TEST(ReferenceFigures, SayWhatTheRunHasInCommon)
{
    RunData data = tests::runOf({{"a"}}, 1);
    Environment environment;
    environment.processor = "a processor";
    environment.devices.emplace_back().name = "a card";
    data.environments = {environment};
    tests::addRow(data, "a", 0, {0.01}, environment.id()).result.modelContent = "w";
    const Analysis analysis = analyse(data, "bf16-eager");
    ReferenceResults results;
    EXPECT_EQ(matchOf(results, data, analysis), ReferenceMatch());
    results.modelContent = "w";
    results.sizes = data.plan.cells[0].config.sizes;
    results.environment["device"] = "a card";
    EXPECT_EQ(matchOf(results, data, analysis),
              (ReferenceMatch{Sameness::Same, Sameness::Same, Sameness::Same}));
    results.environment["device"] = "a processor";
    EXPECT_EQ(matchOf(results, data, analysis).device, Sameness::Same);
    results.modelContent = "v";
    results.sizes = {{"image_size", 999}};
    results.environment["device"] = "another card";
    EXPECT_EQ(matchOf(results, data, analysis),
              (ReferenceMatch{Sameness::Different, Sameness::Different, Sameness::Different}));
}

}  // namespace
}  // namespace qs::core
