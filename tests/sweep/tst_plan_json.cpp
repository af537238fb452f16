#include "core/sweep/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace qs::core {
namespace {

using testing::HasSubstr;

PlannedCell cellNamed(const std::string& id, double seconds)
{
    PlannedCell cell;
    cell.id = id;
    cell.config = {.model = "demo", .precision = {"bf16", "int8dq"}, .batch = 4, .seed = 3};
    cell.referenceId = "reference";
    cell.estimatedSeconds = seconds;
    return cell;
}

Plan smallPlan()
{
    Plan plan;
    plan.preset.name = "small";
    plan.preset.defaults.model = "demo";
    plan.preset.defaults.precision = {"bf16"};
    plan.preset.rounds = 3;
    PlannedCell reference = cellNamed("reference", 2.5);
    reference.role = CellRole::QualityReference;
    reference.config.precision = {"bf16"};
    reference.flops = 1.25e12;
    reference.weightBytes = 700'000'000'000;
    reference.trained = true;
    PlannedCell rerun = reference;
    rerun.id = "again";
    rerun.role = CellRole::NoiseFloor;
    rerun.rerun = 1;
    PlannedCell swept = cellNamed("swept", 0.1);
    swept.notes = {{NoteCode::RowsPadded, {1.0, 17.0}}, {NoteCode::Remark, {"\"quoted\" µ"}}};
    PlannedCell impossible = cellNamed("impossible", 1000.0);
    impossible.impossible = remark("There is no cuda:1 here.");
    plan.cells = {swept, reference, rerun, impossible};
    plan.devices = {commonGpus().front(), describeCpu()};
    return plan;
}

std::string refusal(const Json& json)
{
    const auto plan = planFromJson(json);
    return plan.ok() ? "accepted" : plan.error().message;
}

TEST(PlanJson, ReadsWhatItWrote)
{
    Plan plan = smallPlan();
    plan.cells[1].stageFlops = {0.25e12, 1.0e12};
    plan.cells[1].weightBytesRead = 600'000'000'000;
    plan.cells[1].architecture = "vitok:w64_d1_h4/1x8x16";
    const std::string text = toJson(plan).dump();
    const auto again = planFromJson(parseJson(text, "plan").value());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(toJson(again.value()).dump(), text);
    ASSERT_EQ(again.value().cells.size(), plan.cells.size());
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
        const PlannedCell& before = plan.cells[i];
        const PlannedCell& after = again.value().cells[i];
        EXPECT_EQ(after.id, before.id);
        EXPECT_EQ(after.config, before.config);
        EXPECT_EQ(after.role, before.role);
        EXPECT_EQ(after.rerun, before.rerun);
        EXPECT_EQ(after.referenceId, before.referenceId);
        EXPECT_EQ(after.impossible, before.impossible);
        EXPECT_EQ(after.notes, before.notes);
        EXPECT_EQ(after.estimatedSeconds, before.estimatedSeconds);
        EXPECT_EQ(after.flops, before.flops);
        EXPECT_EQ(after.stageFlops, before.stageFlops);
        EXPECT_EQ(after.weightBytes, before.weightBytes);
        EXPECT_EQ(after.weightBytesRead, before.weightBytesRead);
        EXPECT_EQ(after.modelName(), before.modelName());
        EXPECT_EQ(after.trained, before.trained);
    }
    EXPECT_EQ(again.value().devices.front().name, "NVIDIA H200");
    EXPECT_EQ(again.value().preset.rounds, 3);
}

TEST(PlanJson, EveryMemberIsNeeded)
{
    const Json whole = toJson(smallPlan());
    for (const auto& [name, value] : whole.items()) {
        Json damaged = whole;
        damaged.erase(name);
        EXPECT_THAT(refusal(damaged),
                    HasSubstr(name == "schema_version" ? "no schema version"
                                                       : "$." + name + ": is missing"));
    }
    for (const auto& [name, value] : whole["cells"][1].items()) {
        Json damaged = whole;
        damaged["cells"][1].erase(name);
        EXPECT_THAT(refusal(damaged), HasSubstr("$.cells[1]." + name + ": is missing"));
    }
    for (const auto& [name, value] : whole["cells"][1]["configuration"].items()) {
        Json damaged = whole;
        damaged["cells"][1]["configuration"].erase(name);
        EXPECT_THAT(refusal(damaged),
                    HasSubstr(name == "image_size"
                                  ? "$.cells[1].configuration: has no size"
                                  : "$.cells[1].configuration." + name + ": is missing"));
    }
}

