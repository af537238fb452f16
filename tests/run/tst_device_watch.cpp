#include "core/run/device_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <string>

namespace qs::core {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;
constexpr std::int64_t kWorkerPid = 500;

SelfTest passedTest(ProcessCounter counter)
{
    return {.result = SelfTestResult::Passed,
            .attempts = 1,
            .allocatorCounters = true,
            .processCounter = counter};
}

// Two GPUs, the cell runs on the second: 1 s of readings every 50 ms, 200 ms before it began.
std::vector<TelemetrySample> readings()
{
    std::vector<TelemetrySample> samples;
    for (int i = 0; i < 24; ++i) {
        TelemetrySample sample;
        sample.seconds = 99.8 + 0.05 * i;
        GpuReading reading;
        reading.smClockMegahertz = 1900.0;
        reading.powerCappedSeconds = 7.0 + 0.01 * i;
        reading.clockEventReasons = 0;
        sample.gpus = {GpuReading(), reading};
        sample.processes = {{}, {{kWorkerPid, (400 + i) * kMiB}}};
        samples.push_back(sample);
    }
    return samples;
}

CellResult tenSamples()
{
    CellResult result;
    result.began = 100.0;
    result.phases = {{Phase::Measure, 0.5, 0.1}};
    for (int i = 0; i < 10; ++i) {
        result.hostSeconds.push_back(0.05);
        result.sampleStart.push_back(0.1 + 0.05 * i);
    }
    result.memory.processPeak = 410 * kMiB;
    result.memory.selfTest = passedTest(ProcessCounter::Driver);
    return result;
}

TEST(Trace, IsLaidBesideTheSamples)
{
    CellResult result = tenSamples();
    addTrace(readings(), 1, kWorkerPid, {kWorkerPid}, result);
    ASSERT_FALSE(result.trace.points.empty());
    EXPECT_NEAR(result.trace.points.front().at, -0.2, 1e-9);
    EXPECT_DOUBLE_EQ(clocksAt(result.trace, {0.3}).front().value(), 1900.0);
    EXPECT_NEAR(result.trace.powerCappedSeconds.value(), 0.23, 1e-9);
    EXPECT_FALSE(result.trace.thermalCappedSeconds.has_value());
    // Each point has what the counter had risen by since the first.
    EXPECT_EQ(result.trace.points.front().powerCappedSeconds, 0.0);
    const DevicePoint& last = result.trace.points.back();
    EXPECT_NEAR(last.powerCappedSeconds.value(), 0.2 * (last.at + 0.2), 1e-6);
    EXPECT_FALSE(result.trace.points.back().thermalCappedSeconds.has_value());
    EXPECT_NEAR(cappedShare(result.trace, &DevicePoint::powerCappedSeconds, 0.1, 0.6).value(), 0.2,
                1e-6);
    EXPECT_EQ(result.memory.processPeak, 423 * kMiB) << "what the driver counts for the worker";
    EXPECT_THAT(result.trace.foreignProcesses, IsEmpty());
    EXPECT_THAT(result.notes, IsEmpty());
}

TEST(Trace, SamplesThatWereDisturbedAreListed)
{
    auto samples = readings();
    for (const std::size_t i : {9U, 10U})  // 0.25 and 0.3 s after the cell began
        samples[i].gpus[1].clockEventReasons = 0x40;
    CellResult result = tenSamples();
    addTrace(samples, 1, kWorkerPid, {kWorkerPid}, result);
    ASSERT_FALSE(result.discards.empty());
    EXPECT_EQ(result.discards.front().cause, Slowdown::Heat);
    EXPECT_EQ(result.passSeconds().size(), 10U - result.discards.size());
    EXPECT_EQ(result.hostSeconds.size(), 10U) << "raw samples stay";
}

// Readings of the warm-up are looked at before they are thinned out.
TEST(Trace, SaysWhatThereIsToSayOfTheClock)
{
    CellResult result = tenSamples();
    result.phases = {{Phase::Warmup, 0.32, -0.2}, {Phase::Measure, 0.5, 0.1}};
    result.trace.maximumClockMegahertz = 1980.0;
    auto samples = readings();
    for (TelemetrySample& sample : samples)
        sample.gpus[1].smClockMegahertz = sample.seconds < 100.12 ? 1900.0 : 1200.0;
    addTrace(samples, 1, kWorkerPid, {kWorkerPid}, result);
    ASSERT_EQ(result.notes.size(), 2U);
    EXPECT_EQ(result.notes[0].code, NoteCode::ClockLow);
    EXPECT_EQ(result.notes[0].number(0), 1200.0);
    EXPECT_EQ(result.notes[0].number(1), 1980.0);
    EXPECT_EQ(result.notes[1], (Note{NoteCode::ClockMoving, {1900.0, 1200.0}}));
    EXPECT_THAT(result.discards, IsEmpty());
}

TEST(Trace, ForeignProcessesAreNamed)
{
    auto samples = readings();
    const std::int64_t self = ::getpid();
    const std::string name = std::string(::program_invocation_short_name).substr(0, 15);
    samples[5].processes[1].push_back({self, 3 * kMiB});
    samples[6].processes[1].push_back({self, 5 * kMiB});
    samples[5].processes[1].push_back({499, kMiB});              // the worker of the cell before
    samples[5].processes[1].push_back({501, kMiB, kWorkerPid});  // a compiler that it started
    samples[6].processes[1].push_back({501, kMiB, 0});           // which has just ended
    CellResult result = tenSamples();
    addTrace(samples, 1, kWorkerPid, {499, kWorkerPid}, result);
    ASSERT_EQ(result.trace.foreignProcesses.size(), 1U);
    EXPECT_EQ(result.trace.foreignProcesses[0], (ForeignProcess{name, self, 5 * kMiB}));
    EXPECT_THAT(result.notes,
                Contains(Note{NoteCode::ForeignProcess, {name, double(self), double(5 * kMiB)}}));
}

TEST(Trace, NumbersOfAnotherNamespaceClaimNothing)
{
    CellResult result = tenSamples();
    addTrace(readings(), 1, 77, {77}, result);
    EXPECT_THAT(result.trace.foreignProcesses, IsEmpty());
    EXPECT_EQ(result.memory.processPeak, 410 * kMiB) << "as the worker saw it";
}

TEST(Trace, MemoryOfTheProcessIsThatOfTheCounterThatWasTested)
{
    CellResult result = tenSamples();
    result.memory.selfTest = passedTest(ProcessCounter::WholeDevice);
    result.memory.processPeak = 9000 * kMiB;
    addTrace(readings(), 1, kWorkerPid, {kWorkerPid}, result);
    EXPECT_EQ(result.memory.processPeak, 9000 * kMiB);
    result = tenSamples();
    result.memory.processPeak = 430 * kMiB;
    addTrace(readings(), 1, kWorkerPid, {kWorkerPid}, result);
    EXPECT_EQ(result.memory.processPeak, 430 * kMiB) << "the worker looked at a better moment";
    result = tenSamples();
    result.memory.selfTest.result = SelfTestResult::Failed;
    result.memory.processPeak.reset();
    addTrace(readings(), 1, kWorkerPid, {kWorkerPid}, result);
    EXPECT_EQ(result.memory.processPeak, std::nullopt) << "the counters are not believed";
}

// A gibibyte that was taken and given back to test the counters is no memory of the cell.
TEST(Trace, MemoryOfTheProcessHasNoSelfTestInIt)
{
    const auto peakWith = [](std::vector<PhaseTime> before) {
        auto samples = readings();
        for (TelemetrySample& sample : samples) {
            if (sample.seconds < 100.32)
                sample.processes[1].front().usedBytes = 1704 * kMiB;
        }
        CellResult result = tenSamples();
        for (PhaseTime& phase : before)
            result.phases.insert(result.phases.begin(), phase);
        addTrace(samples, 1, kWorkerPid, {kWorkerPid}, result);
        return result.memory.processPeak;
    };
    EXPECT_EQ(peakWith({{Phase::SelfTest, 0.32, 0.01}}), 423 * kMiB);
    EXPECT_EQ(peakWith({{Phase::SelfTest, 0.28, 0.0}}), 1704 * kMiB) << "still held after it";
    EXPECT_EQ(peakWith({{Phase::Load, 0.3, 0.0}}), 1704 * kMiB) << "that of the cell counts";
}

// The report of layers holds weights of the reference beside those of the cell.
TEST(Trace, MemoryOfTheProcessEndsWithTheOutputs)
{
    auto samples = readings();
    for (TelemetrySample& sample : samples) {
        if (sample.seconds > 100.75)
            sample.processes[1].front().usedBytes = 3000 * kMiB;
    }
    CellResult result = tenSamples();
    addTrace(samples, 1, kWorkerPid, {kWorkerPid}, result);
    EXPECT_EQ(result.memory.processPeak, 3000 * kMiB) << "nothing says where the cell ended";
    result = tenSamples();
    result.phases.push_back({Phase::Outputs, 0.6, 0.12});
    addTrace(samples, 1, kWorkerPid, {kWorkerPid}, result);
    EXPECT_LT(result.memory.processPeak, 423 * kMiB);
    EXPECT_GE(result.memory.processPeak, 415 * kMiB);
}

TEST(Trace, WithoutReadingsTheRowStaysAsItIs)
{
    CellResult result = tenSamples();
    addTrace({}, 1, kWorkerPid, {kWorkerPid}, result);
    EXPECT_EQ(result.trace, DeviceTrace());
    EXPECT_EQ(result.memory.processPeak, 410 * kMiB);
}

// The same reading twenty times a second.
std::vector<TelemetrySample> steadyReadings(double seconds)
{
    constexpr double kPeriod = 0.05;
    std::vector<TelemetrySample> samples(static_cast<std::size_t>(std::lround(seconds / kPeriod)),
                                         readings().front());
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i].seconds = 100.0 + kPeriod * static_cast<double>(i);
    return samples;
}

