#include "core/analysis/doubts.h"

#include "core/analysis/find_answer.h"
#include "core/device/description.h"
#include "tests/analysis/analysis_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using tests::addQuality;
using tests::addRow;
using tests::runOf;

RunData soundRun()
{
    RunData data = runOf({{.id = "ref", .reference = "ref"},
                          {.id = "graph", .compile = "cuda-graph", .reference = "ref"},
                          {.id = "int8", .precision = "int8dq", .reference = "ref"}});
    for (PlannedCell& cell : data.plan.cells)
        cell.flops = 1e12;
    for (const char* id : {"ref", "graph", "int8"})
        addRow(data, id, 0, {0.01});
    addQuality(data, "graph", "ref", 0, 1.0);
    addQuality(data, "int8", "ref", 0, 0.99);
    return data;
}

std::vector<Note> doubts(const RunData& data, const char* cell)
{
    return analyse(data, "best-bf16").find(cell)->doubts;
}

TEST(Doubts, ASoundRunHasNone)
{
    const RunData data = soundRun();
    for (const char* id : {"ref", "graph", "int8"})
        EXPECT_THAT(doubts(data, id), IsEmpty()) << id;
}

TEST(Doubts, AnotherPrecisionLeavesATrace)
{
    RunData data = soundRun();
    data.qualities.clear();
    addQuality(data, "graph", "ref", 0, 1.0);
    addQuality(data, "int8", "ref", 0, 1.0);
    EXPECT_THAT(doubts(data, "graph"), IsEmpty()) << "a graph of bf16 may well be identical";
    EXPECT_THAT(doubts(data, "int8"), ElementsAre(Note{NoteCode::EqualsBf16, {"int8dq"}}));
}

TEST(Doubts, Tf32IsNotFp32OnAGpu)
{
    const auto doubtsOf = [](const char* device, const char* precision, double toGolden) {
        RunData data = runOf({{.id = "ref", .reference = "ref"},
                              {.id = "fp32", .precision = "fp32", .reference = "ref"},
                              {.id = "other", .precision = precision, .reference = "ref"}});
        for (PlannedCell& cell : data.plan.cells)
            cell.config.device = device;
        data.plan.cells.back().config.compile = "cuda-graph";
        addRow(data, "other", 0, {0.01});
        addQuality(data, "other", "ref", 0, 0.999);
        addQuality(data, "other", "fp32", 0, toGolden);
        return doubts(data, "other");
    };
    EXPECT_THAT(doubtsOf("cuda:0", "tf32", 1.0), ElementsAre(Note{NoteCode::EqualsFp32, {"tf32"}}));
    EXPECT_THAT(doubtsOf("cuda:0", "tf32", 0.99999), IsEmpty());
    EXPECT_THAT(doubtsOf("cuda:0", "fp32", 1.0), IsEmpty()) << "a graph of fp32 may be identical";
    EXPECT_THAT(doubtsOf("cpu", "tf32", 1.0), IsEmpty()) << "which has no tf32";
}

TEST(Doubts, WeightsTakeWhatTheirSchemeSays)
{
    RunData data = soundRun();
    StorageReport& storage = data.measurements.back().result.storage;
    storage = {.weights = 2, .logicalBytes = 1024, .storageBytes = 1024};
    EXPECT_THAT(doubts(data, "int8"), IsEmpty());
    storage.storageBytes = 4096;
    storage.add({"decoder/fc.weight", 512, 3584});
    EXPECT_THAT(
        doubts(data, "int8"),
        ElementsAre(Note{NoteCode::WrongStorage, {1.0, 4096.0, 1024.0, "decoder/fc.weight"}}));
}

TEST(Doubts, TheModelStaysTheSame)
{
    RunData data = soundRun();
    addRow(data, "int8", 1, {0.01});
    for (Measurement& row : data.measurements)
        row.result.modelContent = "sha256:aa";
    EXPECT_THAT(doubts(data, "int8"), IsEmpty());
    data.measurements.back().result.modelContent.clear();
    EXPECT_THAT(doubts(data, "int8"), IsEmpty()) << "a row of before does not say";
    data.measurements.back().result.modelContent = "sha256:bb";
    EXPECT_THAT(doubts(data, "int8"), ElementsAre(Note{NoteCode::WeightsChanged}));
    EXPECT_THAT(doubts(data, "graph"), IsEmpty());
}