TEST(PlanJson, NoMemberMayBeUnknown)
{
    for (const char* place : {"/colour", "/cells/0/colour", "/cells/0/configuration/colour",
                              "/devices/0/colour", "/preset/colour"}) {
        Json json = toJson(smallPlan());
        json[Json::json_pointer(place)] = "red";
        EXPECT_THAT(refusal(json), HasSubstr("colour: is not a known member")) << place;
    }
}

TEST(PlanJson, EachComplaintSaysWhere)
{
    const auto damaged = [](const char* place, const Json& value) {
        Json json = toJson(smallPlan());
        json[Json::json_pointer(place)] = value;
        return refusal(json);
    };
    EXPECT_THAT(damaged("/cells/0/role", "king"),
                HasSubstr("$.cells[0].role: expected one of swept, quality-reference, "
                          "noise-floor; found \"king\""));
    EXPECT_THAT(damaged("/cells/2/rerun", -1), HasSubstr("$.cells[2].rerun"));
    EXPECT_THAT(damaged("/cells/0/flops", "many"), HasSubstr("$.cells[0].flops"));
    EXPECT_THAT(damaged("/cells/0/flops", std::numeric_limits<double>::infinity()),
                HasSubstr("$.cells[0].flops"));
    EXPECT_THAT(damaged("/cells/0/estimated_seconds", -0.5),
                HasSubstr("$.cells[0].estimated_seconds"));
    EXPECT_THAT(damaged("/cells/0/weight_bytes", -1), HasSubstr("$.cells[0].weight_bytes"));
    EXPECT_THAT(damaged("/cells/0/notes", Json::array({7})), HasSubstr("$.cells[0].notes"));
    EXPECT_THAT(damaged("/cells/0/trained", 1), HasSubstr("$.cells[0].trained"));
    EXPECT_THAT(damaged("/cells/0/configuration/batch", 0),
                HasSubstr("$.cells[0].configuration.batch"));
    EXPECT_THAT(damaged("/cells/3", 5), HasSubstr("$.cells[3]: expected an object"));
    EXPECT_THAT(damaged("/cells", 5), HasSubstr("$.cells: expected a list, found number"));
    EXPECT_THAT(damaged("/preset/rounds", 0), HasSubstr("$.preset.rounds"));
    EXPECT_THAT(damaged("/devices/1/kind", "tpu"), HasSubstr("$.devices[1]: $device.kind"));
    EXPECT_EQ(damaged("/schema_version", 2), "schema version 2, but this program reads version 1");
    EXPECT_EQ(damaged("/schema_version", 0), "schema version 0, but this program reads version 1");
    EXPECT_THAT(damaged("/schema_version", "1"), HasSubstr("schema version \"1\", but"));
    EXPECT_THAT(refusal(Json(3)), HasSubstr("no schema version, but"));
}

TEST(PlanJson, IdsAreUniqueAndReferencesArePartOfThePlan)
{
    Plan plan = smallPlan();
    plan.cells[2].id = plan.cells[0].id;
    EXPECT_THAT(refusal(toJson(plan)),
                HasSubstr("$.cells[2].id: \"swept\" is also the id of an earlier cell"));
    plan = smallPlan();
    plan.cells[0].id.clear();
    EXPECT_THAT(refusal(toJson(plan)), HasSubstr("$.cells[0].id: is empty"));
    plan = smallPlan();
    plan.cells[0].referenceId = "elsewhere";
    EXPECT_THAT(refusal(toJson(plan)),
                HasSubstr("$.cells[0].reference_id: \"elsewhere\" is not a cell of this plan"));
    plan.cells[0].referenceId.clear();
    EXPECT_EQ(refusal(toJson(plan)), "accepted");
}

TEST(Plan, FindsCellsByTheirIds)
{
    const Plan plan = smallPlan();
    EXPECT_EQ(plan.find("impossible"), &plan.cells[3]);
    EXPECT_EQ(plan.find("base"), nullptr);
    EXPECT_EQ(Plan{}.find(""), nullptr);
}

TEST(Plan, CountsOnlyWhatCanRun)
{
    const Plan plan = smallPlan();
    EXPECT_EQ(plan.possibleCells(), 3);
    EXPECT_DOUBLE_EQ(plan.estimatedSeconds(), 3 * (0.1 + 2.5 + 2.5));
}

}  // namespace
}  // namespace qs::core