TEST(Trace, IsSparseWhereNothingWasMeasured)
{
    const auto samples = steadyReadings(60.0);
    CellResult result = tenSamples();
    result.phases = {{Phase::Warmup, 40.0, 0.0}, {Phase::Measure, 2.0, 40.0}};
    addTrace(samples, 1, kWorkerPid, {kWorkerPid}, result);
    EXPECT_LT(result.trace.points.size(), 200U);
    EXPECT_GT(result.trace.points.size(), 150U);
}

TEST(Trace, ACompilerIsLookedAtSeldom)
{
    CellResult result = tenSamples();
    result.phases = {
        {Phase::Package, 30.0, 1.0}, {Phase::Warmup, 5.0, 40.0}, {Phase::Measure, 1.0, 45.0}};
    addTrace(steadyReadings(60.0), 1, kWorkerPid, {kWorkerPid}, result);
    const auto between = [&](double from, double to) {
        const auto& points = result.trace.points;
        return std::count_if(points.begin(), points.end(), [&](const DevicePoint& point) {
            return point.at > from && point.at < to;
        });
    };
    EXPECT_LE(between(0.0, 39.0), 9);
    EXPECT_GE(between(40.0, 45.0), 9) << "the clock of the warm-up";
    EXPECT_GE(between(45.0, 46.0), 15) << "all of the samples";
}

