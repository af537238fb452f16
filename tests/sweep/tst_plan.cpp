#include "core/sweep/plan.h"
#include "tests/sweep/small_computer.h"

#include "core/base/sha256.h"
#include "core/model/catalogue.h"
#include "core/sweep/cell_member.h"
#include "tests/support/quantized_files.h"
#include "tests/support/test_folder.h"
#include "tests/sweep/checked_cell.h"
#include "tests/sweep/told.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace qs::core {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kPlannedModel = "vitok:w64_d1_h4/1x8x16";

const DeviceDescription& plannedH200()
{
    return commonGpus().front();
}

Preset presetOf(std::vector<Axis> axes)
{
    Preset preset;
    preset.name = "test";
    preset.defaults = {
        .model = kPlannedModel, .precision = {"bf16"}, .sizes = {{"image_size", 64}}};
    preset.axes = std::move(axes);
    return preset;
}

Plan planOf(const Preset& preset,
            std::vector<DeviceDescription> devices = {smallComputer(), plannedH200()})
{
    const auto plan = makePlan(preset, {std::move(devices), tests::dataFile("../resources")});
    EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().message);
    return plan.ok() ? plan.value() : Plan{};
}

std::string refusalOfPlan(const Preset& preset)
{
    const auto plan = makePlan(preset, {{smallComputer()}, tests::dataFile("../resources")});
    return plan.ok() ? "accepted" : plan.error().message;
}

const PlannedCell& cellIn(const Plan& plan, const std::string& precision, std::int64_t batch = 1)
{
    for (const PlannedCell& cell : plan.cells) {
        if (precisionText(cell.config) == precision && cell.config.batch == batch)
            return cell;
    }
    QS_ASSERT(false);
    return plan.cells.front();
}

TEST(MakePlan, GivesEachCellItsIdAndItsReference)
{
    const Plan plan = planOf(presetOf({{"precision", {"bf16", "int8dq"}}, {"batch", {"1", "4"}}}));
    const std::string content = openModel(kPlannedModel, {}, 42).value().model.contentId;
    std::set<std::string> ids;
    for (const PlannedCell& cell : plan.cells) {
        EXPECT_TRUE(ids.insert(cell.id).second) << cell.id;
        EXPECT_EQ(cell.id == cellId(cell.config, content), cell.rerun == 0);
        const PlannedCell* reference = plan.find(cell.referenceId);
        ASSERT_NE(reference, nullptr);
        EXPECT_EQ(reference->config, qualityReferenceOf(cell.config));
        EXPECT_EQ(reference->rerun, 0);
    }
    EXPECT_EQ(cellIn(plan, "bf16", 4).referenceId, cellIn(plan, "bf16", 4).id);
    EXPECT_EQ(cellIn(plan, "int8dq", 4).referenceId, cellIn(plan, "bf16", 4).id);
}

TEST(MakePlan, TheRerunOfTheReferenceHasAnIdOfItsOwn)
{
    const Plan plan = planOf(presetOf({}));
    const auto rerun = std::find_if(plan.cells.begin(), plan.cells.end(),
                                    [](const PlannedCell& cell) { return cell.rerun == 1; });
    ASSERT_NE(rerun, plan.cells.end());
    EXPECT_EQ(rerun->role, CellRole::NoiseFloor);
    EXPECT_EQ(rerun->config, cellIn(plan, "bf16").config);
    EXPECT_EQ(rerun->id, sha256Hex(cellIn(plan, "bf16").id + ":rerun1"));
    EXPECT_EQ(rerun->referenceId, cellIn(plan, "bf16").id);
}

TEST(MakePlan, SaysWhatEachCellCosts)
{
    const Plan plan =
        planOf(presetOf({{"precision", {"bf16", "fp32", "int8dq"}}, {"batch", {"1", "4"}}}));
    const PlannedCell bf16 = cellIn(plan, "bf16");
    EXPECT_GT(bf16.flops, 0.0);
    EXPECT_EQ(cellIn(plan, "bf16", 4).flops, 4.0 * bf16.flops);
    EXPECT_EQ(cellIn(plan, "int8dq").flops, bf16.flops);  // of the shape, not of the scheme
    EXPECT_EQ(cellIn(plan, "fp32").weightBytes, 2 * bf16.weightBytes);
    EXPECT_LT(cellIn(plan, "int8dq").weightBytes, bf16.weightBytes);
    EXPECT_GT(bf16.estimatedSeconds, 1.0);
    EXPECT_FALSE(bf16.trained);
}

