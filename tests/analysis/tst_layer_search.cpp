#include "core/analysis/layer_search.h"

#include "core/analysis/analysis.h"
#include "tests/analysis/analysis_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace qs::core {
namespace {

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

// Eight parts, of which the first stand first.
Sensitivity eightParts()
{
    Sensitivity sensitivity{.wholeId = "whole", .wholeFilter = "all"};
    for (int i = 0; i < 8; ++i)
        sensitivity.parts.push_back(
            {.patterns = "blocks." + std::to_string(i), .cellId = std::to_string(i)});
    return sensitivity;
}

// Runs it against a model in which so many have to be kept, and returns the filters it looked at.
std::vector<std::string> lookedAt(LayerSearch& search, std::size_t needed)
{
    std::vector<std::string> filters;
    while (const auto kept = search.kept()) {
        const CellConfig cell = search.wanted();
        EXPECT_EQ(cell.precision, std::vector<std::string>{"int8dq"});
        filters.push_back(cell.layers);
        search.told(*kept >= needed);
    }
    return filters;
}

LayerSearch searchOfEight()
{
    CellConfig whole;
    whole.precision = {"int8dq"};
    return {eightParts(), whole};
}

TEST(LayerSearches, BeginWithTheWhole)
{
    LayerSearch search = searchOfEight();
    EXPECT_EQ(lookedAt(search, 0), std::vector<std::string>{"all"});
    EXPECT_EQ(search.filter(), "all");
}

TEST(LayerSearches, FindTheFewestParts)
{
    LayerSearch search = searchOfEight();
    const std::vector<std::string> filters = lookedAt(search, 3);
    EXPECT_EQ(filters.size(), 4U);
    EXPECT_EQ(search.filter(), "all -only:blocks.{0-2}");
    EXPECT_NE(std::find(filters.begin(), filters.end(), "all -only:blocks.{0-2}"), filters.end())
        << "what it answers was measured";
}

TEST(LayerSearches, FindNothingWhereAllHaveToBeKept)
{
    LayerSearch search = searchOfEight();
    lookedAt(search, 8);
    EXPECT_FALSE(search.filter());
}

TEST(LayerSearches, JudgeCellsOfTheRun)
{
    RunData data = tests::runOf({{.id = "ref", .reference = "ref"},
                                 {.id = "whole", .precision = "int8dq", .reference = "ref"},
                                 {.id = "exact", .precision = "fp32", .reference = "ref"}},
                                1);
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = true;
    for (const char* cell : {"ref", "whole", "exact"})
        tests::addRow(data, cell, 0, {0.5, 0.5, 0.5});
    tests::addQuality(data, "whole", "ref", 0, 0.9);
    tests::addQuality(data, "exact", "ref", 0, 1.0);
    const Analysis analysis = analyse(data, "bf16-eager");
    CellConfig wanted = data.plan.find("whole")->config;
    const CellSummary* whole = findMeasured(analysis, wanted);
    ASSERT_NE(whole, nullptr);
    EXPECT_EQ(whole->cellId, "whole");
    EXPECT_TRUE(meetsLimit(gateFromText("ssim_mean >= 0.89").value(), *whole).value());
    EXPECT_FALSE(meetsLimit(gateFromText("ssim_mean >= 0.91").value(), *whole).value());
    EXPECT_EQ(meetsLimit(Gate{.metric = "accuracy", .value = 0.91}, *whole).error().code,
              ErrorCode::InvalidArgument);
    // The PSNR of equal outputs is no number.
    EXPECT_TRUE(
        meetsLimit(gateFromText("psnr_mean >= 40 dB").value(), *analysis.find("exact")).value());
    wanted.layers = "mlp";
    EXPECT_EQ(findMeasured(analysis, wanted), nullptr);
}

}  // namespace
}  // namespace qs::core
