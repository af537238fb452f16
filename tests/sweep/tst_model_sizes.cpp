// The sizes of models that take no images go the way of the image size: cells, axes, plans.

#include "core/model/catalogue.h"
#include "core/sweep/cell_member.h"
#include "core/sweep/impossible_values.h"
#include "core/sweep/plan.h"
#include "tests/support/test_folder.h"
#include "tests/sweep/small_computer.h"
#include "tests/sweep/told.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace qs::core {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

constexpr const char* kLlama = "llama:w32_d2_h4_k2_f48_v80_c256";

Preset presetOf(const std::string& model, std::vector<Axis> axes)
{
    Preset preset;
    preset.name = "sizes";
    preset.defaults = {.model = model, .precision = {"bf16"}};
    preset.axes = std::move(axes);
    preset.noiseFloor = false;
    return preset;
}

Plan planned(const Preset& preset)
{
    const auto plan = makePlan(preset, {{smallComputer()}, tests::dataFile("../resources")});
    EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().message);
    return plan.ok() ? plan.value() : Plan{};
}

TEST(ModelSizes, AreAxesBesideTheImageSize)
{
    EXPECT_THAT(axisNames(), testing::IsSupersetOf({"image_size", "prompt_tokens", "new_tokens"}));
    EXPECT_TRUE(isWholeNumberAxis("new_tokens"));
    EXPECT_EQ(normalValue("new_tokens", "08").value(), "8");
    CellConfig cell{.model = kLlama, .precision = {"bf16"}, .sizes = {}};
    EXPECT_EQ(memberText(cell, "new_tokens"), "");
    ASSERT_TRUE(setMember(cell, "new_tokens", "5").ok());
    EXPECT_EQ(memberText(cell, "new_tokens"), "5");
    EXPECT_EQ(cell.imageSize(), 0);
}

TEST(ModelSizes, OfACellReadBack)
{
    for (const Sizes& sizes :
         {Sizes{{"prompt_tokens", 8}, {"new_tokens", 4}}, Sizes{{"image_size", 32}}, Sizes{}}) {
        const CellConfig cell{.model = "m", .precision = {"bf16"}, .sizes = sizes};
        const Json json = toJson(cell);
        EXPECT_EQ(json.contains("image_size"), sizes.find("image_size").has_value());
        std::vector<JsonIssue> issues;
        EXPECT_EQ(cellFromJson(json, "$", issues), cell);
        EXPECT_THAT(issues, IsEmpty());
    }
    std::vector<JsonIssue> issues;
    const Json unnamed{{"model", "m"}};
    EXPECT_EQ(cellFromJson(unnamed, "$", issues).imageSize(), 256) << "the usual one";
}

TEST(ModelSizes, APlanCompletesThemAndDropsThoseOfOtherModels)
{
    const Plan plan = planned(presetOf(kLlama, {{"new_tokens", {"2", "9"}}}));
    ASSERT_EQ(plan.cells.size(), 2U);
    for (const PlannedCell& cell : plan.cells) {
        EXPECT_TRUE(cell.possible()) << told(cell.impossible);
        EXPECT_EQ(cell.config.sizes.find("image_size"), std::nullopt);
        EXPECT_EQ(cell.config.sizes.find("prompt_tokens"), 128);
    }
    EXPECT_NE(plan.cells[0].id, plan.cells[1].id);
    // As it is read back from its file.
    const Plan again = planFromJson(toJson(plan)).value();
    for (std::size_t i = 0; i < plan.cells.size(); ++i)
        EXPECT_EQ(again.cells[i].config, plan.cells[i].config);
}

// The table of 80 rows of 32 is read where tokens ask for it; prompt and decode read the same rest.
TEST(ModelSizes, APassReadsAFewRowsOfATable)
{
    Preset preset = presetOf(kLlama, {{"precision", {"bf16", "int8wo"}}});
    preset.defaults.sizes.set("prompt_tokens", 4);
    preset.defaults.sizes.set("new_tokens", 2);
    const Plan plan = planned(preset);
    for (const PlannedCell& cell : plan.cells) {
        const std::int64_t table = std::int64_t{2} * 80 * 32;
        EXPECT_LT(*cell.weightBytesRead, cell.weightBytes - table / 2);
        EXPECT_GT(*cell.weightBytesRead, (cell.weightBytes - table) * 9 / 10);
    }
    EXPECT_LT(plan.cells[1].weightBytesRead, plan.cells[0].weightBytesRead);
}

TEST(ModelSizes, EachFurtherTokenIsWork)
{
    Preset preset = presetOf(kLlama, {{"new_tokens", {"1", "2", "3"}}});
    preset.defaults.sizes.set("prompt_tokens", 16);
    const Plan plan = planned(preset);
    ASSERT_EQ(plan.cells.size(), 3U);
    for (const PlannedCell& cell : plan.cells) {
        EXPECT_TRUE(cell.possible()) << told(cell.impossible);
        EXPECT_EQ(cell.referenceId, cell.id);
        EXPECT_GT(cell.estimatedSeconds, 0.0);
    }
    // One token more is one decode more, whose cache has grown by one entry.
    const double first = plan.cells[1].flops - plan.cells[0].flops;
    const double second = plan.cells[2].flops - plan.cells[1].flops;
    EXPECT_GT(first, 0.0);
    EXPECT_NEAR(second / first, 1.0, 0.02);
}