// Each cell of such a plan.
void expectRules(const Preset& preset)
{
    const Plan plan = planOf(preset);
    const Model model = openModel(kPlannedModel, {}, 42).value().model;
    int possible = 0;
    for (const PlannedCell& cell : plan.cells) {
        const Validity expected =
            checkCell(cell.config, model,
                      makeRecipe(*model.family, cell.config.precision, cell.config.layers).value(),
                      cell.config.device == "cpu" ? smallComputer() : plannedH200());
        EXPECT_EQ(cell.impossible, expected.impossible);
        std::vector<Note> notes = cell.notes;
        std::erase_if(notes, [](const Note& note) { return note.code == NoteCode::SameFilters; });
        EXPECT_EQ(notes, expected.notes);
        EXPECT_EQ(cell.estimatedSeconds > 0.0, expected.possible());
        possible += expected.possible() ? 1 : 0;
    }
    EXPECT_EQ(plan.possibleCells(), possible);
    EXPECT_GT(possible, 0);
    EXPECT_LT(possible, static_cast<int>(plan.cells.size()));
}

// What runs a layer, and which layers of which images: all of both at once would be thrice as many
// cells.
TEST(MakePlan, AgreesWithTheRules)
{
    const std::vector<std::string> precisions{"bf16", "tf32", "int8dq", "float8dq-row"};
    expectRules(presetOf({{"precision", precisions},
                          {"compile", {"none", "cuda-graph", "inductor-default"}},
                          {"attention", {"auto", "flash", "cudnn"}},
                          {"device", {"cpu", "cuda:0"}},
                          {"batch", {"4"}}}));
    expectRules(presetOf({{"precision", precisions},
                          {"layers", {"all", "regex:decoder_blocks"}},
                          {"device", {"cpu", "cuda:0"}},
                          {"batch", {"4"}},
                          {"image_size", {"32", "60"}}}));
}

TEST(MakePlan, ACellSaysWhichFiltersItStandsFor)
{
    const Plan plan = planOf(
        presetOf({{"precision", {"bf16", "int8dq"}}, {"layers", {"all", "mlp", "attention"}}}));
    EXPECT_EQ(cellIn(plan, "bf16").notes,
              (std::vector<Note>{{NoteCode::SameFilters, {"mlp, attention", "bf16"}}}));
    EXPECT_EQ(
        std::count_if(plan.cells.begin(), plan.cells.end(),
                      [](const auto& cell) { return precisionText(cell.config) == "int8dq"; }),
        3);
}

// The units that multiply codes in kernels of ours are Hopper's.
TEST(MakePlan, ProductsThatNoKernelTakesAreSaidBeforeTheRun)
{
    const auto said = [](const DeviceDescription& device, const std::string& mode) {
        Preset preset = presetOf({{"precision", {"int8dq"}}, {"compile", {mode}}});
        preset.defaults.device = device.id;
        const Plan plan = planOf(preset, {smallComputer(), device});
        const PlannedCell& cell = cellIn(plan, "int8dq");
        EXPECT_FALSE(cell.impossible.has_value());
        return std::count_if(cell.notes.begin(), cell.notes.end(),
                             [](const Note& note) { return note.code == NoteCode::FusedFellBack; });
    };
    DeviceDescription newer = plannedH200();
    newer.computeMajor = 10;
    EXPECT_EQ(said(newer, "fused"), 2) << "of each stage";
    EXPECT_EQ(said(newer, "cuda-graph"), 0);
    DeviceDescription ampere = plannedH200();
    ampere.computeMajor = 8;
    EXPECT_EQ(said(ampere, "fused"), 0);
    EXPECT_EQ(said(plannedH200(), "fused"), 0);
}

TEST(MakePlan, WhatTheModelCannotBeAskedForIsImpossible)
{
    const Plan plan = planOf(presetOf(
        {{"precision", {"bf16", "int3", "bf16/bf16/int8dq"}}, {"layers", {"all", "some"}}}));
    EXPECT_THAT(told(cellIn(plan, "int3").impossible), HasSubstr("\"int3\""));
    EXPECT_THAT(told(cellIn(plan, "bf16/bf16/int8dq").impossible),
                HasSubstr("precision names 3 stages, but the model has 2"));
    const auto some = std::find_if(plan.cells.begin(), plan.cells.end(), [](const auto& cell) {
        return cell.config.layers == "some" && precisionText(cell.config) == "bf16";
    });
    ASSERT_NE(some, plan.cells.end());
    EXPECT_THAT(told(some->impossible), HasSubstr("unknown scope \"some\""));
    EXPECT_TRUE(cellIn(plan, "bf16").possible());
}