TEST(Trace, IsDenseWhereEnergyBeginsAndEnds)
{
    CellResult result = tenSamples();
    result.phases = {{Phase::Measure, 2.0, 10.0}};
    result.energy = PassStretch{.passes = 100, .start = 30.0, .seconds = 20.0};
    addTrace(steadyReadings(60.0), 1, kWorkerPid, {kWorkerPid}, result);
    const auto between = [&](double from, double to) {
        const auto& points = result.trace.points;
        return std::count_if(points.begin(), points.end(), [&](const DevicePoint& point) {
            return point.at > from && point.at < to;
        });
    };
    EXPECT_GE(between(29.8, 30.2), 7);
    EXPECT_GE(between(49.8, 50.2), 7);
    EXPECT_LE(between(38.0, 40.0), 5) << "a counter misses nothing in between";
}

TEST(Trace, AnHourOfSamplingStaysSmall)
{
    const auto samples = steadyReadings(3600.0);
    CellResult result = tenSamples();
    result.phases = {{Phase::Measure, 3598.0, 1.0}};
    addTrace(samples, 1, kWorkerPid, {kWorkerPid}, result);
    EXPECT_LE(result.trace.points.size(), 4100U);
    EXPECT_GT(result.trace.points.size(), 3000U);
}

TEST(Watch, NamesStrangersOfACellThatFailed)
{
    DeviceWatch watch(QS_FAKE_NVML, 0.005);
    const double begin = Telemetry::now();
    ASSERT_TRUE(watch.prepare("GPU-first", true, std::stop_token()));
    // The driver of the test lists 41 and one more.
    EXPECT_THAT(watch.strangersSince(begin, 999), IsEmpty()) << "its worker is not listed";
    EXPECT_THAT(watch.strangersSince(begin, 41),
                ElementsAre(testing::Field(&ForeignProcess::pid, 42)));
}

