#include "core/analysis/device_figures.h"

#include "core/device/clock_reasons.h"
#include "core/report/report.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace qs::core {
namespace {

using tests::addRow;
using tests::runOf;

// Samples of `seconds` one after the other from second 1 on, with the device looked at twice a
// sample; its clock, power (by the energy counter) and temperature stay what they are.
Measurement& addTraced(RunData& data, const std::string& cell, int round,
                       const std::vector<double>& seconds, double megahertz,
                       std::uint64_t slowdown = 0)
{
    Measurement& row = addRow(data, cell, round, seconds);
    double at = 1.0;
    for (const double each : seconds) {
        row.result.sampleStart.push_back(at);
        at += each;
    }
    for (double point = 0.5; point <= at + 0.5; point += seconds.front() / 2.0)
        row.result.trace.points.push_back({.at = point,
                                           .smClockMegahertz = megahertz,
                                           .temperatureCelsius = 60.0 + round,
                                           .energyJoules = 300.0 * point,
                                           .slowdownBits = slowdown});
    return row;
}

RunData emptyRun(int rounds)
{
    return runOf({{.id = "eager", .reference = "eager"},
                  {.id = "fast", .precision = "int8dq", .batch = 1, .reference = "eager"}},
                 rounds);
}

DeviceFigures figuresOf(const RunData& data, const char* cell)
{
    return analyse(data, "bf16-eager").find(cell)->device;
}

TEST(DeviceFigures, AreSeenWhileSampling)
{
    RunData data = emptyRun(2);
    data.plan.cells[1].config.batch = 4;
    for (int round = 0; round < 2; ++round)
        addTraced(data, "fast", round, {1.0, 1.0, 1.0, 1.0}, 1500.0).config.batch = 4;
    const DeviceFigures figures = figuresOf(data, "fast");
    EXPECT_NEAR(*figures.clockMegahertz, 1500.0, 1e-9);
    EXPECT_DOUBLE_EQ(*figures.slowedShare, 0.0);
    EXPECT_DOUBLE_EQ(*figures.maximumCelsius, 61.0);
    // 300 W, a pass a second.
    ASSERT_TRUE(figures.joulesPerPass);
    EXPECT_NEAR(*figures.joulesPerPass, 300.0, 1e-6);
    EXPECT_FALSE(figures.energyWindowTooShort);
    EXPECT_FALSE(figures.endToEndSeconds);
}

TEST(DeviceFigures, AShortWindowHasNoEnergy)
{
    RunData data = emptyRun(1);
    addTraced(data, "fast", 0, {0.2, 0.2, 0.2}, 1500.0);
    const DeviceFigures figures = figuresOf(data, "fast");
    EXPECT_FALSE(figures.joulesPerPass);
    EXPECT_TRUE(figures.energyWindowTooShort);
}

// 300 W. Blocks of two passes of a second each, at 1, 4 and 7 s; between them a second for the pass
// that times the stages: eight passes from 1 s to 9 s.
TEST(DeviceFigures, EnergyIsOfEveryPassInTheWindow)
{
    RunData data = emptyRun(1);
    CellResult& result = addTraced(data, "fast", 0, {1.0, 1.0, 1.0}, 1500.0).result;
    result.passesPerSample = 2;
    result.sampleStart = {1.0, 4.0, 7.0};
    for (double point = 5.0; point <= 10.0; point += 0.5)
        result.trace.points.push_back(
            {.at = point, .smClockMegahertz = 1500.0, .energyJoules = 300.0 * point});
    result.stages = {{"encoder", {0.5, 0.5, 0.5}, std::nullopt}};
    ASSERT_TRUE(figuresOf(data, "fast").joulesPerPass);
    EXPECT_NEAR(*figuresOf(data, "fast").joulesPerPass, 300.0 * 8.0 / 8.0, 1e-6);
    result.stages.clear();
    EXPECT_NEAR(*figuresOf(data, "fast").joulesPerPass, 300.0 * 8.0 / 6.0, 1e-6)
        << "no pass of its own where no stage was timed";
}

// 300 W. Three short samples, then 5 s in which 10 passes ran.
TEST(DeviceFigures, PassesThatRanForEnergyAloneGiveIt)
{
    RunData data = emptyRun(1);
    data.plan.cells[1].config.batch = 2;
    Measurement& row = addTraced(data, "fast", 0, {0.2, 0.2, 0.2}, 1500.0);
    row.config.batch = 2;
    EXPECT_TRUE(figuresOf(data, "fast").energyWindowTooShort);
    for (double point = 3.0; point <= 10.0; point += 0.5)
        row.result.trace.points.push_back({.at = point, .energyJoules = 300.0 * point});
    row.result.energy = PassStretch{.passes = 10, .start = 4.0, .seconds = 5.0};
    const DeviceFigures figures = figuresOf(data, "fast");
    ASSERT_TRUE(figures.joulesPerPass);
    EXPECT_NEAR(*figures.joulesPerPass, 300.0 * 5.0 / 10.0, 1e-6);
    EXPECT_NEAR(*figures.energyWindowSeconds, 5.0, 1e-9);
    EXPECT_FALSE(figures.energyWindowTooShort);
    ASSERT_TRUE(energyOf(row));
    EXPECT_TRUE(energyOf(row)->ofItsOwnPhase);
    // A stretch that the counter was not read for is not made up from the samples.
    row.result.energy->start = 40.0;
    EXPECT_FALSE(energyOf(row));
    EXPECT_FALSE(figuresOf(data, "fast").joulesPerPass);
}

TEST(DeviceFigures, RowsHaveTheirEnergyInTheTables)
{
    RunData data = emptyRun(1);
    addTraced(data, "fast", 0, {1.0, 1.0, 1.0}, 1500.0);
    const std::string rows = measurementsCsv(data, false);
    EXPECT_THAT(rows, testing::HasSubstr(",energy_joules_per_pass,energy_window_seconds,"));
    EXPECT_THAT(rows, testing::HasSubstr(",300,3,"));
    EXPECT_THAT(reportJson(data, analyse(data, "bf16-eager")).dump(),
                testing::HasSubstr("\"energy_window_seconds\":3.0"));
}

TEST(DeviceFigures, AColdCacheHasNoEnergyPerPicture)
{
    RunData data = emptyRun(1);
    CellResult& result = addTraced(data, "fast", 0, {1.0, 1.0, 1.0}, 1500.0).result;
    result.conditions = Conditions{CacheState::Warm, true};
    EXPECT_TRUE(figuresOf(data, "fast").joulesPerPass);
    result.conditions = Conditions{CacheState::Cold, true};
    EXPECT_FALSE(figuresOf(data, "fast").joulesPerPass);
    EXPECT_FALSE(figuresOf(data, "fast").energyWindowTooShort);
}

TEST(DeviceFigures, StandInTheSummary)
{
    RunData data = emptyRun(1);
    const auto text = [&] { return summaryMarkdown(data, analyse(data, "bf16-eager")); };
    EXPECT_THAT(text(), testing::Not(testing::HasSubstr("## Device")));
    data.plan.cells[1].config.batch = 4;
    data.plan.cells[1].unitsPerPass = 4;
    addTraced(data, "fast", 0, {1.0, 1.0, 1.0}, 1500.0).config.batch = 4;
    data.measurements.back().result.endToEndSeconds = {2.0, 2.0, 2.0};
    EXPECT_THAT(text(), testing::HasSubstr(
                            "| 4 | device | on the device | 2.000 | 0 % of the time | 60.0 °C | "
                            "75.0 J/image over 3.00 s |"));
}

TEST(DeviceFigures, WithoutATraceNothingIsSaid)
{
    RunData data = emptyRun(1);
    addRow(data, "fast", 0, {1.0, 1.0}).result.endToEndSeconds = {2.0, 2.0};
    data.measurements.back().result.copySeconds = {0.25, 0.75};
    const Analysis analysis = analyse(data, "bf16-eager");
    const CellSummary& summary = *analysis.find("fast");
    EXPECT_FALSE(summary.device.clockMegahertz);
    EXPECT_FALSE(summary.device.slowedShare);
    EXPECT_FALSE(summary.device.joulesPerPass);
    EXPECT_FALSE(summary.device.energyWindowTooShort);
    EXPECT_DOUBLE_EQ(*summary.endToEndThroughput(), 0.5);
    EXPECT_FALSE(analysis.find("eager")->endToEndThroughput());
    EXPECT_DOUBLE_EQ(*summary.device.copySeconds, 0.5);
    EXPECT_FALSE(analysis.find("eager")->device.copySeconds);
}

TEST(DeviceFigures, CountHowOftenTheClockWasHeldBack)
{
    constexpr std::uint64_t kSoftwarePowerCap = 0x4;
    RunData data = emptyRun(1);
    addTraced(data, "fast", 0, {1.0, 1.0, 1.0}, 1200.0, kSoftwarePowerCap);
    EXPECT_DOUBLE_EQ(*figuresOf(data, "fast").slowedShare, 1.0);
}

TEST(DeviceFigures, TellHowMuchOfTheSamplingWasCapped)
{
    RunData data = emptyRun(2);
    for (int round = 0; round < 2; ++round) {
        CellResult& result = addTraced(data, "fast", round, {1.0, 1.0, 1.0}, 1500.0).result;
        // All the time before the first sample; then a tenth, and three tenths in the second round.
        for (DevicePoint& point : result.trace.points)
            point.powerCappedSeconds =
                point.at < 1.0 ? point.at : 1.0 + (point.at - 1.0) * (0.1 + 0.2 * round);
    }
    const DeviceFigures figures = figuresOf(data, "fast");
    ASSERT_TRUE(figures.powerCappedPercent);
    EXPECT_NEAR(*figures.powerCappedPercent, 20.0, 1e-9);
    EXPECT_FALSE(figures.thermalCappedPercent) << "did not use the same counter";
    EXPECT_THAT(measurementsCsv(data, false),
                testing::HasSubstr(",power_capped_percent,thermal_capped_percent,"));
    EXPECT_THAT(cellsCsv(data, analyse(data, "bf16-eager"), false),
                testing::HasSubstr(",power_capped_percent,thermal_capped_percent,"));
    const std::string json = reportJson(data, analyse(data, "bf16-eager")).dump();
    EXPECT_THAT(json, testing::HasSubstr("\"thermal_capped_percent\":null"));
    EXPECT_THAT(json, testing::HasSubstr("\"power_capped_until_s\":["));
}

TEST(DeviceFigures, AChosenClockIsNoSlowDown)
{
    const auto share = [](std::uint64_t bits) {
        RunData data = emptyRun(1);
        addTraced(data, "fast", 0, {1.0, 1.0, 1.0}, 1200.0, bits);
        return figuresOf(data, "fast").slowedShare;
    };
    EXPECT_EQ(share(kClocksAreSet), 0.0);
    EXPECT_EQ(share(kClocksAreSet | kIdle), 0.0);
    EXPECT_EQ(share(kClocksAreSet | kHeat), 1.0);
}

TEST(MedianCycles, AreSecondsTimesTheClock)
{
    RunData data = emptyRun(1);
    CellResult& result = addTraced(data, "fast", 0, {0.01, 0.02, 0.03}, 1000.0).result;
    ASSERT_TRUE(medianCycles(result));
    EXPECT_NEAR(*medianCycles(result), 0.02 * 1e9, 1.0);
    result.discards = {{2, Slowdown::LowClock, 500.0}};
    EXPECT_NEAR(*medianCycles(result), 0.015 * 1e9, 1.0);
    result.sampleStart.pop_back();
    EXPECT_FALSE(medianCycles(result)) << "a sample without its time";
    EXPECT_FALSE(medianCycles(CellResult()));
}

// A cell that is faster in seconds only because its clock was higher in every round.
TEST(CycleSpace, ALuckyClockIsNoSpeedUp)
{
    const auto verdict = [](double fastClock, bool traced) {
        RunData data = emptyRun(5);
        const double wander[] = {0.0, 0.0005, -0.0005, 0.0003, -0.0003};
        for (int round = 0; round < 5; ++round) {
            const double off = 1.0 + wander[round];
            addTraced(data, "eager", round, {1.0 * off, 1.0 * off}, 1000.0);
            addTraced(data, "fast", round, {0.9 / off, 0.9 / off}, fastClock);
        }
        if (!traced)
            data.measurements.back().result.trace = {};
        return *analyse(data, "bf16-eager").find("fast")->claim;
    };
    EXPECT_EQ(verdict(1000.0, true).verdict, Verdict::Faster);
    ASSERT_TRUE(verdict(1000.0, true).cycles);
    EXPECT_NEAR(verdict(1000.0, true).cycles->ratio.value, 1.0 / 0.9, 1e-3);
    EXPECT_EQ(verdict(1000.0 / 0.9, true).verdict, Verdict::Ambiguous);
    EXPECT_NEAR(verdict(1000.0 / 0.9, true).cycles->ratio.value, 1.0, 1e-3);
    // One pair without a clock: seconds alone decide.
    EXPECT_FALSE(verdict(1000.0 / 0.9, false).cycles);
    EXPECT_EQ(verdict(1000.0 / 0.9, false).verdict, Verdict::Faster);
}

}  // namespace
}  // namespace qs::core
