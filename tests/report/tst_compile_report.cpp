// What compiling costs, in every kind of report.
#include "core/report/compile_section.h"

#include "core/analysis/region_speeds.h"
#include "core/report/markdown_sections.h"
#include "core/report/report.h"
#include "core/report/words/compile_text.h"
#include "tests/analysis/analysis_data.h"
#include "tests/support/compiled_run.h"
#include "tests/support/sample_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace qs::core {
namespace {

using testing::AllOf;
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
    EXPECT_EQ(breakEvenText(wins, 16.0, "images"), "54,600 [46,200, 66,200] images");
    BreakEven atMost = wins;
    atMost.isUpperLimit = true;
    EXPECT_EQ(breakEvenText(atMost), "≤ 3,410 [2,890, 4,140]");
    EXPECT_EQ(breakEvenText({BreakEvenResult::Undecided, 12.0}, 2.0, "images"),
              "undecided, 24.0 images as measured");
}

TEST(CompileText, PartsOfAllStagesAreAddedLongestFirst)
{
    CompileCost cost;
    cost.stages = {
        {.stage = "a", .content = {}, .coldParts = {{"wrapper", 2.0}, {"kernels", 1.0}}},
        {.stage = "b", .content = {}, .coldParts = {{"kernels", 4.0}}, .distanceToEager = 0.0021}};
    EXPECT_EQ(compilePartsText(cost), "kernels 5.00 s, wrapper 2.00 s");
    EXPECT_EQ(packageDistanceText(cost), "0.0021");
    cost.limit = 0.15;
    EXPECT_EQ(packageDistanceText(cost), "0.0021 of 0.15");
    cost.bf16FromFp32 = 0.004;
    cost.limit = 0.012;
    EXPECT_EQ(packageDistanceText(cost), "0.0021 of 0.012 (bf16 from fp32: 0.0040)");
}

TEST(CompileText, EachStageHasTheLimitThatWasApplied)
{
    const std::vector<StageCompile> packages{
        {.stage = "encoder", .part = "block", .distanceToEager = 0.0021, .distanceLimit = 0.05},
        {.stage = "encoder", .part = "rest", .distanceToEager = 0.0021, .distanceLimit = 0.05},
        {.stage = "decoder", .distanceToEager = 0.031, .distanceLimit = 0.15}};
    EXPECT_EQ(packageDistanceText(packages), "encoder 0.0021 of 0.050, decoder 0.031 of 0.15");
    EXPECT_EQ(packageDistanceText(std::vector<StageCompile>()), "");
}

