#include "core/analysis/gates.h"

#include "core/report/report.h"
#include "core/report/words/gate_text.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace qs::core {
namespace {

using testing::HasSubstr;
using tests::addFailure;
using tests::addQuality;
using tests::addRow;
using tests::runOf;

// A reference, a faster cell, both trained and timed three times.
RunData trainedRun()
{
    RunData data = runOf({{.id = "r", .reference = "r"},
                          {.id = "q", .precision = "int8dq", .batch = 1, .reference = "r"}});
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = true;
    for (int round = 0; round < 3; ++round) {
        addRow(data, "r", round, {0.2, 0.2, 0.2});
        addRow(data, "q", round, {0.1, 0.1, 0.1});
    }
    addQuality(data, "q", "r", 0, 0.98, 31.0);
    addQuality(data, "q", "r", 1, 0.99, 33.0);
    return data;
}

// The same work twice while something else uses the machine.
RunData busyRun()
{
    RunData data = runOf({{.id = "r", .reference = "r"},
                          {.id = "q", .precision = "int8dq", .batch = 1, .reference = "r"}});
    const std::vector<std::vector<double>> reference{{0.2, 0.3}, {0.9, 1.0}, {0.4, 0.5}};
    const std::vector<std::vector<double>> other{{0.3, 0.3001}, {0.2, 0.25}, {0.15, 0.3}};
    for (std::size_t round = 0; round < 3; ++round) {
        addRow(data, "r", static_cast<int>(round), reference[round]);
        addRow(data, "q", static_cast<int>(round), other[round]).result.memory.allocatedPeak = 100;
    }
    return data;
}

CellGates gatesOf(const RunData& data, const std::vector<std::string>& texts, std::size_t cell)
{
    std::vector<Gate> gates;
    for (const std::string& text : texts)
        gates.push_back(gateFromText(text).value());
    return evaluateGates(data, analyse(data, "best-bf16"), gates)[cell];
}

GateResult gateOf(const RunData& data, const std::string& text, std::size_t cell = 1)
{
    const CellGates gates = gatesOf(data, {text}, cell);
    EXPECT_EQ(gates.size(), 1U);
    return gates.empty() ? GateResult{} : gates.front();
}

std::string textOf(const RunData& data, const std::string& text, std::size_t cell = 1)
{
    return gateResultText(gateOf(data, text, cell));
}

TEST(Gates, AValueInDoubtKeepsNoPromise)
{
    RunData data = trainedRun();
    ASSERT_EQ(gateOf(data, "speedup >= 1.2").verdict, GateVerdict::Pass);
    for (Measurement& row : data.measurements) {
        if (row.cellId == "q")
            row.result.executed = tests::ranSomethingElse();
    }
    const GateResult result = gateOf(data, "speedup >= 1.2");
    EXPECT_EQ(result.verdict, GateVerdict::Fail);
    EXPECT_TRUE(result.doubted);
    EXPECT_EQ(textOf(data, "speedup >= 1.2"), "speedup >= 1.2: result has a warning");
    // What fails by its value says so; what cannot be tested stays that.
    EXPECT_EQ(textOf(data, "ssim_mean >= 0.99"), "ssim_mean 0.9850 < 0.99");
    EXPECT_EQ(gateOf(data, "speedup >= 1.2 for device=H9000").verdict, GateVerdict::NotTestable);
}

TEST(Gates, HoldMeasuredValuesAgainstLimits)
{
    const RunData data = trainedRun();
    EXPECT_EQ(gateOf(data, "ssim_mean >= 0.98").verdict, GateVerdict::Pass);
    EXPECT_EQ(gateOf(data, "ssim_mean >= 0.99").verdict, GateVerdict::Fail);
    EXPECT_EQ(textOf(data, "ssim_mean >= 0.99"), "ssim_mean 0.9850 < 0.99");
    EXPECT_EQ(textOf(data, "ssim_worst >= 0.9"), "ssim_worst 0.9800 (>= 0.9)");
    EXPECT_EQ(textOf(data, "latency < 90 ms"), "latency 100.0 ms >= 90 ms");
    EXPECT_EQ(gateOf(data, "throughput >= 9").measured, 10.0);
    EXPECT_EQ(gateOf(data, "speedup >= 1.9").verdict, GateVerdict::Pass);
    EXPECT_EQ(gateOf(data, "psnr_mean >= 32").measured, 32.0);
    EXPECT_EQ(gateOf(data, "psnr_worst >= 32").measured, 31.0);
    EXPECT_EQ(gateOf(data, "max_difference_worst <= 0.1").verdict, GateVerdict::Pass);
    EXPECT_EQ(gateOf(data, "cv <= 0.1 %").verdict, GateVerdict::Pass);
}

TEST(Gates, WhatIsCloseToTheLimitIsShownWithEnoughDigits)
{
    RunData data = trainedRun();
    data.qualities.clear();
    addQuality(data, "q", "r", 0, 0.98999999);
    EXPECT_EQ(textOf(data, "ssim_mean >= 0.99"), "ssim_mean 0.98999999 < 0.99");
}

TEST(Gates, SayWhyTheyCannotBeTested)
{
    RunData data = trainedRun();
    EXPECT_EQ(gateOf(data, "speedup >= 2", 0).reason, GateReason::IsBaseline);
    EXPECT_EQ(gateOf(data, "break_even_cold <= 9", 0).reason, GateReason::IsBaseline);
    EXPECT_EQ(gateOf(data, "ssim_mean >= 0.5", 0).reason, GateReason::IsReference);
    EXPECT_EQ(gateOf(data, "noise_multiple <= 2").reason, GateReason::FloorUnknown);
    EXPECT_EQ(gateOf(data, "reconstruction_psnr >= 20").reason, GateReason::InputsNotCompared);
    EXPECT_EQ(gateOf(data, "allocated_peak <= 1 GiB").reason, GateReason::NoMemory);
    EXPECT_EQ(gateOf(data, "torchmetrics_ssim_mean >= 0.5").reason, GateReason::NotMeasured)
        << "the run was recorded without it";
    for (PlannedCell& cell : data.plan.cells)
        cell.trained = false;
    EXPECT_EQ(gateOf(data, "ssim_mean >= 0.5").reason, GateReason::Untrained);
    // Numbers differ with any weights.
    EXPECT_EQ(gateOf(data, "max_difference_worst < 1").verdict, GateVerdict::Pass);
    data.plan.cells[1].impossible = remark("no");
    EXPECT_EQ(gateOf(data, "cv <= 1 %").reason, GateReason::CannotRun);
}

TEST(Gates, WaitForRowsAndForThreeRounds)
{
    RunData data = runOf(
        {{.id = "r", .reference = "r"}, {.id = "q", .precision = "int8dq", .reference = "r"}});
    EXPECT_EQ(gateOf(data, "latency < 1 s").reason, GateReason::NotMeasured);
    for (int round = 0; round < 2; ++round) {
        addRow(data, "r", round, {0.2});
        addRow(data, "q", round, {0.1});
    }
    EXPECT_EQ(gateOf(data, "speedup >= 1.5").reason, GateReason::FewRounds);
    // Neither what holds by its value nor what does not: two repeats show nothing.
    for (const char* gate : {"speedup >= 1.5", "speedup >= 5", "latency < 1 s", "throughput < 1"}) {
        EXPECT_EQ(gateOf(data, gate).verdict, GateVerdict::Undecided) << gate;
        EXPECT_EQ(gateOf(data, gate).reason, GateReason::FewRounds) << gate;
    }
    addFailure(data, "r", 2, FailureKind::OutOfMemory);
    RunData broken = runOf({{.id = "r", .reference = "r"}});
    addFailure(broken, "r", 0, FailureKind::OutOfMemory);
    EXPECT_EQ(gateOf(broken, "latency < 1 s", 0).reason, GateReason::NotOk);
    EXPECT_EQ(textOf(broken, "latency < 1 s", 0), "latency < 1 s: the cell is oom");
}

TEST(Gates, AreUndecidedWhereTheLimitLiesWithinTheInterval)
{
    const RunData data = busyRun();
    const Analysis analysis = analyse(data, "best-bf16");
    ASSERT_GT(*analysis.find("q")->speedup, 1.2);
    GateResult result = gateOf(data, "speedup >= 1.2");
    EXPECT_EQ(result.verdict, GateVerdict::Undecided) << "1.2 lies within the interval of noise";
    ASSERT_TRUE(result.interval);
    EXPECT_LT(result.interval->lower, 1.2);
    EXPECT_THAT(textOf(data, "speedup >= 1.2"),
                testing::MatchesRegex("speedup .* \\[.*\\] around >= 1.2"));
    EXPECT_EQ(gateOf(data, "speedup < 1.2").verdict, GateVerdict::Undecided) << "either way";
    // Far enough from the noise gates decide.
    EXPECT_EQ(gateOf(data, "speedup < 1000").verdict, GateVerdict::Pass);
    EXPECT_EQ(gateOf(data, "speedup > 1000").verdict, GateVerdict::Fail);
    for (const char* gate : {"latency < 0.3 s", "throughput > 3", "cv < 5 %"})
        EXPECT_EQ(gateOf(data, gate).verdict, GateVerdict::Undecided) << gate;
    EXPECT_EQ(gateOf(data, "latency > 100 s").verdict, GateVerdict::Fail);
    // Memory is the same in every round.
    EXPECT_EQ(gateOf(data, "allocated_peak <= 100 B").verdict, GateVerdict::Pass);
    const GateCounts counts = countGates(gatesOf(data, {"speedup >= 1.2", "latency < 1000 s"}, 1));
    EXPECT_EQ(counts.undecided, 1);
    EXPECT_EQ(counts.passed + counts.failed + counts.notTestable, 1);
}

TEST(Gates, OfMemoryCompareWithTheSpeedBaseline)
{
    RunData data = trainedRun();
    for (Measurement& row : data.measurements) {
        row.result.memory.allocatedPeak = row.cellId == "q" ? 1030 : 1000;
        row.result.memory.reservedPeak = row.cellId == "q" ? 3050 : 2000;
        row.result.memory.selfTest.result = SelfTestResult::Passed;
    }
    data.plan.preset.speedBaseline = "bf16-eager";
    const auto overheadOf = [&](const char* gate) {
        return evaluateGates(data, analyse(data, "bf16-eager"), {gateFromText(gate).value()});
    };
    const GateResult own = overheadOf("memory_overhead <= 2 %")[1].at(0);
    EXPECT_EQ(own.verdict, GateVerdict::Fail);
    EXPECT_NEAR(*own.measured, 0.03, 1e-12);
    EXPECT_EQ(overheadOf("memory_overhead <= 3.5 %")[1].at(0).verdict, GateVerdict::Pass);
    EXPECT_EQ(overheadOf("memory_overhead <= 2 %")[0].at(0).reason, GateReason::IsBaseline);
    const GateResult reserved = overheadOf("reserved_overhead <= 3 %")[1].at(0);
    EXPECT_NEAR(*reserved.measured, 0.525, 1e-12);
    EXPECT_EQ(overheadOf("reserved_overhead <= 3 %")[0].at(0).reason, GateReason::IsBaseline);
    for (Measurement& row : data.measurements)
        row.result.memory.allocatedPeak.reset();
    EXPECT_EQ(overheadOf("memory_overhead <= 2 %")[1].at(0).verdict, GateVerdict::NotTestable);
    std::erase_if(data.measurements, [](const Measurement& row) { return row.cellId == "r"; });
    EXPECT_EQ(overheadOf("memory_overhead <= 2 %")[1].at(0).reason, GateReason::NoBaseline);
}

TEST(Gates, ThatAreUndecidedStandInEveryReport)
{
    RunData data = busyRun();
    data.plan.preset.gates = {gateFromText("speedup >= 1.2").value()};
    const Analysis analysis = analyse(data, "best-bf16");
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("0 of 1 pass, 1 undecided"));
    EXPECT_THAT(summaryMarkdown(data, analysis), HasSubstr("| Undecided |"));
    EXPECT_THAT(cellsCsv(data, analysis, true), HasSubstr("gates_undecided"));
    EXPECT_THAT(cellsCsv(data, analysis, true), HasSubstr("undecided: speedup"));
    const Json gate = reportJson(data, analysis).at("cells").at(1).at("gates").at(0);
    EXPECT_EQ(gate.at("verdict"), "undecided");
    EXPECT_LT(gate.at("interval_95").at(0).get<double>(), 1.2);
}

