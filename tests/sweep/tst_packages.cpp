#include "core/model/catalogue.h"
#include "core/sweep/impossible_values.h"
#include "core/sweep/plan.h"
#include "core/sweep/program_preset.h"
#include "tests/support/test_folder.h"
#include "tests/support/written_package.h"
#include "tests/sweep/checked_cell.h"
#include "tests/sweep/small_computer.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>

// Models that are compiled programs: what can be asked of them, and what plans make of it.
namespace qs::core {
namespace {

using tests::TestFolder;
using tests::WrittenPackage;

DeviceDescription gpu(int major, int minor)
{
    DeviceDescription device = smallComputer();
    device.id = "cuda:0";
    device.name = "GPU";
    device.kind = DeviceKind::Cuda;
    device.computeMajor = major;
    device.computeMinor = minor;
    return device;
}

CellConfig asPackagedCell(const std::string& device)
{
    CellConfig cell;
    cell.device = device;
    cell.precision = {std::string(kAsPackaged)};
    cell.compile = kAsPackaged;
    cell.batch = 2;
    cell.sizes = {};
    return cell;
}

class Packages : public testing::Test
{
protected:
    Packages()
    {
        WrittenPackage().writeTried(cpuFile, {"x=float32[batch,8]"}, {"y=float32[batch,5]"}, 2);
        WrittenPackage("cuda", "90").writeTried(gpuFile, {"x=float32[4,8]"}, {"y=float32[4,5]"});
    }

    [[nodiscard]] static std::optional<NoteCode> whyNot(const std::string& model, CellConfig cell,
                                                        const DeviceDescription& device)
    {
        const Model opened = openModel(model, {}, 1).value().model;
        const Recipe recipe = makeRecipe(*opened.family, cell.precision, cell.layers).value();
        const auto reason = checkCell(cell, opened, recipe, device).impossible;
        return reason ? std::optional(reason->code) : std::nullopt;
    }
    [[nodiscard]] Preset preset(const std::string& model) const
    {
        Preset preset;
        preset.name = "packages";
        preset.defaults = asPackagedCell("cpu");
        preset.defaults.model = model;
        preset.axes = {{"batch", {"1", "2", "8"}}};
        return preset;
    }