TEST(CompileText, TimesThatAreAddedUpAreUpperLimits)
{
    CompileCost cost{.stages = {}, .coldSeconds = 32.0, .warmSeconds = 8.0};
    EXPECT_EQ(compileSecondsText(cost, CompileStart::Warm), "8.00 s");
    cost.isUpperLimit = true;
    EXPECT_EQ(compileSecondsText(cost, CompileStart::Cold), "≤ 32.0 s");
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
        EXPECT_EQ(cost.at("stages").at(0).at("compiled_together").at("cold_seconds"), 40.0);
        EXPECT_EQ(cost.at("seconds_are_upper_limits"), false);
        EXPECT_EQ(cost.at("distance_limit"), 0.05);
        EXPECT_TRUE(cost.at("bf16_from_fp32").is_null()) << "no golden run";
        EXPECT_EQ(cost.at("stages").at(0).at("distance_allowed"), 0.05);
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

TEST(CompileReport, MemoryOfGraphsIsThereWhereThereAreGraphs)
{
    const RunData data = compiledRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    const Json report = reportJson(data, analysis);
    for (const Json& cell : report.at("cells")) {
        const Json& metrics = cell.at("metrics");
        const bool recorded = cell.at("config").at("compile") == "cuda-graph";
        EXPECT_EQ(metrics.value("graph_pool_bytes", Json()),
                  recorded ? Json(std::int64_t{64} << 20U) : Json());
    }
    EXPECT_THAT(cellsCsv(data, analysis), HasSubstr("graph_pool_bytes"));
    EXPECT_THAT(memorySection(analysis), AllOf(HasSubstr("CUDA graphs"), HasSubstr("64.0 MiB")));
    const RunData plain = tests::sampleRun();
    const Analysis without = analyse(plain, "bf16-eager");
    EXPECT_THAT(cellsCsv(plain, without), Not(HasSubstr("graph_pool_bytes")));
    EXPECT_THAT(memorySection(without), Not(HasSubstr("CUDA graphs")));
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

// 134.4 MB in 40 us are 3.36 TB/s, 70 % of what the memory of the H200 is published with.
TEST(CompileReport, RegionsAreToldOfByThemselves)
{
    RunData data = compiledRun();
    for (Measurement& row : data.measurements) {
        for (StageCompile& stage : row.result.compiles) {
            stage.part = "rope";
            stage.calls = 24;
            stage.time = {134'400'000, 404e-6, 40e-6, 6e-6};
        }
    }
    const Analysis analysis = analyse(data, "bf16-eager");
    const CellSummary& summary = *analysis.find(sampleCellId("bf16", "cuda-graph", 4));
    const std::vector<RegionSpeed> speeds = regionSpeeds(*summary.compileCost);
    ASSERT_EQ(speeds.size(), 1U);
    EXPECT_NEAR(speeds[0].speedup, 10.1, 1e-9);
    EXPECT_NEAR(speeds[0].bytesPerSecond, 3.36e12, 1.0);
    EXPECT_NEAR(speeds[0].ofMemoryRate.value(), 0.7, 1e-9);
    EXPECT_EQ(packageName(summary.compileCost->stages[0]), "encoder rope");
    const std::vector<CellGates> none(analysis.cells.size());
    EXPECT_THAT(compileSection(analysis, none),
                HasSubstr("| rope | 24 | 404 µs | 40.0 µs | 6.00 µs |"));
    EXPECT_THAT(htmlCompile(analysis, none), HasSubstr("<td>70.0 %</td>"));
    const Json report = reportJson(data, analysis);
    for (const Json& cell : report.at("cells")) {
        if (cell.at("cell") != summary.cellId)
            continue;
        const Json& stage = cell.at("compile_cost").at("stages").at(0);
        EXPECT_EQ(stage.at("region"), "rope");
        EXPECT_EQ(stage.at("one_call").at("bytes"), 134'400'000);
        EXPECT_EQ(stage.at("one_call").at("launch_seconds"), 6e-6);
    }
}

std::vector<KernelChoice> fusedStage()
{
    return {{.kernel = "qs_linear",
             .shape = "128x256_s3",
             .seconds = 2.5,
             .kept = true,
             .module = "blocks.0.fc",
             .operations = {"linear", "add"},
             .calls = 24},
            {.kernel = "qs_norm", .seconds = 0.125, .module = "norm", .operations = {"rms_norm"}},
            {.module = "head", .operations = {"linear"}, .calls = 3, .why = Unfused::Library}};
}

TEST(CompileReport, StagesThatAreFusedSayOfWhat)
{
    RunData data = compiledRun();
    for (Measurement& row : data.measurements) {
        for (StageCompile& stage : row.result.compiles)
            stage.kernels = fusedStage();
    }
    const Analysis analysis = analyse(data, "bf16-eager");
    const std::vector<CellGates> none(analysis.cells.size());
    EXPECT_THAT(htmlCompile(analysis, none),
                AllOf(HasSubstr("<td>linear, add</td>"), HasSubstr("<td>128x256_s3</td>"),
                      HasSubstr("<td>" + unfusedText(Unfused::Library) + "</td>")));
    const Json report = reportJson(data, analysis);
    int stages = 0;
    for (const Json& cell : report.at("cells")) {
        if (!cell.contains("compile_cost"))
            continue;
        const Json& fused = cell.at("compile_cost").at("stages").at(0).at("fused");
        EXPECT_EQ(fused.at(0).at("shape"), "128x256_s3");
        EXPECT_EQ(fused.at(0).at("cold_seconds"), 2.5);
        EXPECT_TRUE(fused.at(1).at("shape").is_null());
        EXPECT_TRUE(fused.at(2).at("kernel").is_null());
        EXPECT_EQ(fused.at(2).at("unfused"), "library");
        ++stages;
    }
    EXPECT_EQ(stages, 6);
    StageCompile stage;
    stage.stage = "encoder";
    stage.kernels = fusedStage();
    EXPECT_EQ(fusedText({stage}), "encoder 25, beside them 3 × linear");
    EXPECT_EQ(fusedText({StageCompile()}), "");
}

TEST(CompileReport, ARegionThatWasNotTimedHasNoLine)
{
    const RunData data = compiledRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    const std::vector<CellGates> none(analysis.cells.size());
    EXPECT_THAT(compileSection(analysis, none), Not(HasSubstr("Regions alone")));
}

TEST(CompileReport, SaysNothingWhereNothingIsCompiled)
{
    const RunData data = tests::sampleRun();
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_EQ(compileSection(analysis, evaluateGates(data, analysis)), "");
    EXPECT_EQ(htmlCompile(analysis, evaluateGates(data, analysis)), "");
}

TEST(CompileReport, EachReasonWhyPyTorchRunsSomethingHasWordsOfItsOwn)
{
    std::set<std::string> texts;
    for (const Unfused why : kUnfusedNames.values())
        texts.insert(unfusedText(why));
    EXPECT_EQ(texts.size(), kUnfusedNames.size());
}

}  // namespace
}  // namespace qs::core