TEST(Gates, SpeakOfCertainConditionsOnly)
{
    RunData data = trainedRun();
    DeviceDescription device;
    device.id = "cpu";
    device.name = "Some processor";
    data.plan.devices = {device};
    EXPECT_TRUE(gatesOf(data, {"latency < 1 s for batch=2"}, 1).empty());
    EXPECT_TRUE(gatesOf(data, {"latency < 1 s for layers=mlp"}, 1).empty());
    EXPECT_EQ(gatesOf(data, {"latency < 1 s for layers=all"}, 1).size(), 1U);
    EXPECT_TRUE(gatesOf(data, {"latency < 1 s for precision=bf16"}, 1).empty());
    EXPECT_TRUE(gatesOf(data, {"latency < 1 s for model=demo"}, 1).empty());
    EXPECT_EQ(gatesOf(data, {"latency < 1 s for precision=int8dq; batch=1; model=m"}, 1).size(),
              1U);
    const GateResult other = gateOf(data, "latency < 1 s for device=H200");
    EXPECT_EQ(other.reason, GateReason::NoMatch);
    EXPECT_EQ(other.device, "Some processor");
    EXPECT_EQ(gateOf(data, "latency < 1 s for device=processor").verdict, GateVerdict::Pass);
    // The device that was measured on counts, not the one that was planned for.
    Environment environment;
    device.name = "NVIDIA H200";
    environment.devices = {device};
    data.environments = {environment};
    for (Measurement& row : data.measurements)
        row.environmentId = environment.id();
    EXPECT_EQ(gateOf(data, "latency < 1 s for device=H200").verdict, GateVerdict::Pass);
}

