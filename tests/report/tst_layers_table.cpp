// layers.csv: what the rows of a run say of the layers of a report.
#include "core/base/files.h"
#include "core/measure/fused_layers.h"
#include "core/measure/layer_report.h"
#include "core/record/layer_reports.h"
#include "core/record/run_folder.h"
#include "core/report/report.h"
#include "core/report/words/compile_text.h"
#include "tests/analysis/analysis_data.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <sstream>

namespace qs::core {
namespace {

using testing::HasSubstr;

// Its report lies with the eager cell, and is that of the fused one as well.
RunData reportedRun(const std::filesystem::path& folder)
{
    RunData data =
        tests::runOf({{"ref"}, {"eager", "int8dq"}, {"fused", "int8dq", "fused", 8, "ref"}}, 1);
    data.folder = folder;
    LayerReport report;
    for (const char* module : {"blocks.0.fc", "blocks.1.fc"})
        report.layers.push_back(
            {.stage = "encoder", .module = module, .scheme = "int8dq", .weightShape = {4, 4}});
    const std::filesystem::path file = folder / "cells" / outputPlace("eager") / kLayerReportFile;
    std::filesystem::create_directories(file.parent_path());
    EXPECT_TRUE(writeFileAtomically(file, jsonText(toJson(report))).ok());
    return data;
}

// Without the head.
std::vector<std::string> tableOf(const RunData& data)
{
    const Analysis analysis = analyse(data, "bf16-eager");
    std::string text;
    EXPECT_TRUE(writeLayersCsv(data, analysis, true, [&](std::string_view part) -> Status {
                    text += part;
                    return {};
                }).ok());
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);)
        lines.push_back(line);
    EXPECT_THAT(lines.front(), HasSubstr(",fused_kernels,fused_operations"));
    lines.erase(lines.begin());
    return lines;
}

CellResult& resultOf(RunData& data, const std::string& cell)
{
    return tests::addRow(data, cell, 0, {0.5, 0.5}).result;
}

TEST(LayersTable, NamesKernelsOfFusedCells)
{
    const tests::TestFolder folder;
    RunData data = reportedRun(folder.path());
    tests::addRow(data, "eager", 0, {0.5, 0.5});
    for (const std::string& line : tableOf(data))
        EXPECT_THAT(line, HasSubstr(",,\r")) << "eager cells have no kernels";
    StageCompile stage;
    stage.stage = "encoder";
    stage.kernels = {{.kernel = "qs_product_int8_128x96",
                      .module = "blocks.0.fc",
                      .operations = {"_int_mm", "mul", "add"},
                      .calls = 2}};
    resultOf(data, "fused").compiles = {stage};
    const std::vector<std::string> lines = tableOf(data);
    ASSERT_EQ(lines.size(), 2U);
    for (const std::string& line : lines)
        EXPECT_THAT(line, HasSubstr(",qs_product_int8_128x96,_int_mm mul add\r"));
}

TEST(LayersTable, HasTheSecondsOfASolverBesideItsLoss)
{
    const tests::TestFolder folder;
    RunData data = reportedRun(folder.path());
    LayerReport report;
    report.layers.push_back({.stage = "encoder",
                             .module = "blocks.0.fc",
                             .scheme = "gptq-int4-32",
                             .weightShape = {4, 4},
                             .solverLoss = 0.125,
                             .solverSeconds = 1.5,
                             .deadColumns = 3});
    const std::filesystem::path file = folder / "cells" / outputPlace("eager") / kLayerReportFile;
    ASSERT_TRUE(writeFileAtomically(file, jsonText(toJson(report))).ok());
    EXPECT_THAT(tableOf(data), testing::ElementsAre(HasSubstr(",0.125,1.5,3,")));
}

TEST(LayersTable, SaysWhereNoKernelRuns)
{
    const tests::TestFolder folder;
    RunData data = reportedRun(folder.path());
    resultOf(data, "fused").notes = {{NoteCode::ReferenceFused, {std::string("encoder")}}};
    for (const std::string& line : tableOf(data))
        EXPECT_THAT(line, HasSubstr("," + fusedProductText({}) + ",\r"));
}

std::vector<std::string> layersOf(const std::string& stage)
{
    std::vector<std::string> modules;
    for (int block = 0; block < (stage == "encoder" ? 4 : 24); ++block) {
        for (const char* layer : {"attn.qkv_proj", "attn.out_proj", "ffn.fc1", "ffn.fc2"})
            modules.push_back(stage + "_blocks." + std::to_string(block) + "." + layer);
    }
    return modules;
}

// Kernels name the first of their modules alone: of what was measured, all layers are found.
TEST(LayersTable, FindsTheKernelOfEachLayerOfTheExamples)
{
    int stages = 0;
    for (const char* name : {"vitok_350m_modes_h200", "vitok_350m_modes_b1_h200"}) {
        const RunData data = readRunFolder(std::filesystem::path(QS_EXAMPLE_RUNS) / name).value();
        for (const Measurement& row : data.measurements) {
            for (const StageCompile& compile : row.result.compiles) {
                if (compile.kernels.empty())
                    continue;
                ++stages;
                LayerReport report;
                for (const std::string& module : layersOf(compile.stage))
                    report.layers.push_back({.stage = compile.stage,
                                             .module = module,
                                             .scheme = "one",
                                             .weightShape = {}});
                noteFused(row.result.compiles, row.result.notes, report);
                for (const ReportedLayer& layer : report.layers)
                    EXPECT_EQ(layer.fused.size(), 1U) << row.cellId << " " << layer.module;
            }
        }
    }
    EXPECT_GT(stages, 20);
}

}  // namespace
}  // namespace qs::core