TEST(Watch, ReadsTheGpuOfTheCell)
{
    DeviceWatch watch(QS_FAKE_NVML, 0.005);
    ASSERT_TRUE(watch.prepare("GPU-first", true, std::stop_token()));
    CellResult result;
    result.began = Telemetry::now();
    result.memory.processPeak = 5;
    result.memory.selfTest = passedTest(ProcessCounter::Driver);
    watch.finish(41, result);
    ASSERT_FALSE(result.trace.points.empty());
    EXPECT_GT(result.trace.points.back().smClockMegahertz.value(), 1000.0);
    EXPECT_EQ(result.trace.points.back().powerWatts, 350.5);
    EXPECT_EQ(result.trace.maximumClockMegahertz, 1980.0);
    EXPECT_EQ(result.memory.processPeak, 1024 * kMiB);
    EXPECT_FALSE(result.trace.leftOverBytes.has_value());
    EXPECT_THAT(result.trace.foreignProcesses,
                ElementsAre(testing::Field(&ForeignProcess::pid, 42)));
}

TEST(Watch, MemoryThatDoesNotComeBackIsToldOnTheNextRow)
{
    DeviceWatch watch(QS_FAKE_NVML, 0.005, 0.1);
    const auto runCell = [&](bool fresh) {
        EXPECT_TRUE(watch.prepare("GPU-first", fresh, std::stop_token()));
        CellResult result;
        result.began = Telemetry::now();
        watch.finish(41, result);
        return result.trace.leftOverBytes;
    };
    EXPECT_EQ(runCell(true), std::nullopt);
    ::setenv("QS_FAKE_NVML_USED", "50000000", 1);
    EXPECT_EQ(runCell(true), std::nullopt) << "a little is no matter";
    ::setenv("QS_FAKE_NVML_USED", "500000040", 1);
    EXPECT_EQ(runCell(false), std::nullopt) << "a worker that is kept holds its weights";
    EXPECT_EQ(runCell(true), 500'000'000);
    ::unsetenv("QS_FAKE_NVML_USED");
    EXPECT_EQ(runCell(true), std::nullopt);
}

TEST(Watch, SaysWhenThereIsNothingToWatch)
{
    DeviceWatch none("/nonexistent/libnvidia-ml.so.1", 0.005);
    EXPECT_FALSE(none.prepare("GPU-first", true, std::stop_token()));
    DeviceWatch other(QS_FAKE_NVML, 0.005);
    EXPECT_FALSE(other.prepare("GPU-of-elsewhere", true, std::stop_token()));
    CellResult result;
    result.began = Telemetry::now();
    other.finish(41, result);
    EXPECT_EQ(result.trace, DeviceTrace());
}

}  // namespace
}  // namespace qs::core