TEST(Gates, PicturesOfAnotherEnvironmentAreNotTestedHere)
{
    RunData data = trainedRun();
    for (OutputQuality& quality : data.qualities)
        quality.environmentId = "e2";
    for (const char* text : {"ssim_mean >= 0.5", "psnr_worst >= 1 dB", "max_difference_worst <= 1"})
        EXPECT_EQ(gateOf(data, text).verdict, GateVerdict::NotTestable) << text;
    for (OutputQuality& quality : data.qualities)
        quality.environmentId = "e1";
    for (const char* text : {"ssim_mean >= 0.5", "psnr_worst >= 1 dB", "max_difference_worst <= 1"})
        EXPECT_EQ(gateOf(data, text).verdict, GateVerdict::Pass) << text;
}

TEST(Gates, ADeviceIsItsIdItsKindOrWholeWordsOfItsName)
{
    const auto holdsFor = [](const char* wanted, const char* name, DeviceKind kind) {
        RunData data = trainedRun();
        DeviceDescription device;
        device.id = kind == DeviceKind::Cpu ? "cpu" : "cuda:0";
        device.name = name;
        device.kind = kind;
        data.plan.devices = {device};
        for (PlannedCell& cell : data.plan.cells)
            cell.config.device = device.id;
        return gateOf(data, std::string("latency < 1 s for device=") + wanted).verdict ==
               GateVerdict::Pass;
    };
    for (const char* wanted : {"cuda:0", "CUDA:0", "cuda", "gpu", "H200", "h200", "NVIDIA H200"})
        EXPECT_TRUE(holdsFor(wanted, "NVIDIA H200", DeviceKind::Cuda)) << wanted;
    for (const char* wanted : {"cuda:1", "cpu", "H20", "200", "H200 NVIDIA", "A100"})
        EXPECT_FALSE(holdsFor(wanted, "NVIDIA H200", DeviceKind::Cuda)) << wanted;
    EXPECT_FALSE(holdsFor("A10", "NVIDIA A100-SXM4-80GB", DeviceKind::Cuda));
    EXPECT_TRUE(holdsFor("A100-SXM4-80GB", "NVIDIA A100-SXM4-80GB", DeviceKind::Cuda));
    EXPECT_TRUE(holdsFor("A100", "NVIDIA A100-SXM4-80GB", DeviceKind::Cuda));
    for (const char* wanted : {"cpu", "CPU", "Xeon(R)", "Platinum 8480+"})
        EXPECT_TRUE(holdsFor(wanted, "Intel(R) Xeon(R) Platinum 8480+", DeviceKind::Cpu)) << wanted;
    for (const char* wanted : {"cuda", "gpu", "8480"})
        EXPECT_FALSE(holdsFor(wanted, "Intel(R) Xeon(R) Platinum 8480+", DeviceKind::Cpu))
            << wanted;
}

