#include "core/measure/layer_report.h"

#include "core/base/files.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

LayerReport report()
{
    ReportedLayer layer{.stage = "decoder",
                        .module = "decoder_blocks.3.ffn.fc1",
                        .scheme = "int8dq",
                        .weightShape = {688, 256},
                        .bytesBefore = 353'632,
                        .bytesAfter = 180'256,
                        .scale = {0.001, 0.002, 0.003, 688},
                        .codes = 176'128,
                        .saturated = 688,
                        .underflown = 12,
                        .weightError = 0.0075,
                        .localError = 0.01,
                        .cumulativeError = 0.02};
    ReportedLayer unknown = layer;
    unknown.module = "decoder_blocks.3.ffn.fc2";
    unknown.weightError = unknown.cumulativeError = std::nullopt;
    ReportedLayer solved = layer;
    solved.module = "decoder_blocks.3.attn.qkv_proj";
    solved.solverLoss = 0.125;
    solved.solverSeconds = 1.5;
    solved.deadColumns = 0;
    solved.roundedToNearest = false;
    ReportedLayer rounded = solved;
    rounded.module = "decoder_blocks.3.attn.out_proj";
    rounded.solverLoss = std::nullopt;
    rounded.deadColumns = 3;
    rounded.roundedToNearest = true;
    return {.samples = 2, .seconds = 0.25, .layers = {layer, unknown, solved, rounded}};
}

TEST(LayerReports, ComeBackAsTheyWere)
{
    const tests::TestFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder / kLayerReportFile, jsonText(toJson(report()), 1)).ok());
    const auto read = readLayerReport(folder / kLayerReportFile);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read.value(), report());
}

// The file may come from anybody.
TEST(LayerReports, WhatIsNotOneIsRefused)
{
    const auto changed = [](auto change) {
        Json json = toJson(report());
        change(json);
        return layerReportFromJson(json);
    };
    EXPECT_TRUE(changed([](Json&) {}).ok());
    for (const auto& result :
         {changed([](Json& json) { json["schema_version"] = 2; }),
          changed([](Json& json) { json.erase("schema_version"); }),
          changed([](Json& json) { json["layers"] = 1; }),
          changed([](Json& json) { json["layers"][0] = 1; }),
          changed([](Json& json) { json["layers"][0]["what"] = 1; }),
          changed([](Json& json) { json["layers"][0]["saturated"] = -1; }),
          changed([](Json& json) { json["layers"][0]["weight_shape"] = {1.5}; }),
          changed([](Json& json) { json["layers"][0]["local_error"] = "much"; }),
          changed([](Json& json) { json["layers"][2]["solver_loss"] = -1.0; }),
          changed([](Json& json) { json["layers"][2]["solver_seconds"] = -1.0; }),
          changed([](Json& json) { json["layers"][2]["dead_columns"] = 0.5; }),
          changed([](Json& json) { json["layers"][2]["rounded_to_nearest"] = 1; }),
          changed([](Json& json) { json["layers"][0].erase("scale"); })})
        EXPECT_FALSE(result.ok());
}

// "a" ran in bf16, it is known; one of "b" and "c" did not run as asked, it is not known which.
TEST(LayerReport, SaysWhatLayersRanIn)
{
    LayerReport report;
    for (const char* module : {"a", "b", "c"})
        report.layers.push_back(
            {.stage = "encoder", .module = module, .scheme = "int8dq", .weightShape = {4, 4}});
    LayerReport some = report;
    ExecutedStage stage{
        .stage = "encoder", .scheme = "int8dq", .activationRule = "", .products = {}};
    noteExecuted({stage}, report);
    for (const ReportedLayer& layer : report.layers) {
        EXPECT_EQ(layer.executed, "int8dq");
        EXPECT_FALSE(layer.mismatch);
    }
    stage.strays = {{.module = "a", .operation = "aten::linear", .type = DType::BFloat16},
                    {.calls = 1}};
    noteExecuted({stage}, some);
    EXPECT_EQ(some.layers[0].executed, "bfloat16");
    EXPECT_TRUE(some.layers[0].mismatch);
    EXPECT_EQ(some.layers[1].executed, "") << "not known";
    const auto back = layerReportFromJson(toJson(some));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back.value(), some);
    noteExecuted({stage}, report);
    EXPECT_TRUE(report.layers[0].mismatch) << "of any cell";
    EXPECT_EQ(report.layers[1].executed, "int8dq");
}

}  // namespace
}  // namespace qs::core