    TestFolder folder;
    std::string cpuFile = folder / "cpu.pt2";
    std::string gpuFile = folder / "gpu.pt2";
};

TEST_F(Packages, RunAsTheyAreAndInNoOtherWay)
{
    const CellConfig good = asPackagedCell("cpu");
    EXPECT_EQ(whyNot(cpuFile, good, smallComputer()), std::nullopt);
    CellConfig cell = good;
    cell.precision = {"bf16"};
    EXPECT_EQ(whyNot(cpuFile, cell, smallComputer()), NoteCode::ProgramIsFixed);
    for (auto change : {+[](CellConfig& each) { each.compile = "none"; },
                        +[](CellConfig& each) { each.attention = "math"; },
                        +[](CellConfig& each) { each.layers = "mlp"; }}) {
        cell = good;
        change(cell);
        EXPECT_EQ(whyNot(cpuFile, cell, smallComputer()), NoteCode::ProgramIsFixed);
    }
    cell = good;
    cell.batch = 1;
    EXPECT_EQ(whyNot(cpuFile, cell, smallComputer()), NoteCode::Remark);
    // Nor is anything else as packaged.
    EXPECT_EQ(whyNot("resnet:18", good, smallComputer()), NoteCode::OnlyForPrograms);
}

TEST_F(Packages, RunOnTheDeviceThatTheyAreCompiledFor)
{
    CellConfig cell = asPackagedCell("cuda:0");
    EXPECT_EQ(whyNot(cpuFile, cell, gpu(9, 0)), NoteCode::ProgramNeedsDevice);
    cell.batch = 4;
    EXPECT_EQ(whyNot(gpuFile, cell, smallComputer()), NoteCode::ProgramNeedsDevice);
    EXPECT_EQ(whyNot(gpuFile, cell, gpu(9, 0)), std::nullopt);
    EXPECT_EQ(whyNot(gpuFile, cell, gpu(8, 0)), NoteCode::ProgramNeedsOther);
    EXPECT_EQ(whyNot(gpuFile, cell, gpu(10, 0)), NoteCode::ProgramNeedsOther);
}

TEST_F(Packages, HaveNoReferenceAndNoNoiseFloor)
{
    const auto plan = makePlan(preset(cpuFile), {{smallComputer()}, {}, false});
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    ASSERT_EQ(plan.value().cells.size(), 3U);
    EXPECT_EQ(plan.value().possibleCells(), 2);
    for (const PlannedCell& cell : plan.value().cells) {
        EXPECT_EQ(cell.role, CellRole::Swept);
        EXPECT_TRUE(cell.referenceId.empty());
        EXPECT_EQ(cell.program.size(), 64U);
        EXPECT_EQ(cell.flops, 0.0);
        EXPECT_FALSE(cell.trained);
    }
    EXPECT_EQ(plan.value().cells[2].outputValues, 5);
    // It is read as it was written, and a plan without programs says nothing of them.
    const Json json = toJson(plan.value());
    const auto again = planFromJson(JsonView(json));
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again.value().cells[1].program, plan.value().cells[1].program);
    Json damaged = json;
    damaged["cells"][0]["program_sha256"] = "none\nAllow everything";
    EXPECT_FALSE(planFromJson(JsonView(damaged)).ok());
    Preset other = preset("resnet:18");
    other.defaults.precision = {"bf16"};
    other.defaults.compile = "none";
    const auto usual = makePlan(other, {{smallComputer()}, {}, false});
    ASSERT_TRUE(usual.ok()) << usual.error().message;
    EXPECT_FALSE(toJson(usual.value()).at("cells").at(0).contains("program_sha256"));
}

TEST_F(Packages, GreyOutWhatCannotBeChosen)
{
    ValueReasons reasons = impossibleValues(preset(cpuFile), {{smallComputer()}, {}, false});
    EXPECT_EQ(reasons["precision"].at("bf16").code, NoteCode::ProgramIsFixed);
    EXPECT_EQ(reasons["precision"].at("int8dq").code, NoteCode::ProgramIsFixed);
    EXPECT_FALSE(reasons["precision"].contains(std::string(kAsPackaged)));
    EXPECT_EQ(reasons["compile"].at("none").code, NoteCode::ProgramIsFixed);
    EXPECT_FALSE(reasons["compile"].contains(std::string(kAsPackaged)));
    EXPECT_TRUE(reasons["batch"].contains("1"));
    EXPECT_FALSE(reasons["batch"].contains("8"));
    // Lists for other models do not offer it.
    Preset other = preset("resnet:18");
    other.defaults.precision = {"bf16"};
    other.defaults.compile = "none";
    reasons = impossibleValues(other, {{smallComputer()}, {}, false});
    EXPECT_FALSE(reasons["precision"].contains(std::string(kAsPackaged)));
}

TEST_F(Packages, PresetsBecomeFitForThem)
{
    Preset other = preset("demo");
    other.defaults = {};
    other.defaults.device = "cuda:0";
    other.axes = {
        {"precision", {"bf16", "int8dq"}}, {"batch", {"1", "64"}}, {"device", {"cuda:0"}}};
    other.linked = {{"precision", "batch"}};
    EXPECT_FALSE(isAsPackaged(other));
    const auto cpu = openModel(cpuFile, {}, 1).value().model.family;
    const Preset fit = asPackaged(other, *cpu);
    EXPECT_TRUE(isAsPackaged(fit));
    EXPECT_EQ(fit.defaults.compile, kAsPackaged);
    EXPECT_EQ(fit.defaults.device, "cpu");
    EXPECT_TRUE(fit.linked.empty());
    ASSERT_EQ(fit.axes.size(), 1U);
    EXPECT_EQ(fit.axes.front().values, (std::vector<std::string>{"1", "64"}));
    // A package with one batch gets that.
    const auto fixed = openModel(gpuFile, {}, 1).value().model.family;
    EXPECT_EQ(asPackaged(other, *fixed).defaults.batch, 4);
    EXPECT_EQ(asPackaged(other, *fixed).defaults.device, "cuda:0");
    const Preset back = notAsPackaged(fit);
    EXPECT_EQ(back.defaults.precision, CellConfig().precision);
    EXPECT_EQ(back.defaults.compile, CellConfig().compile);
}

}  // namespace
}  // namespace qs::core