TEST(Gates, NothingIsExpectedOfWhatThePlanAdded)
{
    RunData data = trainedRun();
    data.plan.cells[0].role = CellRole::QualityReference;
    EXPECT_TRUE(gatesOf(data, {"cv <= 1 %"}, 0).empty());
    EXPECT_TRUE(evaluateGates(data, analyse(data, "best-bf16"))[1].empty());  // no gates at all
}

TEST(Gates, WaitForTheWholeNoiseFloor)
{
    RunData data = trainedRun();
    PlannedCell golden = data.plan.cells[0];
    golden.id = "fp32";
    golden.config.precision = {"fp32"};
    golden.role = CellRole::NoiseFloor;
    golden.referenceId = "r";
    data.plan.cells.push_back(golden);
    addQuality(data, "fp32", "r", 0, 0.98);
    addQuality(data, "fp32", "r", 1, 0.99);
    EXPECT_EQ(gateOf(data, "noise_multiple <= 2").verdict, GateVerdict::Pass);
    golden.id = "again";
    golden.config.precision = {"bf16"};
    golden.rerun = 1;
    data.plan.cells.push_back(golden);
    EXPECT_EQ(gateOf(data, "noise_multiple <= 2").verdict, GateVerdict::NotTestable);
    EXPECT_EQ(gateOf(data, "noise_multiple <= 2").reason, GateReason::FloorIncomplete);
}

