// What compile mode fused computes the product of each layer in.
#include "core/measure/fused_layers.h"

#include "core/measure/compile_record.h"
#include "core/measure/layer_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kPlain{"_int_mm", "mul"};
const std::vector<std::string> kGate{"_int_mm", "mul", "silu", "mul"};

LayerReport reportOf(const std::vector<std::string>& modules)
{
    LayerReport report;
    for (const std::string& module : modules)
        report.layers.push_back(
            {.stage = "encoder", .module = module, .scheme = "int8dq", .weightShape = {}});
    return report;
}

StageCompile stageOf(std::vector<KernelChoice> kernels)
{
    StageCompile stage;
    stage.stage = "encoder";
    stage.kernels = std::move(kernels);
    return stage;
}

TEST(FusedLayers, AreThoseOfTheModuleOrOfItsLikeInAnotherBlock)
{
    LayerReport report = reportOf({"blocks.0.fc1", "blocks.12.fc1", "blocks.13.fc1", "head"});
    noteFused(
        {stageOf({{.kernel = "qs_norm", .module = "blocks.0.fc1", .operations = {"mul"}},
                  {.kernel = "qs_gate", .module = "blocks.0.fc1", .operations = kGate, .calls = 2},
                  {.kernel = "qs_last", .module = "blocks.13.fc1", .operations = kPlain},
                  {.module = "head", .operations = {"linear"}, .why = Unfused::Shape}})},
        {}, report);
    EXPECT_THAT(report.layers[0].fused, ElementsAre(FusedProduct{"qs_gate", kGate}));
    EXPECT_THAT(report.layers[1].fused, ElementsAre(FusedProduct{"qs_gate", kGate}));
    EXPECT_THAT(report.layers[2].fused, ElementsAre(FusedProduct{"qs_last", kPlain}));
    EXPECT_THAT(report.layers[3].fused, ElementsAre(FusedProduct{"", {"linear"}, Unfused::Shape}));
}

// Equal products of other modules are counted with the first.
TEST(FusedLayers, AreOfTheOnlyProductWithCallsLeft)
{
    const std::vector<KernelChoice> kernels{
        {.kernel = "qs_gate", .module = "blocks.0.fc1", .operations = {"mm", "silu"}, .calls = 2},
        {.module = "blocks.0.q", .operations = {"mm"}, .calls = 4, .why = Unfused::Library},
        {.module = "embed", .operations = {"linear"}, .calls = 2, .why = Unfused::Library}};
    const std::vector<std::string> modules{"blocks.0.q",   "blocks.1.q",   "blocks.0.fc1",
                                           "blocks.1.fc1", "blocks.0.fc2", "blocks.1.fc2"};
    LayerReport report = reportOf(modules);
    noteFused({stageOf(kernels)}, {}, report);
    EXPECT_THAT(report.layers[4].fused, ElementsAre(FusedProduct{"", {"mm"}, Unfused::Library}));
    EXPECT_EQ(report.layers[5].fused, report.layers[4].fused);
    EXPECT_EQ(report.layers[3].fused.front().kernel, "qs_gate");

    // Two have calls left: it is not known which.
    report = reportOf(modules);
    std::vector<KernelChoice> more = kernels;
    more.push_back({.kernel = "qs_other", .module = "tail", .operations = {"mm", "add"}});
    more.front().calls = 3;
    noteFused({stageOf(more)}, {}, report);
    EXPECT_THAT(report.layers[4].fused, IsEmpty());
    EXPECT_EQ(report.layers[0].fused.size(), 1U);

    // More layers than calls.
    report = reportOf(modules);
    more = kernels;
    more[1].calls = 3;
    noteFused({stageOf(more)}, {}, report);
    EXPECT_THAT(report.layers[4].fused, IsEmpty());
}

TEST(FusedLayers, HaveTheKernelsOfAllCells)
{
    LayerReport report = reportOf({"fc"});
    const auto note = [&](const char* kernel) {
        noteFused({stageOf({{.kernel = kernel, .module = "fc", .operations = kPlain}})}, {},
                  report);
    };
    note("qs_product_int8_64x64");
    note("qs_product_int8_128x96");
    note("qs_product_int8_64x64");
    EXPECT_THAT(report.layers[0].fused,
                ElementsAre(FusedProduct{"qs_product_int8_64x64", kPlain},
                            FusedProduct{"qs_product_int8_128x96", kPlain}));
    const auto back = layerReportFromJson(toJson(report));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back.value(), report);
    Json damaged = toJson(report);
    damaged["layers"][0]["fused"][0]["why"] = "beauty";
    EXPECT_FALSE(layerReportFromJson(damaged).ok());
}

TEST(FusedLayers, OfAProcessorRunOperationByOperation)
{
    LayerReport report = reportOf({"fc"});
    noteFused({}, {{NoteCode::ReferenceFused, {std::string("decoder")}}}, report);
    EXPECT_THAT(report.layers[0].fused, IsEmpty());
    noteFused({}, {{NoteCode::ReferenceFused, {std::string("encoder")}}}, report);
    EXPECT_THAT(report.layers[0].fused, ElementsAre(FusedProduct()));
    EXPECT_EQ(layerReportFromJson(toJson(report)).value(), report);
}

}  // namespace
}  // namespace qs::core
