#include "core/analysis/cost.h"

#include "core/analysis/metric_values.h"
#include "core/report/report.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace qs::core {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::addRow;
using tests::runOf;

// Two cells of batch 1; "fast" takes 10 ms a pass, "slow" 40 ms. Rows take 36 s each.
RunData pricedRun(const Price& price)
{
    RunData data = runOf({{.id = "slow", .reference = "slow"},
                          {.id = "fast", .precision = "int8dq", .reference = "slow"},
                          {.id = "never", .precision = "int8wo", .reference = "slow"}});
    for (int round = 0; round < 2; ++round) {
        addRow(data, "slow", round, {0.04});
        addRow(data, "fast", round, {0.01});
    }
    for (Measurement& row : data.measurements)
        row.durationSeconds = 36.0;
    data.plan.preset.price = price;
    return data;
}

TEST(Costs, ComeFromTheTimeOfTheRowsAndOfAPass)
{
    const RunData data = pricedRun({100.0, "USD"});
    const Analysis analysis = analyse(data, "best-bf16");
    const CellSummary& fast = *analysis.find("fast");
    ASSERT_TRUE(fast.cost.has_value());
    // Two rows of 36 s are a fiftieth of an hour.
    EXPECT_DOUBLE_EQ(fast.cost->run, 2.0);
    // A million passes of 10 ms are 10 000 s.
    const double batch = static_cast<double>(fast.cell->config.batch);
    EXPECT_NEAR(fast.cost->perMillionUnits.value_or(0.0), 100.0 * 10000.0 / 3600.0 / batch, 1e-9);
    EXPECT_NEAR(*analysis.find("slow")->cost->perMillionUnits / *fast.cost->perMillionUnits, 4.0,
                1e-12);
    EXPECT_FALSE(analysis.find("never")->cost.has_value());
    EXPECT_DOUBLE_EQ(costOfRun(data.plan.preset.price, analysis).value_or(0.0), 4.0);
}

TEST(Costs, ArePaidEndToEndWhereThatWasMeasured)
{
    RunData data = pricedRun({100.0, "USD"});
    for (Measurement& row : data.measurements) {
        if (row.cellId == "fast")
            row.result.endToEndSeconds = {0.02};
    }
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_NEAR(*analysis.find("fast")->cost->perMillionUnits, 100.0 * 20000.0 / 3600.0, 1e-9);
    EXPECT_NEAR(*analysis.find("slow")->cost->perMillionUnits, 100.0 * 40000.0 / 3600.0, 1e-9)
        << "whose inputs lie on the device";
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("from the end-to-end throughput where"));
}

TEST(Costs, AFailedCellCostsTimeButGivesNoPictures)
{
    RunData data = pricedRun({100.0, "USD"});
    for (Measurement& row : data.measurements) {
        row.failure = Failure{.kind = FailureKind::Signal};
        row.result = {};
    }
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_DOUBLE_EQ(analysis.find("fast")->cost->run, 2.0);
    EXPECT_FALSE(analysis.find("fast")->cost->perMillionUnits.has_value());
}

TEST(Costs, AreAMetricThatCurvesCanShow)
{
    const RunData data = pricedRun({2.5, "EUR"});
    const RunData unpriced = pricedRun({});
    const Analysis analysis = analyse(data, "best-bf16");
    const CellSummary& cell = *analysis.find("fast");
    EXPECT_EQ(valueOf("million_cost", cell), cell.cost->perMillionUnits);
    const auto names = [](const Analysis& of) {
        std::set<std::string> all;
        for (const Metric* metric : metricsOf(of))
            all.insert(metric->name);
        return all;
    };
    EXPECT_TRUE(names(analysis).contains("million_cost"));
    EXPECT_FALSE(names(analyse(unpriced, "best-bf16")).contains("million_cost"));
}

TEST(StageTimes, AreMetricsWhereThereAreSeveralStages)
{
    CellSummary cell;
    cell.measured = true;
    cell.stageNames = {"encoder", "decoder"};
    cell.stageSeconds = {0.25, 0.5};
    EXPECT_EQ(valueOf("first_stage", cell), 0.25);
    EXPECT_EQ(valueOf("second_stage", cell), 0.5);
    cell.stageSeconds = {0.25};
    EXPECT_EQ(valueOf("first_stage", cell), std::nullopt);
    cell.stageSeconds = {0.25, 0.5};
    cell.measured = false;
    EXPECT_EQ(valueOf("first_stage", cell), std::nullopt);
}

TEST(Costs, StandInEveryReport)
{
    const RunData data = pricedRun({2.5, "EUR"});
    const Analysis analysis = analyse(data, "best-bf16");
    const std::string table = cellsCsv(data, analysis);
    EXPECT_THAT(table, HasSubstr(",million_units_cost,"));
    EXPECT_THAT(table, HasSubstr("currency,device_hour_price,run_cost,"));
    EXPECT_THAT(table, HasSubstr(",EUR,2.5,0.05,"));
    const std::string text = summaryMarkdown(data, analysis);
    EXPECT_THAT(text, HasSubstr("## Cost"));
    EXPECT_THAT(text, HasSubstr("A million units (EUR)"));
    const Json json = reportJson(data, analysis);
    EXPECT_EQ(json.at("cost").at("price").at("currency"), "EUR");
    EXPECT_DOUBLE_EQ(json.at("cost").at("run").get<double>(), 0.1);
    EXPECT_GT(json.at("cells").at(1).at("cost").at("million_units").get<double>(), 0.0);
    EXPECT_TRUE(json.at("cells").at(2).at("cost").is_null());
}

TEST(Costs, WithoutAPriceNothingIsSaid)
{
    const RunData data = pricedRun({});
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_FALSE(analysis.find("fast")->cost.has_value());
    EXPECT_FALSE(costOfRun(data.plan.preset.price, analysis).has_value());
    EXPECT_THAT(cellsCsv(data, analysis), Not(HasSubstr("currency")));
    EXPECT_THAT(summaryMarkdown(data, analysis), Not(HasSubstr("Cost")));
    EXPECT_TRUE(reportJson(data, analysis).at("cost").is_null());
}

}  // namespace
}  // namespace qs::core
