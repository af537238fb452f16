#include "core/measure/execution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<ExecutedStage> executedExample()
{
    return {
        {.stage = "encoder",
         .scheme = "int8dq",
         .matched = 3,
         .layers = 4,
         .activationRule = "absmax / 127.5",
         .products = {{"aten::_int_mm", DType::Int32, 3, 3}, {"aten::mm", DType::BFloat16, 2, {}}},
         .strays = {{.module = "blocks.0.fc1",
                     .weightShape = {256, 64},
                     .calls = 1,
                     .operation = "aten::linear",
                     .type = DType::BFloat16},
                    {.weightShape = {64, 64}, .calls = 2}}},
        {.stage = "decoder",
         .scheme = "bf16",
         .matched = 0,
         .layers = 4,
         .activationRule = "",
         .products = {{"aten::mm", DType::BFloat16, 4, 4},
                      {"aten::_int_mm", DType::Int32, 1, {}}}}};
}

std::vector<ExecutedStage> readBack(const Json& list, std::vector<JsonIssue>& issues)
{
    const Json json{{"executed", list}};
    JsonFields fields(json, "$", issues);
    return executedFromJson(fields, "executed", issues);
}

TEST(Execution, SurvivesItsJson)
{
    std::vector<JsonIssue> issues;
    EXPECT_EQ(readBack(parseJson(toJson(executedExample()).dump(), "t").value(), issues),
              executedExample());
    EXPECT_THAT(readBack(toJson(std::vector<ExecutedStage>()), issues), IsEmpty());
    EXPECT_TRUE(issues.empty()) << formatIssues(issues);
}

TEST(Execution, DamageIsNamed)
{
    const std::pair<const char*, Json> ofStage[] = {
        {"stage", 1},    {"scheme", Json::array()},      {"matched", -1}, {"layers", "4"},
        {"products", 3}, {"products", Json::array({7})}, {"speed", 1}};
    for (const auto& [member, value] : ofStage) {
        Json list = toJson(executedExample());
        list[1][member] = value;
        std::vector<JsonIssue> issues;
        static_cast<void>(readBack(list, issues));
        ASSERT_FALSE(issues.empty()) << member << " " << value.dump();
        EXPECT_THAT(issues.front().path, StartsWith(std::string("$.executed[1].") + member));
    }
    const std::pair<const char*, Json> ofProduct[] = {
        {"operation", 1}, {"type", "int5"}, {"type", 32}, {"ran", -1}, {"expected", "3"}, {"x", 1}};
    for (const auto& [member, value] : ofProduct) {
        Json list = toJson(executedExample());
        list[0]["products"][1][member] = value;
        std::vector<JsonIssue> issues;
        static_cast<void>(readBack(list, issues));
        ASSERT_FALSE(issues.empty()) << member << " " << value.dump();
        EXPECT_THAT(issues.front().path,
                    StartsWith(std::string("$.executed[0].products[1].") + member));
    }
    std::vector<JsonIssue> issues;
    static_cast<void>(readBack("encoder int8dq 3/4 layers", issues));
    EXPECT_FALSE(issues.empty());
}

TEST(Execution, ProductsAddUpOverStages)
{
    EXPECT_THAT(productsOf(executedExample()),
                ElementsAre(ExecutedProduct{"aten::_int_mm", DType::Int32, 4, 3},
                            ExecutedProduct{"aten::mm", DType::BFloat16, 6, 4}));
    EXPECT_THAT(productsOf({}), IsEmpty());
}

TEST(Execution, AMismatchIsMetInItsStage)
{
    std::vector<ExecutedStage> stages = executedExample();
    EXPECT_FALSE(anyMismatch(stages)) << "the sums of both stages differ, which is no matter";
    stages[1].products[0].ran = 3;
    EXPECT_FALSE(stages[0].mismatch());
    EXPECT_TRUE(stages[1].mismatch());
    EXPECT_TRUE(anyMismatch(stages));
    EXPECT_FALSE(anyMismatch({}));
}

TEST(Conditions, SurviveTheirJson)
{
    for (const CacheState cache : kCacheNames.values()) {
        for (const InputResidency inputs : kInputPlacements.values()) {
            const bool cold = cache == CacheState::Cold;
            const Conditions conditions{cache, cold, inputs,
                                        cold ? std::optional(3) : std::nullopt};
            std::vector<JsonIssue> issues;
            EXPECT_EQ(conditionsFromJson(toJson(conditions), "$", issues), conditions);
            EXPECT_TRUE(issues.empty()) << formatIssues(issues);
        }
    }
}

TEST(Conditions, DamageIsNamed)
{
    const std::pair<const char*, Json> cases[] = {
        {"l2_cache", "tepid"}, {"stream_held", "yes"}, {"inputs", "elsewhere"}, {"gpu", true}};
    for (const auto& [member, value] : cases) {
        Json json = toJson(Conditions());
        json[member] = value;
        std::vector<JsonIssue> issues;
        static_cast<void>(conditionsFromJson(json, "$", issues));
        ASSERT_FALSE(issues.empty()) << member;
        EXPECT_EQ(issues.front().path, std::string("$.") + member);
    }
    std::vector<JsonIssue> issues;
    static_cast<void>(conditionsFromJson(Json("warm L2, stream held"), "$", issues));
    EXPECT_FALSE(issues.empty());
}

}  // namespace
}  // namespace qs::core
