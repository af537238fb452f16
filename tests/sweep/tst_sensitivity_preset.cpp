#include "core/sweep/sensitivity_preset.h"

#include "core/model/vitok/vitok.h"
#include "core/sweep/plan.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qs::core {
namespace {

using testing::Contains;
using testing::ElementsAre;

constexpr const char* kSmallCoder = "vitok:w64_d1_h2-w64_d2_h2/1x8x16";

Preset preset(std::vector<std::string> precisions)
{
    Preset made;
    made.name = "test";
    made.defaults = {.model = kSmallCoder, .precision = {"bf16"}, .sizes = {{"image_size", 64}}};
    made.axes = {{"precision", std::move(precisions)}, {"batch", {"1", "2"}}};
    made.rounds = 1;
    return made;
}

Result<Preset> sensitivity(const Preset& from, SensitivityUnit unit)
{
    const auto family =
        vitok::makeFamily(vitok::parseVariant("w64_d1_h2-w64_d2_h2/1x8x16").value());
    return sensitivityPreset(from, *family, unit);
}

std::vector<std::string> filters(const Preset& made)
{
    for (const Axis& axis : made.axes) {
        if (axis.name == "layers")
            return axis.values;
    }
    return {};
}

TEST(SensitivityPresets, QuantizeEachBlockAlone)
{
    const auto made = sensitivity(preset({"bf16", "int8dq"}), SensitivityUnit::Block);
    ASSERT_TRUE(made.ok()) << made.error().message;
    EXPECT_EQ(made.value().defaults.precision, std::vector<std::string>{"int8dq"});
    EXPECT_THAT(filters(made.value()),
                ElementsAre("all", "only:encoder_blocks.0", "only:decoder_blocks.0",
                            "only:decoder_blocks.1"));
}

TEST(SensitivityPresets, QuantizeEachLayerAlone)
{
    const auto made = sensitivity(preset({"int8dq"}), SensitivityUnit::Layer);
    ASSERT_TRUE(made.ok()) << made.error().message;
    EXPECT_EQ(filters(made.value()).size(), 13U);
    EXPECT_THAT(filters(made.value()), Contains("only:decoder_blocks.1.ffn.fc2"));
    // They are cells like any others, and each of them runs.
    DeviceDescription cpu;
    cpu.id = "cpu";
    cpu.name = "CPU";
    cpu.memoryBytes = std::int64_t{16} << 30U;
    cpu.processors = 4;
    const auto plan = makePlan(made.value(), {{cpu}, tests::dataFile("../resources")});
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    int alone = 0;
    for (const PlannedCell& cell : plan.value().cells) {
        EXPECT_TRUE(cell.possible()) << cell.config.layers;
        alone += cell.config.layers.starts_with("only:") ? 1 : 0;
    }
    EXPECT_EQ(alone, 24);
}

TEST(SensitivityPresets, NeedsAPrecisionThatQuantizes)
{
    EXPECT_FALSE(sensitivity(preset({"bf16", "fp16"}), SensitivityUnit::Layer).ok());
}

}  // namespace
}  // namespace qs::core
