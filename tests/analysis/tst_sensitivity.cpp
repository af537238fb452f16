#include "core/analysis/sensitivity.h"

#include "core/analysis/analysis.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace qs::core {
namespace {

using testing::ElementsAre;

// int8dq of all layers and of four of them alone, each with an SSIM and bytes.
RunData measured()
{
    RunData data = tests::runOf({{.id = "ref", .reference = "ref"},
                                 {.id = "whole", .precision = "int8dq", .reference = "ref"},
                                 {.id = "a", .precision = "int8dq", .reference = "ref"},
                                 {.id = "b", .precision = "int8dq", .reference = "ref"},
                                 {.id = "c", .precision = "int8dq", .reference = "ref"},
                                 {.id = "d", .precision = "int8dq", .reference = "ref"}},
                                1);
    const std::tuple<const char*, const char*, double, std::int64_t> parts[] = {
        {"whole", "all", 0.90, 500},
        {"a", "only:blocks.0.fc1", 0.99, 900},
        {"b", "only:blocks.1.fc1", 0.95, 900},
        {"c", "only:blocks.2.fc1", 0.96, 600},
        {"d", "only:head", 0.999, 950}};
    for (PlannedCell& cell : data.plan.cells) {
        cell.weightBytes = 1000;
        for (const auto& [id, filter, ssim, bytes] : parts) {
            if (cell.id != id)
                continue;
            cell.config.layers = filter;
            cell.weightBytes = bytes;
        }
        tests::addRow(data, cell.id, 0, {0.5, 0.5, 0.5});
    }
    for (const auto& [id, filter, ssim, bytes] : parts)
        tests::addQuality(data, id, "ref", 0, ssim);
    return data;
}

TEST(Sensitivities, RankPartsByWhatTheyCostForTheirBytes)
{
    const RunData data = measured();
    const Analysis analysis = analyse(data, "bf16-eager");
    const auto found = sensitivitiesOf(analysis);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].wholeId, "whole");
    std::vector<std::string> order;
    for (const PartSensitivity& part : found[0].parts)
        order.push_back(part.cellId);
    // Losses over bytes: a .01/100, b .05/100, c .04/400, d .001/50; a and c are equal.
    EXPECT_EQ(order.front(), "b");
    EXPECT_EQ(order.back(), "d");
    EXPECT_NEAR(found[0].parts.front().distance, 0.05, 1e-12);
    EXPECT_EQ(found[0].parts.front().bytesSaved, 100);
    EXPECT_TRUE(found[0].parts.front().secondsSaved.has_value());
}

TEST(Sensitivities, KeepTheWorstUnquantized)
{
    const RunData data = measured();
    const Analysis analysis = analyse(data, "bf16-eager");
    Sensitivity sensitivity = sensitivitiesOf(analysis).at(0);
    EXPECT_EQ(filterWithoutWorst(sensitivity, 0), "all");
    EXPECT_EQ(filterWithoutWorst(sensitivity, 1), "all -only:blocks.1.fc1");
    EXPECT_EQ(filterWithoutWorst(sensitivity, 3), "all -only:blocks.{0-2}.fc1");
    EXPECT_EQ(filterWithoutWorst(sensitivity, 9), "all -only:head,blocks.{0-2}.fc1");
    sensitivity.wholeFilter = "all/mlp";
    EXPECT_EQ(filterWithoutWorst(sensitivity, 1), "all -only:blocks.1.fc1/mlp -only:blocks.1.fc1");
}

TEST(Sensitivities, ARunWithoutSinglePartsHasNone)
{
    RunData data = measured();
    for (PlannedCell& cell : data.plan.cells)
        cell.config.layers = "all";
    EXPECT_TRUE(sensitivitiesOf(analyse(data, "bf16-eager")).empty());
}

// Against a search that tries every number.
TEST(GreedySearches, FindTheFewestInFewSteps)
{
    for (const std::size_t parts : {1U, 2U, 3U, 10U, 100U, 1000U}) {
        for (std::size_t needed = 1; needed <= parts;
             needed += std::max<std::size_t>(1, parts / 7)) {
            GreedySearch search(parts);
            int steps = 0;
            while (const auto kept = search.next()) {
                ASSERT_GT(*kept, 0U);
                ASSERT_LT(*kept, parts);
                search.told(*kept, *kept >= needed);
                ++steps;
            }
            EXPECT_EQ(search.fewest(), needed) << parts;
            EXPECT_LE(steps, std::ceil(std::log2(static_cast<double>(parts)))) << parts;
        }
    }
}

}  // namespace
}  // namespace qs::core
