#include "core/sweep/impossible_values.h"
#include "tests/sweep/told.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;

constexpr const char* kSmallNetwork = "vitok:w64_d1_h4/1x8x16";

DeviceDescription gpu(const std::string& name)
{
    for (const DeviceDescription& device : commonGpus()) {
        if (device.name == "NVIDIA " + name)
            return device;
    }
    QS_ASSERT(false);
    return {};
}

DeviceDescription cpu()
{
    DeviceDescription device;
    device.id = "cpu";
    device.name = "CPU";
    return device;
}

Preset presetOn(const std::string& device)
{
    Preset preset;
    preset.defaults.model = kSmallNetwork;
    preset.defaults.device = device;
    preset.defaults.precision = {"bf16"};
    preset.defaults.sizes.set("image_size", 64);
    return preset;
}

ValueReasons on(const Preset& preset, const DeviceDescription& device)
{
    return impossibleValues(preset, {{device}, {}, false});
}

TEST(ImpossibleValues, FollowTheDeviceThatIsPlannedFor)
{
    const Preset preset = presetOn("cuda:0");
    // What is left is the model's doing: its layers are narrower than a group.
    for (const auto& [axis, reasons] : on(preset, gpu("H200"))) {
        for (const auto& [value, reason] : reasons)
            EXPECT_THAT(value, HasSubstr("int4")) << axis << ": " << told(reason);
    }
    ValueReasons a100 = on(preset, gpu("A100 80GB"));
    EXPECT_THAT(told(a100["precision"]["float8dq-row"]),
                HasSubstr("8.9, Ada, Hopper or newer, NVIDIA A100 80GB, 8.0"));
    EXPECT_THAT(a100["precision"], Contains(Key("bf16/float8dq-tensor")));
    EXPECT_THAT(a100["precision"], Contains(Key("float8dq-row/bf16")));
    EXPECT_THAT(a100["precision"], Not(Contains(Key("bf16/int8dq"))));
    EXPECT_THAT(a100["compile"], IsEmpty());
    ValueReasons processor = on(presetOn("cpu"), cpu());
    EXPECT_THAT(told(processor["compile"]["cuda-graph"]), HasSubstr("needs_cuda"));
    EXPECT_THAT(processor["precision"], Contains(Key("tf32")));
    EXPECT_THAT(processor["attention"], Contains(Key("cudnn")));
}

TEST(ImpossibleValues, AreJudgedOneByOne)
{
    // A default that cannot run itself must not make everything else impossible.
    Preset preset = presetOn("cpu");
    preset.defaults.compile = "cuda-graph";
    preset.defaults.precision = {"tf32"};
    preset.axes = {{"layers", {"all", "regex:nothing", "colour"}},
                   {"batch", {"1", "8"}},
                   {"image_size", {"64", "60"}},
                   {"compile", {"none", "magic"}}};
    ValueReasons reasons = on(preset, cpu());
    EXPECT_THAT(reasons["precision"], Not(Contains(Key("bf16"))));
    EXPECT_THAT(told(reasons["layers"]["regex:nothing"]), HasSubstr("filter_matches_no_layer"));
    EXPECT_THAT(told(reasons["layers"]["colour"]), HasSubstr("unknown scope"));
    EXPECT_THAT(reasons["layers"], Not(Contains(Key("all"))));
    EXPECT_THAT(reasons["batch"], IsEmpty());
    EXPECT_THAT(reasons["workload"], IsEmpty()) << "another precision can be quantized";
    EXPECT_THAT(reasons["image_size"], Contains(Key("60")));
    EXPECT_THAT(told(reasons["compile"]["magic"]), HasSubstr("magic"));
}

TEST(ImpossibleValues, OfSeveralDevicesAreThoseOfAll)
{
    Preset preset = presetOn("cpu");
    preset.axes = {{"device", {"cpu", "cuda:0"}}};
    ValueReasons reasons = impossibleValues(preset, {{cpu(), gpu("A100 80GB")}, {}, false});
    EXPECT_THAT(reasons["compile"], IsEmpty()) << "the GPU can";
    EXPECT_THAT(reasons["precision"], Not(Contains(Key("float8dq-row")))) << "the processor can";
}

TEST(ImpossibleValues, NothingIsSaidOfWhatIsNotKnown)
{
    EXPECT_THAT(on(presetOn("cuda:1"), cpu()), IsEmpty());
    Preset preset = presetOn("cpu");
    preset.defaults.model = "/nowhere";
    EXPECT_THAT(on(preset, cpu()), IsEmpty());
}

TEST(PlanFigures, CompileTimeAndDiskFollowTheCellsThatRun)
{
    Preset preset = presetOn("cuda:0");
    preset.axes = {{"compile", {"none", "cuda-graph"}}, {"batch", {"1", "4"}}};
    preset.noiseFloor = false;
    preset.rounds = 2;
    preset.pictures.count = 3;
    const Plan plan = makePlan(preset, {{gpu("H200")}, {}, false}).value();
    double compile = 0.0;
    for (const PlannedCell& cell : plan.cells) {
        EXPECT_EQ(cell.compileSeconds > 0.0, cell.config.compile == "cuda-graph");
        EXPECT_LT(cell.compileSeconds, cell.estimatedSeconds);
        compile += cell.compileSeconds;
    }
    EXPECT_NEAR(plan.compileSeconds(), 2 * compile, 1e-9);
    EXPECT_LT(plan.compileSeconds(), plan.estimatedSeconds());
    // Four cells of three outputs and three inputs, as arrays and as PNG.
    EXPECT_GE(plan.estimatedBytes(), (4 * 3 + 3) * 64 * 64 * 12);
    EXPECT_LE(plan.estimatedBytes(), (4 * 3 + 3) * 64 * 64 * 15 + 4 * 2 * 20'000);
    Plan none = plan;
    for (PlannedCell& cell : none.cells)
        cell.impossible = remark("no");
    EXPECT_EQ(none.compileSeconds(), 0.0);
    EXPECT_EQ(none.estimatedBytes(), 0);
}

}  // namespace
}  // namespace qs::core
