#include "core/device/clock_reasons.h"
#include "core/device/nvml.h"
#include "core/device/process_memory.h"
#include "core/device/telemetry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(NvmlLibrary, ReadsWhatAGpuTells)
{
    const auto nvml = Nvml::open(QS_FAKE_NVML);
    ASSERT_TRUE(nvml.ok()) << nvml.error().message;
    ASSERT_EQ(nvml.value().deviceCount(), 2);
    EXPECT_EQ(nvml.value().uuid(0), "GPU-first");
    const GpuReading reading = nvml.value().read(0);
    EXPECT_GT(reading.smClockMegahertz.value_or(0.0), 1000.0);
    EXPECT_DOUBLE_EQ(reading.powerWatts.value_or(0.0), 350.5);
    EXPECT_DOUBLE_EQ(reading.temperatureCelsius.value_or(0.0), 62.0);
    EXPECT_EQ(reading.memoryUsedBytes, 40);
    EXPECT_FALSE(reading.energyJoules) << "the library has no such function";
    EXPECT_DOUBLE_EQ(reading.powerCappedSeconds.value_or(0.0), 2.5);
    EXPECT_DOUBLE_EQ(reading.thermalCappedSeconds.value_or(1.0), 0.0);
    EXPECT_DOUBLE_EQ(nvml.value().maximumSmClock(0).value_or(0.0), 1980.0);
    EXPECT_FALSE(nvml.value().maximumSmClock(1).has_value());
    EXPECT_THAT(slowdownReasons(reading.clockEventReasons.value_or(0)),
                ElementsAre("power cap", "hardware thermal slowdown"));
}

TEST(NvmlLibrary, WhatIsNotToldStaysEmpty)
{
    const auto nvml = Nvml::open(QS_FAKE_NVML);
    ASSERT_TRUE(nvml.ok());
    const GpuReading reading = nvml.value().read(1);
    EXPECT_FALSE(reading.smClockMegahertz || reading.powerWatts || reading.temperatureCelsius ||
                 reading.memoryUsedBytes || reading.clockEventReasons);
    EXPECT_THAT(nvml.value().processes(1), IsEmpty());
}

TEST(NvmlLibrary, NamesProcesses)
{
    const auto nvml = Nvml::open(QS_FAKE_NVML);
    ASSERT_TRUE(nvml.ok());
    const auto processes = nvml.value().processes(0);
    ASSERT_EQ(processes.size(), 2U);
    EXPECT_EQ(processes[0].pid, 41);
    EXPECT_EQ(processes[0].usedBytes, std::int64_t{1} << 30U);
    EXPECT_EQ(processes[1].usedBytes, std::nullopt);
}

TEST(NvmlLibrary, CountsForOneProcess)
{
    const std::vector<GpuProcess> processes{{41, 7}, {42, std::nullopt}};
    EXPECT_EQ(usedBytes(processes, 41), 7);
    EXPECT_EQ(usedBytes(processes, 42), std::nullopt);
    EXPECT_EQ(usedBytes(processes, 43), std::nullopt);
    EXPECT_EQ(usedBytes({}, 41), std::nullopt);
}

TEST(NvmlLibrary, KnowsTheMemoryOfAProcessOnItsGpu)
{
    EXPECT_EQ(ProcessMemory("GPU-first", 41, QS_FAKE_NVML).bytes(), std::int64_t{1} << 30U);
    EXPECT_EQ(ProcessMemory("GPU-first", 42, QS_FAKE_NVML).bytes(), std::nullopt);
    EXPECT_EQ(ProcessMemory("GPU-first", 77, QS_FAKE_NVML).bytes(), std::nullopt);
    EXPECT_EQ(ProcessMemory("GPU-second", 41, QS_FAKE_NVML).bytes(), std::nullopt);
    EXPECT_EQ(ProcessMemory("GPU-third", 41, QS_FAKE_NVML).bytes(), std::nullopt);
    EXPECT_EQ(ProcessMemory("", 41, QS_FAKE_NVML).bytes(), std::nullopt);
    EXPECT_EQ(ProcessMemory("GPU-first", 41, "libno-such-thing.so").bytes(), std::nullopt);
}

TEST(NvmlLibrary, IsAskedForOnlyIfItIsThere)
{
    const auto missing = Nvml::open("/nonexistent/libnvidia-ml.so.1");
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().code, ErrorCode::Unsupported);
    // A library, but another one.
    const auto other = Nvml::open("libz.so.1");
    ASSERT_FALSE(other.ok());
    EXPECT_THAT(other.error().message, HasSubstr("libz"));
}

// Looks once a millisecond, as the thread tells nobody; false if it takes far too long.
bool becomesTrue(const std::function<bool()>& condition)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

// Waits for the driver to be opened.
std::string answerOf(const Telemetry& telemetry)
{
    return becomesTrue([&] { return telemetry.whyNot().has_value(); }) ? *telemetry.whyNot()
                                                                       : "no answer";
}

TEST(TelemetryThread, CollectsReadings)
{
    const Telemetry telemetry(QS_FAKE_NVML, 0.001);
    EXPECT_EQ(answerOf(telemetry), "");
    EXPECT_THAT(telemetry.uuids(), ElementsAre("GPU-first", "GPU-second"));
    std::vector<TelemetrySample> samples;
    ASSERT_TRUE(becomesTrue([&] {
        samples = telemetry.since(0.0);
        return samples.size() >= 3;
    }));
    for (std::size_t i = 1; i < samples.size(); ++i) {
        EXPECT_GT(samples[i].seconds, samples[i - 1].seconds);
        EXPECT_GT(*samples[i].gpus.at(0).smClockMegahertz,
                  *samples[i - 1].gpus.at(0).smClockMegahertz);
    }
    const auto later = telemetry.since(samples[1].seconds);
    ASSERT_FALSE(later.empty());
    EXPECT_EQ(later.front().seconds, samples[2].seconds);
}

TEST(TelemetryThread, WithoutADriverItIsEmptyAndSaysWhy)
{
    const Telemetry telemetry("/nonexistent/libnvidia-ml.so.1");
    EXPECT_THAT(answerOf(telemetry), HasSubstr("no NVIDIA driver"));
    EXPECT_THAT(telemetry.since(0.0), IsEmpty());
    EXPECT_THAT(telemetry.uuids(), IsEmpty());
}

}  // namespace
}  // namespace qs::core