TEST(ModelSizes, AnAxisThatTheModelDoesNotHaveMakesItsCellsImpossible)
{
    const Plan plan = planned(presetOf(kLlama, {{"image_size", {"32", "64"}}}));
    ASSERT_EQ(plan.cells.size(), 2U);
    for (const PlannedCell& cell : plan.cells)
        EXPECT_THAT(told(cell.impossible), HasSubstr("image_size"));
    const Plan images = planned(presetOf("resnet:10/7", {{"new_tokens", {"4"}}}));
    EXPECT_THAT(told(images.cells.front().impossible), HasSubstr("new_tokens"));
}

TEST(ModelSizes, ValuesThatTheModelCannotTakeAreTold)
{
    const Preset preset =
        presetOf(kLlama, {{"prompt_tokens", {"8", "255"}}, {"new_tokens", {"4", "5"}}});
    const auto reasons =
        impossibleValues(preset, {{smallComputer()}, tests::dataFile("../resources")});
    ASSERT_TRUE(reasons.contains("prompt_tokens"));
    EXPECT_THAT(reasons.at("prompt_tokens"), Contains(Key("255")));
    EXPECT_THAT(reasons.at("prompt_tokens"), testing::Not(Contains(Key("8"))));
    EXPECT_FALSE(reasons.contains("image_size")) << "nobody asked for it";
}

TEST(ModelSizes, PrecisionsOfStagesGoByTheNamesOfTheFamily)
{
    const auto read = [](const Json& json) {
        std::vector<JsonIssue> issues;
        const auto text = valueFromJson("precision", json, "$", issues);
        return text ? *text : formatIssues(issues);
    };
    EXPECT_EQ(read({{"prefill", "bf16"}, {"decode", "int8wo"}}), "bf16/int8wo");
    EXPECT_EQ(read({{"encoder", "int8dq"}, {"decoder", "bf16"}}), "int8dq/bf16");
    EXPECT_THAT(read({{"prefill", "bf16"}}), HasSubstr("decode"));
    EXPECT_THAT(read({{"anything", "bf16"}}), HasSubstr("anything"));
}

TEST(ModelSizes, AClassifierIsPlannedWithItsConvolutions)
{
    const Plan plan =
        planned(presetOf("resnet:18/10", {{"precision", {"bf16", "int8wo", "int8dq"}}}));
    std::set<std::string> possible;
    for (const PlannedCell& cell : plan.cells) {
        if (cell.possible())
            possible.insert(precisionText(cell.config));
        else
            EXPECT_THAT(told(cell.impossible), HasSubstr("int8dq has no convolution"));
        EXPECT_EQ(cell.config.imageSize(), 256) << "the sweep's own, not the family's";
    }
    EXPECT_EQ(possible, (std::set<std::string>{"bf16", "int8wo"}));
}

TEST(ModelSizes, ThatAreOffAreNoPartOfACell)
{
    const std::string model = "vitok:w64_d1_h4/1x8x16";
    Preset preset = presetOf(model, {});
    preset.defaults.sizes = {{"image_size", 64}};
    const Plan plain = planned(preset);
    EXPECT_EQ(plain.cells.front().config.sizes, (Sizes{{"image_size", 64}}));
    preset.axes = {{"attention_window", {"0", "4"}}, {"image_height", {"32", "72"}}};
    const Plan swept = planned(preset);
    ASSERT_EQ(swept.cells.size(), 4U);
    for (const PlannedCell& cell : swept.cells) {
        EXPECT_NE(cell.id, plain.cells.front().id);
        EXPECT_EQ(cell.config.sizes.find("token_budget"), std::nullopt);
        EXPECT_EQ(cell.possible(), cell.config.sizes.at("image_height") == 32)
            << told(cell.impossible);
    }
}

TEST(ModelSizes, GenerateNeedsAModelThatDoes)
{
    Preset preset = presetOf(kLlama, {{"workload", {"forward", "generate"}}});
    const Plan text = planned(preset);
    ASSERT_EQ(text.cells.size(), 2U);
    EXPECT_EQ(text.cells[0].config.sizes.at("new_tokens"), 0);
    EXPECT_EQ(text.cells[1].config.sizes.at("new_tokens"), 32);
    for (const PlannedCell& cell : text.cells) {
        EXPECT_TRUE(cell.possible()) << told(cell.impossible);
        EXPECT_EQ(cell.config.workload, "pass");
    }
    preset.defaults.model = "vitok:w64_d1_h4/1x8x16";
    const Plan images = planned(preset);
    ASSERT_EQ(images.cells.size(), 2U);
    EXPECT_TRUE(images.cells[0].possible()) << told(images.cells[0].impossible);
    ASSERT_TRUE(images.cells[1].impossible);
    EXPECT_EQ(images.cells[1].impossible->code, NoteCode::NoSuchSize);
}

}  // namespace
}  // namespace qs::core