TEST(Gates, IdenticalPicturesAreAsGoodAsCanBe)
{
    RunData data = trainedRun();
    // Of int8 it would be a reason to doubt; a graph of bf16 may well be identical.
    data.plan.cells[1].config.precision = {"bf16"};
    data.plan.cells[1].config.compile = "cuda-graph";
    data.qualities.clear();
    addQuality(data, "q", "r", 0, 1.0);
    EXPECT_EQ(textOf(data, "psnr_mean >= 60"), "psnr_mean identical (>= 60 dB)");
    EXPECT_EQ(gateOf(data, "noise_multiple <= 2").verdict, GateVerdict::Pass);
    EXPECT_EQ(gateOf(data, "psnr_worst < 60").verdict, GateVerdict::Fail);
}

TEST(Gates, NoNumberIsNoPass)
{
    RunData data = trainedRun();
    data.qualities.clear();
    addQuality(data, "q", "r", 0, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(gateOf(data, "ssim_mean >= 0.1").verdict, GateVerdict::NotTestable);
}

TEST(Gates, AreSummedUp)
{
    const RunData data = trainedRun();
    EXPECT_EQ(gatesText(gatesOf(data, {"cv <= 5 %", "latency < 1 s", "ssim_mean > 0.9"}, 1)),
              "3 of 3 pass");
    EXPECT_EQ(gatesText(gatesOf(data, {"cv <= 5 %", "latency < 90 ms", "psnr_mean > 40"}, 1)),
              "fails latency 100.0 ms >= 90 ms, psnr_mean 32.00 dB <= 40 dB");
    EXPECT_EQ(gatesText(gatesOf(data, {"cv <= 5 %", "process_peak < 1 B"}, 1)),
              "1 of 2 pass, 1 not testable here");
    EXPECT_EQ(gatesText(gatesOf(data, {"process_peak < 1 B"}, 1)), "not testable here");
    EXPECT_EQ(gatesText({}), "");
    const RunData busy = busyRun();
    EXPECT_EQ(
        gatesText(gatesOf(busy, {"speedup >= 1.2", "latency < 100 s", "process_peak < 1 B"}, 1)),
        "1 of 3 pass, 1 undecided, 1 not testable here");
    EXPECT_EQ(gatesText(gatesOf(busy, {"speedup >= 1.2"}, 1)), "0 of 1 pass, 1 undecided");
}

}  // namespace
}  // namespace qs::core
