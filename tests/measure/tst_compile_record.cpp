#include "core/measure/cell_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

CellResult compiledExample()
{
    CellResult result;
    StageCompile stage;
    stage.stage = "encoder";
    stage.content = "abc";
    stage.coldSeconds = 34.5;
    stage.warmSeconds = 23.25;
    stage.coldParts = {{"import", 6.5}, {"compile", 28.0}};
    stage.products = {{"aten::_int_mm", DType::Int32, 10, {}, {"blocks.0.fc1.weight:codes", "#0"}},
                      {"aten::linear", DType::BFloat16, 2, {}}};
    stage.distanceToEager = 0.0125;
    stage.distanceLimit = 0.15;
    stage.bf16FromFp32 = 0.008;
    stage.together = CompiledTogether{"both", 2, 40.0, 25.5};
    result.compiles = {stage, stage};
    result.compiles[1].stage = "decoder";
    result.compiles[1].kernels = {
        {.kernel = "qs_linear",
         .shape = "128x256_s3",
         .seconds = 2.5,
         .kept = true,
         .module = "blocks.0.fc",
         .operations = {"linear", "add"},
         .calls = 24},
        {.module = "head", .operations = {"linear"}, .calls = 3, .why = Unfused::Library}};
    result.compiles[1].fromCache = true;
    result.compiles[1].bf16FromFp32 = {};
    return result;
}

TEST(CompileRecord, ReadsBack)
{
    const auto back = cellResultFromJson(toJson(compiledExample()));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back.value().compiles, compiledExample().compiles);
    EXPECT_FALSE(toJson(CellResult()).contains("compiles")) << "most rows have none";
}

TEST(CompileRecord, DamagedOnesAreRefusedWithTheirPlace)
{
    const auto refused = [](const char* member, Json value) {
        Json json = toJson(compiledExample());
        json["compiles"][1][member] = std::move(value);
        const auto back = cellResultFromJson(json);
        return back.ok() ? std::string() : back.error().message;
    };
    EXPECT_THAT(refused("cold_s", -1.0), ::testing::HasSubstr("cold_s"));
    EXPECT_THAT(refused("cold_s", "long"), ::testing::HasSubstr("cold_s"));
    EXPECT_THAT(
        refused("products",
                Json::array({{{"operation", "aten::mm"}, {"type", "bfloat61"}, {"count", 1}}})),
        ::testing::HasSubstr("type"));
    EXPECT_THAT(refused("together", {{"id", "both"}, {"cold_s", -1.0}}),
                ::testing::HasSubstr("together.cold_s"));
    EXPECT_THAT(refused("cold_parts", 5), ::testing::HasSubstr("cold_parts"));
    EXPECT_THAT(refused("kernels", Json::array({{{"kernel", "qs"}, {"seconds", -1.0}}})),
                ::testing::HasSubstr("seconds"));
    EXPECT_THAT(refused("kernels", Json::array({{{"kernel", ""}, {"why", "moon"}}})),
                ::testing::HasSubstr("why"));
    EXPECT_THAT(refused("stranger", 5), ::testing::HasSubstr("stranger"));
}

}  // namespace
}  // namespace qs::core
