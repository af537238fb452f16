// What compiling costs, in every kind of report.
#include "core/report/compile_section.h"

#include "core/report/report.h"
#include "core/report/words/compile_text.h"
#include "tests/analysis/analysis_data.h"
#include "tests/support/compiled_run.h"
#include "tests/support/sample_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::compiledRun;
using tests::sampleCellId;

TEST(CompileText, SaysAfterHowManyPassesOrUnits)
{
    const BreakEven wins{BreakEvenResult::Wins, 3412.0, Interval{2890.0, 4137.0}};
    EXPECT_EQ(breakEvenText(wins), "3,410 [2,890, 4,140]");
    EXPECT_EQ(breakEvenText(wins, 16.0), "54,600 [46,200, 66,200]");
    EXPECT_EQ(breakEvenText({BreakEvenResult::Never}), "never");
    EXPECT_EQ(breakEvenText({BreakEvenResult::Undecided}), "undecided");
    EXPECT_EQ(breakEvenText({BreakEvenResult::Undecided, 12.0}), "undecided, 12.0 as measured");
}

TEST(CompileText, PartsOfAllStagesAreAddedLongestFirst)
{
    CompileCost cost;
    cost.stages = {
        {.stage = "a", .content = {}, .coldParts = {{"wrapper", 2.0}, {"kernels", 1.0}}},
        {.stage = "b", .content = {}, .coldParts = {{"kernels", 4.0}}, .distanceToEager = 0.0021}};
    EXPECT_EQ(compilePartsText(cost), "kernels 5.00 s, wrapper 2.00 s");
    EXPECT_EQ(packageDistanceText(cost), "0.0021 of 0.050");
    cost.limitIsOfRun = true;
    cost.limit = 0.012;
    EXPECT_EQ(packageDistanceText(cost), "0.0021 of 0.012 (3.0× bf16)");
}

RunData withGate()
{
    RunData data = compiledRun();
    data.plan.preset.gates = {gateFromText("speedup >= 1.01").value(),
                              gateFromText("cv <= 50 %").value()};
    return data;
}

TEST(CompileReport, JsonHoldsTheCost)
{
    const RunData data = compiledRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    const std::string id = sampleCellId("bf16", "cuda-graph", 4);
    const Json report = reportJson(data, analysis);
    for (const Json& cell : report.at("cells")) {
        if (cell.at("config").at("compile") != "cuda-graph") {
            EXPECT_FALSE(cell.contains("compile_cost"));
            continue;
        }
        const Json& cost = cell.at("compile_cost");
        EXPECT_EQ(cost.at("stages").at(0).at("cold_parts_seconds").at("kernels"), 30.0);
        EXPECT_EQ(cost.at("distance_limit"), kUsualPackageLimit);
        if (cell.at("cell") != id)
            continue;
        const CellSummary& summary = *analysis.find(id);
        EXPECT_EQ(cost.at("break_even_cold").at("passes"), *summary.compileCost->cold->passes);
        EXPECT_EQ(cost.at("break_even_cold").at("units_per_pass"), 4);
        EXPECT_EQ(cell.at("metrics").at("load_first_call_seconds"), 3.0);
    }
}

TEST(CompileReport, CellsHaveColumnsWhereSomethingIsCompiled)
{
    const RunData compiled = compiledRun();
    const RunData plain = tests::sampleRun();
    EXPECT_THAT(cellsCsv(compiled, analyse(compiled, "bf16-eager")),
                HasSubstr("package_distance_limit"));
    EXPECT_THAT(cellsCsv(plain, analyse(plain, "bf16-eager")),
                Not(HasSubstr("package_distance_limit")));
}

TEST(CompileReport, SectionsHaveALineForEachCellAndTheExpectationsThatBelong)
{
    const RunData data = withGate();
    const Analysis analysis = analyse(data, "bf16-eager");
    const auto gates = evaluateGates(data, analysis);
    const std::string markdown = compileSection(analysis, gates);
    EXPECT_THAT(markdown, HasSubstr("kernels 30.0 s, wrapper 10.0 s"));
    EXPECT_THAT(markdown, HasSubstr("speedup"));
    EXPECT_THAT(markdown, Not(HasSubstr("cv ")));
    const std::string html = htmlCompile(analysis, gates);
    std::size_t lines = 0;
    for (std::size_t at = html.find("<tr><td>"); at != std::string::npos;
         at = html.find("<tr><td>", at + 1))
        ++lines;
    EXPECT_EQ(lines, 6U) << "two precisions at three batches";
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr(markdown));
    EXPECT_THAT(reportHtml(data, analysis), HasSubstr(html));
}

TEST(CompileReport, SaysNothingWhereNothingIsCompiled)
{
    const RunData data = tests::sampleRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_EQ(compileSection(analysis, evaluateGates(data, analysis)), "");
    EXPECT_EQ(htmlCompile(analysis, evaluateGates(data, analysis)), "");
}

}  // namespace
}  // namespace qs::core