TEST(MakePlan, ADeviceThatIsNotThereIsNoError)
{
    const Plan plan = planOf(presetOf({{"device", {"cpu", "cuda:1"}}}));
    for (const PlannedCell& cell : plan.cells)
        EXPECT_EQ(told(cell.impossible),
                  cell.config.device == "cpu" ? "" : "no_such_device: cuda:1");
    EXPECT_EQ(planOf(presetOf({}), {}).possibleCells(), 0);
}

TEST(MakePlan, ModelsThatCannotBeOpenedAreNamedWithTheirPlace)
{
    Preset preset = presetOf({});
    preset.defaults.model = "vitok:nonsense";
    EXPECT_THAT(refusalOfPlan(preset), HasSubstr("$.defaults.model: model \"vitok:nonsense\": "));
    preset = presetOf({{"model", {kPlannedModel, "/nowhere/at-all"}}});
    EXPECT_THAT(refusalOfPlan(preset), HasSubstr("$.axes.model[1]: model \"/nowhere/at-all\": "));
}

TEST(MakePlan, DamagedCheckpointsAreNamedWithTheirPlaceFileAndTensor)
{
    tests::QuantizedFiles own = tests::ownLayoutFiles();
    own.weights.tensors.erase(tests::kQuantizedWeight + ":scale");
    tests::QuantizedFiles packed = tests::packedFiles();
    packed.weights.tensors.erase(tests::kQuantizedWeight + "_scale");
    for (const tests::QuantizedFiles& files : {own, packed}) {
        const tests::TestFolder folder;
        files.write(folder.path());
        Preset preset = presetOf({{"model", {kPlannedModel, folder.path().string()}}});
        EXPECT_THAT(refusalOfPlan(preset), AllOf(HasSubstr("$.axes.model[1]: model \""),
                                                 HasSubstr((folder / "model.safetensors").string()),
                                                 HasSubstr("attn.qkv_proj.weight")));
    }
    const tests::TestFolder folder;
    tests::ownLayoutFiles().write(folder.path());
    Preset preset = presetOf({});
    preset.defaults.model = folder.path().string();
    preset.defaults.sizes = {};
    EXPECT_EQ(refusalOfPlan(preset), "accepted") << "what is not damaged can be planned";
}

TEST(MakePlan, ACheckpointIsKnownByTheNameThatMakesItsArchitecture)
{
    EXPECT_EQ(cellIn(planOf(presetOf({})), "bf16").modelName(), kPlannedModel);
    Preset preset = presetOf({});
    preset.defaults.model = "demo";
    const std::string named = cellIn(planOf(preset), "bf16").modelName();
    preset.defaults.model = named;
    const Model demo = openModel("demo", tests::dataFile("../resources"), 42).value().model;
    EXPECT_EQ(openModel(named, {}, 42).value().model.variant, demo.variant);
}

TEST(MakePlan, NothingToRunIsAnError)
{
    Preset preset = presetOf({{"batch", {"1", "2"}}});
    preset.exclusions = {{{{"batch", {"1", "2"}}}, "too small"}};
    EXPECT_THAT(refusalOfPlan(preset), HasSubstr("no cells"));
}

TEST(MakePlan, SeedsOfGeneratedWeightsAreOtherModels)
{
    const Plan plan = planOf(presetOf({{"seed", {"1", "2"}}}));
    std::set<std::string> references;
    for (const PlannedCell& cell : plan.cells)
        references.insert(cell.referenceId);
    EXPECT_EQ(references.size(), 2U);
}

TEST(MakePlan, OneProcessLoadsOnce)
{
    Preset preset = presetOf({{"batch", {"1", "2", "4"}}});
    preset.noiseFloor = false;
    const double apart = planOf(preset).estimatedSeconds();
    preset.isolation = Isolation::Model;
    const double together = planOf(preset).estimatedSeconds();
    EXPECT_GT(apart - together, preset.rounds * 2 * 1.0);  // two starts and two loads less a round
    EXPECT_LT(apart - together, preset.rounds * 2 * 1.1);
}

TEST(MakePlan, CanBeWrittenAndReadAgain)
{
    const Plan plan = planOf(presetOf({{"precision", {"bf16", "int8dq", "tf32"}}}));
    const auto again = planFromJson(parseJson(toJson(plan).dump(), "plan").value());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(toJson(again.value()), toJson(plan));
}

// The largest estimates are numbers that the reader accepts.
TEST(MakePlan, ShapesBeyondReasonStayFinite)
{
    Preset preset = presetOf({});
    preset.defaults.sizes.set("image_size", 4096);
    preset.defaults.batch = 2'880'000;
    preset.pictures.count = 4096;
    const Plan plan = planOf(preset);
    EXPECT_GT(plan.possibleCells(), 0);
    EXPECT_TRUE(planFromJson(toJson(plan)).ok());
}

}  // namespace
}  // namespace qs::core
