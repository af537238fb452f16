// The presets that are shipped, planned for the machines they are meant for.

#include "core/sweep/plan.h"
#include "tests/support/test_folder.h"
#include "tests/sweep/small_computer.h"
#include "tests/sweep/told.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {
namespace {

Plan planHere(const Preset& preset, std::vector<DeviceDescription> devices)
{
    const auto plan = makePlan(preset, {std::move(devices), tests::dataFile("../resources")});
    EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().message);
    return plan.ok() ? plan.value() : Plan{};
}

std::vector<std::filesystem::path> shippedPresets()
{
    std::vector<std::filesystem::path> files;
    const auto folder = tests::dataFile("../presets");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().filename() != "sweep.schema.json")
            files.push_back(entry.path());
    }
    return files;
}

// Points of a document that its benchmark measures, and that have nothing to measure.
bool isWithoutTokens(const PlannedCell& cell)
{
    return told(cell.impossible).find("zero tokens") != std::string::npos;
}

TEST(ShippedPlans, EachPresetCanBePlannedForAnH200AndWithoutAGpu)
{
    ASSERT_FALSE(shippedPresets().empty());
    for (const auto& file : shippedPresets()) {
        const Preset preset = readPreset(file).value();
        const Plan onGpu = planHere(preset, {smallComputer(), commonGpus().front()});
        const Plan onCpu = planHere(preset, {smallComputer()});
        EXPECT_GT(onGpu.possibleCells(), 0) << file;
        for (const PlannedCell& cell : onGpu.cells)
            EXPECT_TRUE(cell.possible() || isWithoutTokens(cell))
                << file << ": " << told(cell.impossible);
        for (const PlannedCell& cell : onCpu.cells)
            EXPECT_EQ(cell.possible(), cell.config.device == "cpu") << file;
        // A sample of quantizing quantizes a whole model: those of billions of weights take hours,
        // in three repeats, and the plan takes every way for the slowest.
        const bool quantizes =
            std::any_of(onGpu.cells.begin(), onGpu.cells.end(),
                        [](const PlannedCell& cell) { return cell.config.workload == "quantize"; });
        EXPECT_LT(onGpu.estimatedSeconds(), quantizes ? 11 * 3600.0 : 1.1 * 3600.0) << file;
    }
}

TEST(ShippedPlans, TilesThatHoldNoPatchAreRefusedWithTheReason)
{
    const Preset preset = readPreset(tests::dataFile("../presets/olmoearth/axes.json")).value();
    const Plan plan = planHere(preset, {smallComputer(), commonGpus().front()});
    std::vector<std::int64_t> tiles;
    for (const PlannedCell& cell : plan.cells) {
        EXPECT_EQ(cell.possible(), !isWithoutTokens(cell)) << told(cell.impossible);
        if (!cell.possible())
            tiles.push_back(cell.config.sizes.at("tile_size"));
    }
    EXPECT_EQ(tiles, (std::vector<std::int64_t>{1, 2}));
}

// GFLOP of an image, as the formula of the document's system counts them.
TEST(ShippedPlans, CellsOfViTokKnowWhatEncoderAndDecoderCompute)
{
    const Preset preset = readPreset(tests::dataFile("../presets/vitok/h200_350m.json")).value();
    const Plan plan = planHere(preset, {smallComputer(), commonGpus().front()});
    ASSERT_FALSE(plan.cells.empty());
    for (const PlannedCell& cell : plan.cells) {
        ASSERT_EQ(cell.stageFlops.size(), 2U);
        const double images = static_cast<double>(cell.config.batch) * 1e9;
        EXPECT_NEAR(cell.stageFlops[0] / images, 27.3, 0.3);
        EXPECT_NEAR(cell.stageFlops[1] / images, 161.7, 1.0);
        EXPECT_DOUBLE_EQ(cell.stageFlops[0] + cell.stageFlops[1], cell.flops);
    }
}

TEST(ShippedPlans, TheDemoIsTrainedAndTakesMinutesOnTwoCores)
{
    DeviceDescription two = smallComputer();
    two.processors = 2;
    const Plan plan = planHere(
        readPreset(tests::dataFile("../presets/quick_start/demo_cpu.json")).value(), {two});
    EXPECT_EQ(plan.possibleCells(), static_cast<int>(plan.cells.size()));
    for (const PlannedCell& cell : plan.cells)
        EXPECT_TRUE(cell.trained);
    EXPECT_GT(plan.estimatedSeconds(), 30.0);
    EXPECT_LT(plan.estimatedSeconds(), 900.0);
}

}  // namespace
}  // namespace qs::core
