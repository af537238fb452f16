#include "tests/widgets/measured/traced_row.h"

#include "tests/support/sample_run.h"

#include <cmath>

namespace qs::tests {

using namespace core;

namespace {

constexpr double kPass = 0.02;
constexpr double kFirstSample = 8.0;
constexpr std::uint64_t kPowerCap = 0x4;
constexpr const char* kRule = "absmax / 127.5, quantized values -128 … 127";

// Between these the power cap holds the clock down.
bool isSlow(double at)
{
    return at > kFirstSample + 0.9 && at < kFirstSample + 1.3;
}

DeviceTrace trace(double end)
{
    DeviceTrace trace;
    trace.maximumClockMegahertz = 1980.0;
    for (double at = 0.0; at < end; at += 0.1) {
        DevicePoint point;
        point.at = at;
        const bool busy = at > 6.0;
        point.smClockMegahertz = isSlow(at) ? 1650.0 : busy ? 1980.0 : 1500.0;
        point.powerWatts = busy ? 610.0 + 20.0 * std::sin(7.0 * at) : 120.0 + 10.0 * at;
        point.temperatureCelsius = 40.0 + std::floor(at);
        point.energyJoules = 500.0 * at;
        point.slowdownBits = isSlow(at) ? kPowerCap : 0;
        point.powerCappedSeconds = trace.points.empty() ? 0.0
                                                        : *trace.points.back().powerCappedSeconds +
                                                              (isSlow(at) ? 0.08 : 0.0);
        point.thermalCappedSeconds = 0.0;
        trace.points.push_back(point);
    }
    trace.powerCappedSeconds = 0.4;
    trace.foreignProcesses = {{"python3", 812, std::int64_t{3} << 29U}};
    return trace;
}

}  // namespace

CellResult tracedResult(int samples)
{
    CellResult result;
    result.began = 1234.5;
    result.phases = {{Phase::Load, 1.2, 0.1},
                     {Phase::Quantize, 0.4, 1.3},
                     {Phase::FirstPass, 2.5, 1.8},
                     {Phase::MemoryPass, 0.3, 4.4},
                     {Phase::Capture, 0.5, 4.8},
                     {Phase::Compile, 3.7, 1.7},
                     {Phase::Warmup, 2.5, 5.45},
                     {Phase::Measure, samples * kPass + 0.1, 7.98},
                     {Phase::Outputs, 0.3, 8.1 + samples * kPass}};
    for (int i = 0; i < 60; ++i)
        result.warmupSeconds.push_back(kPass * (1.0 + 3.0 * std::exp(-i / 4.0)));
    double at = kFirstSample;
    for (int i = 0; i < samples; ++i) {
        const double slow = isSlow(at) ? 1.18 : 1.0;
        const double seconds =
            0.0195 * slow * (1.0 + 0.004 * std::sin(2.7 * i) + 0.002 * std::sin(13.1 * i));
        result.sampleStart.push_back(at);
        result.deviceSeconds.push_back(seconds);
        result.hostSeconds.push_back(seconds + 60e-6);
        if (isSlow(at))
            result.discards.push_back({static_cast<std::size_t>(i), Slowdown::PowerCap});
        at += kPass * slow;
    }
    result.trace = trace(at + 0.4);
    result.warmupPasses = 75;
    result.conditions = Conditions{.cache = CacheState::Warm, .streamHeld = true};
    result.executed = {{.stage = "encoder",
                        .scheme = "int8dq",
                        .matched = 8,
                        .layers = 10,
                        .activationRule = kRule,
                        .products = {{"aten::_int_mm", DType::Int32, 8, 8},
                                     {"aten::linear", DType::BFloat16, 2, 2}}},
                       {.stage = "decoder",
                        .scheme = "int8dq",
                        .matched = 20,
                        .layers = 22,
                        .activationRule = kRule,
                        .products = {{"aten::_int_mm", DType::Int32, 20, 20},
                                     {"aten::linear", DType::BFloat16, 2, 2}}}};
    result.attention = "flash";
    return result;
}

RunData tracedRun(int samples)
{
    RunData data = sampleRun();
    const std::string id = sampleCellId("int8dq", "none", 4);
    for (Measurement& row : data.measurements) {
        double at = kFirstSample;
        for (const double seconds : row.result.hostSeconds) {
            row.result.sampleStart.push_back(at);
            at += seconds;
        }
        if (row.cellId != id)
            continue;
        row.result = tracedResult(samples);
        if (row.round != 1)
            continue;
        row.failure = Failure{.kind = FailureKind::OutOfMemory,
                              .phase = Phase::Measure,
                              .detail = "CUDA out of memory while measuring"};
        row.result = {};
        row.result.phases = {{Phase::Load, 1.2, 0.1}};
    }
    return data;
}

}  // namespace qs::tests