TEST(Doubts, WhatRanIsWhatWasAsked)
{
    RunData data = soundRun();
    data.measurements.back().result.executed = tests::ranSomethingElse();
    EXPECT_THAT(
        doubts(data, "int8"),
        ElementsAre(Note{NoteCode::Mismatch, {"encoder", "aten::_int_mm", "int32", 4.0, 3.0}}));
    const RunAnswer answer = findAnswer(analyse(data, "best-bf16"), {});
    for (const AnswerCandidate& candidate : answer.candidates) {
        if (candidate.cellId == "int8") {
            EXPECT_EQ(candidate.candidacy, Candidacy::Doubtful);
        }
    }
}

// What is not known of them is left out; the words are the reports'.
TEST(Doubts, LayersThatRanOtherwiseAreNamedAsFarAsTheyAreKnown)
{
    RunData data = soundRun();
    ExecutedStage encoder;
    encoder.stage = "encoder";
    encoder.strays = {{.module = "a", .operation = "aten::linear", .type = DType::BFloat16},
                      {.module = "b"},
                      {.weightShape = {8, 16}, .calls = 3},
                      {.calls = 2}};
    data.measurements.back().result.executed = {encoder};
    EXPECT_THAT(
        doubts(data, "int8"),
        ElementsAre(Note{NoteCode::StrayLayer, {"encoder", "a", "aten::linear", "bfloat16"}},
                    Note{NoteCode::StrayLayer, {"encoder", "b", "", ""}},
                    Note{NoteCode::StrayLayers, {"encoder", 3.0, "8×16"}},
                    Note{NoteCode::StrayLayers, {"encoder", 2.0, ""}}));
}

// All cells on this device, each pass taking so long.
void runOn(RunData& data, const std::string& name, double seconds)
{
    const auto& gpus = commonGpus();
    DeviceDescription device = *std::find_if(
        gpus.begin(), gpus.end(), [](const auto& gpu) { return gpu.name == "NVIDIA H200"; });
    device.name = name;
    data.environments = {Environment()};
    data.environments.front().devices = {device};
    for (PlannedCell& cell : data.plan.cells)
        cell.config.device = device.id;
    for (Measurement& row : data.measurements) {
        row.environmentId = data.environments.front().id();
        row.config.device = device.id;
        (row.result.deviceSeconds.empty() ? row.result.hostSeconds
                                          : row.result.deviceSeconds) = {seconds};
    }
}

TEST(Doubts, NothingIsFasterThanTheDevice)
{
    RunData data = soundRun();
    runOn(data, "NVIDIA H200", 0.01);
    EXPECT_THAT(doubts(data, "ref"), IsEmpty()) << "100 TFLOP/s are possible";
    runOn(data, "NVIDIA H200", 0.0006);
    const auto beyond = doubts(data, "ref");
    ASSERT_EQ(beyond.size(), 1U) << "1667 TFLOP/s of bf16 are not";
    EXPECT_EQ(beyond[0].code, NoteCode::BeyondPeak);
    EXPECT_NEAR(beyond[0].number(0), 1667e12, 1e12);
    EXPECT_NEAR(beyond[0].number(1), 989e12, 1e12);
    EXPECT_THAT(doubts(data, "int8"), IsEmpty()) << "of int8 they are";
    runOn(data, "NVIDIA H200 NVL", 0.0006);
    EXPECT_THAT(doubts(data, "ref"), IsEmpty()) << "whose peak is not known has no roof";
}

TEST(Doubts, WeightsHaveToBeRead)
{
    RunData data = soundRun();
    for (PlannedCell& cell : data.plan.cells)
        cell.weightBytesRead = std::int64_t{48} * 1000 * 1000 * 1000;
    runOn(data, "NVIDIA H200", 0.0101);
    EXPECT_THAT(doubts(data, "ref"), IsEmpty());
    runOn(data, "NVIDIA H200", 0.0099);
    const auto beyond = doubts(data, "ref");
    ASSERT_EQ(beyond.size(), 1U);
    EXPECT_EQ(beyond[0].code, NoteCode::BeyondMemory);
    EXPECT_EQ(beyond[0].number(0), 48e9);
    EXPECT_NEAR(beyond[0].number(1), 4.8e12, 1e9);
    for (PlannedCell& cell : data.plan.cells)
        cell.weightBytesRead = std::int64_t{50} << 20U;
    runOn(data, "NVIDIA H200", 0.0011);
    EXPECT_THAT(doubts(data, "ref"), IsEmpty()) << "they may lie in the cache";
}

}  // namespace
}  // namespace qs::core
