#include "core/analysis/across_devices.h"

#include "core/analysis/metric_values.h"
#include "core/report/across_section.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace qs::core {
namespace {

// Seconds of a pass by batch.
using Times = std::map<std::int64_t, double>;

// The processor and a GPU at the same batches; rounds wander together.
RunData twoDevices(const Times& cpu, const Times& gpu, int rounds = 3)
{
    std::vector<tests::CellText> cells;
    for (const auto& [batch, seconds] : cpu)
        cells.push_back({.id = "cpu" + std::to_string(batch), .batch = batch});
    for (const auto& [batch, seconds] : gpu)
        cells.push_back({.id = "gpu" + std::to_string(batch), .batch = batch});
    RunData data = tests::runOf(cells, rounds);
    for (PlannedCell& cell : data.plan.cells)
        cell.config.device = cell.id.starts_with("gpu") ? "cuda:0" : "cpu";
    for (int round = 0; round < rounds; ++round) {
        const double drift = 1.0 + 0.2 * round;
        for (const auto& [batch, seconds] : cpu)
            tests::addRow(data, "cpu" + std::to_string(batch), round,
                          {seconds * drift * (1.0 + 0.001 * round)});
        for (const auto& [batch, seconds] : gpu)
            tests::addRow(data, "gpu" + std::to_string(batch), round, {seconds * drift});
    }
    return data;
}

TEST(AcrossDevices, AGpuIsHeldAgainstTheProcessorRoundByRound)
{
    const RunData data = twoDevices({{32, 0.4}}, {{32, 0.1}});
    const Analysis analysis = analyse(data, "bf16-eager");
    const CellSummary& gpu = *analysis.find("gpu32");
    ASSERT_TRUE(gpu.againstCpu);
    EXPECT_EQ(gpu.againstCpu->cpuId, "cpu32");
    EXPECT_NEAR(gpu.againstCpu->ratio.value, 4.0, 0.01);
    ASSERT_TRUE(gpu.againstCpu->ratio.interval);
    // Though the rounds drift by 40 %.
    EXPECT_LT(gpu.againstCpu->ratio.interval->upper - gpu.againstCpu->ratio.interval->lower, 0.05);
    EXPECT_EQ(valueOf("against_cpu", gpu), gpu.againstCpu->ratio.value);
    EXPECT_FALSE(analysis.find("cpu32")->againstCpu);
    EXPECT_FALSE(gpu.speedup) << "another device is no speed baseline";
}

// Chosen as the baseline, the processor's cell is what the speed-up is formed with, too.
TEST(AcrossDevices, AProcessorThatIsTheBaselineHasOneRatio)
{
    RunData data = twoDevices({{32, 0.4}}, {{32, 0.1}});
    // Rounds that the two do not share.
    for (Measurement& row : data.measurements)
        row.round += row.cellId == "gpu32" ? 3 : 0;
    data.plan.preset.rounds = 6;
    const CellSummary gpu = *analyse(data, "cpu32").find("gpu32");
    ASSERT_TRUE(gpu.speedupInterval);
    ASSERT_TRUE(gpu.againstCpu);
    EXPECT_EQ(gpu.againstCpu->ratio.value, *gpu.speedup);
    EXPECT_EQ(gpu.againstCpu->ratio.interval, gpu.speedupInterval);
}

TEST(AcrossDevices, TheProcessorHasItsFastestCompileModeAndTheSamePrecision)
{
    RunData data = twoDevices({{32, 0.4}}, {{32, 0.1}});
    data.plan.cells.push_back(tests::cellOf({.id = "fast", .compile = "inductor-default"}));
    data.plan.cells.back().config.batch = 32;
    data.plan.cells.push_back(tests::cellOf({.id = "other", .precision = "fp16"}));
    data.plan.cells.back().config.batch = 32;
    for (int round = 0; round < 3; ++round) {
        tests::addRow(data, "fast", round, {0.2});
        tests::addRow(data, "other", round, {0.05});
    }
    EXPECT_EQ(analyse(data, "bf16-eager").find("gpu32")->againstCpu->cpuId, "fast");
}

TEST(AcrossDevices, TheCrossoverIsTheBatchFromWhichTheGpuStaysFaster)
{
    const auto crossoverOf = [](const Times& gpu, int rounds = 3) {
        const RunData data = twoDevices({{32, 0.1}, {64, 0.1}, {128, 0.1}}, gpu, rounds);
        const auto all = deviceCrossovers(analyse(data, "bf16-eager"));
        EXPECT_EQ(all.size(), 1U);
        return all.front();
    };
    const DeviceCrossover late = crossoverOf({{32, 0.2}, {64, 0.05}, {128, 0.02}});
    EXPECT_EQ(late.from, 64);
    EXPECT_TRUE(late.decided);
    ASSERT_EQ(late.batches.size(), 3U);
    EXPECT_TRUE(late.batches[0].cpuFaster());
    EXPECT_TRUE(late.batches[2].gpuFaster());
    EXPECT_EQ(crossoverOf({{32, 0.01}, {64, 0.2}, {128, 0.05}}).from, 128) << "not before it stays";
    EXPECT_EQ(crossoverOf({{32, 0.01}, {64, 0.01}, {128, 0.01}}).from, 32);
    EXPECT_FALSE(crossoverOf({{32, 0.2}, {64, 0.2}, {128, 0.2}}).from);
    const DeviceCrossover once = crossoverOf({{32, 0.01}, {64, 0.01}, {128, 0.01}}, 1);
    EXPECT_FALSE(once.from) << "one repeat has no interval";
    EXPECT_FALSE(once.decided);
}

TEST(AcrossDevices, ReportsHaveThemAsATableOfTheirOwn)
{
    const RunData data = twoDevices({{32, 0.1}, {64, 0.1}}, {{32, 0.2}, {64, 0.05}});
    const Analysis analysis = analyse(data, "bf16-eager");
    EXPECT_EQ(acrossSection(analysis).table.lines.size(), 2U);
    const Json json = acrossJson(analysis);
    ASSERT_EQ(json.size(), 1U);
    EXPECT_EQ(json[0]["gpu_faster_from_batch"], 64);
    EXPECT_THAT(htmlOf(acrossSection(analysis)), testing::HasSubstr("id=\"across\""));
    const RunData one = twoDevices({{32, 0.1}}, {});
    EXPECT_TRUE(markdownOf(acrossSection(analyse(one, "bf16-eager"))).empty());
}

}  // namespace
}  // namespace qs::core
