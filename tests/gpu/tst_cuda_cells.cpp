// Whole cells on a GPU: eager against recorded, against the CPU, memory figures, recovery after out
// of memory.

#include "core/engine/cell_runner.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/npy.h"
#include "core/engine/internal/backend.h"
#include "core/engine/probe/memory_self_test.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/empty_like.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/sin.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <thread>

namespace qs::engine {
namespace {

using core::CellRequest;
using ::testing::Contains;
using ::testing::Not;

class CudaCells : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!whyNoCuda().empty())
            GTEST_SKIP() << "no GPU: " << whyNoCuda();
    }

    CellRequest request(const std::string& precision, const std::string& compile,
                        const std::string& model = "vitok:w128_d2_h4-w192_d3_h3/1x8x16")
    {
        CellRequest request = tests::smallCell(m_folder.path(), model, 4, 64);
        request.config.device = "cuda:0";
        request.config.precision = {precision};
        request.config.compile = compile;
        request.measurement.maximumWarmupSeconds = 0.2;
        request.measurement.maximumSampleSeconds = 0.3;
        return request;
    }

    core::CellResult run(const CellRequest& wish)
    {
        const auto result = m_runner.run(wish, m_silent);
        EXPECT_TRUE(result.ok()) << result.error().message;
        return result.ok() ? result.value() : core::CellResult();
    }

    double relativeDifference(const CellRequest& a, const CellRequest& b)
    {
        run(a);
        const auto first = core::readNpy(m_folder / "output_3.npy").value().values;
        run(b);
        const auto second = core::readNpy(m_folder / "output_3.npy").value().values;
        double error = 0.0;
        double power = 0.0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            error += std::pow(static_cast<double>(first[i]) - second[i], 2.0);
            power += std::pow(static_cast<double>(second[i]), 2.0);
        }
        return std::sqrt(error / power);
    }

    tests::TestFolder m_folder;
    CellRunner m_runner;
    tests::SilentObserver m_silent;
};

TEST_F(CudaCells, ARecordedPassGivesTheBitsOfTheEagerOne)
{
    for (const std::string scheme :
         {"fp32", "bf16", "int8dq", "float8dq-row", "float8dq-tensor", "int8wo"}) {
        const auto eager = run(request(scheme, "none"));
        const auto recorded = run(request(scheme, "cuda-graph"));
        ASSERT_EQ(eager.outputs.size(), 4U);
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(eager.outputs[i].sha256, recorded.outputs[i].sha256) << scheme << " " << i;
        EXPECT_EQ(eager.graphLaunches, 0);
        EXPECT_EQ(recorded.graphLaunches, 2);
        EXPECT_EQ(eager.memory.graphPool, std::nullopt);
        EXPECT_GT(recorded.memory.graphPool.value_or(0), 0);
        EXPECT_LT(recorded.memory.graphPool, recorded.memory.reservedPeak);
    }
}

// Made by the first cell, found by the second: neither's first pass nor its memory has a part in
// it.
TEST_F(CudaCells, AFusedCellSaysWhatItsKernelsAre)
{
    CellRequest wish = request("int8dq", "fused");
    wish.cacheFolder = (m_folder.path() / "cache").string();
    const auto first = run(wish);
    const auto second = run(wish);
    ASSERT_EQ(first.compiles.size(), 2U);
    ASSERT_EQ(second.compiles.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        const core::StageCompile& made = first.compiles[i];
        const core::StageCompile& kept = second.compiles[i];
        EXPECT_FALSE(made.kernels.empty());
        EXPECT_TRUE(core::sameChoices(made.kernels, kept.kernels));
        EXPECT_FALSE(made.fromCache);
        EXPECT_TRUE(kept.fromCache);
        EXPECT_GT(made.coldSeconds, 0.0);
        EXPECT_NEAR(kept.coldSeconds, made.coldSeconds, 1e-3 * made.coldSeconds);
        EXPECT_GT(made.distanceToEager, 0.0);
        EXPECT_LT(made.distanceToEager, made.distanceLimit.value_or(0.0));
        EXPECT_TRUE(std::any_of(made.kernels.begin(), made.kernels.end(),
                                [](const auto& each) { return !each.shape.empty(); }));
    }
    EXPECT_EQ(first.memory.allocatedPeak, second.memory.allocatedPeak);
    EXPECT_LT(first.phase(core::Phase::FirstPass)->seconds,
              first.phase(core::Phase::Package)->seconds);
}

// The same kernels, which the second cell finds, in one recording.
TEST_F(CudaCells, AFusedPassInOneGraphGivesTheBitsOfOneGraphPerStage)
{
    for (const std::string scheme : {"bf16", "int8dq"}) {
        CellRequest wish = request(scheme, "fused");
        wish.cacheFolder = (m_folder.path() / "cache").string();
        const auto byStage = run(wish);
        wish.config.compile = "fused:graph=pass";
        const auto whole = run(wish);
        EXPECT_EQ(byStage.graphLaunches, 2) << scheme;
        EXPECT_EQ(whole.graphLaunches, 1) << scheme;
        ASSERT_EQ(byStage.outputs.size(), 4U);
        ASSERT_EQ(whole.outputs.size(), 4U);
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(whole.outputs[i].sha256, byStage.outputs[i].sha256) << scheme << " " << i;
        ASSERT_EQ(byStage.stages.size(), 2U);
        ASSERT_EQ(whole.stages.size(), 2U);
        ASSERT_EQ(byStage.compiles.size(), 2U);
        ASSERT_EQ(whole.compiles.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_FALSE(byStage.stages[i].seconds.empty()) << scheme;
            EXPECT_TRUE(whole.stages[i].seconds.empty()) << scheme;
            EXPECT_TRUE(core::sameChoices(whole.compiles[i].kernels, byStage.compiles[i].kernels));
        }
        for (const core::Note& note : whole.notes)
            EXPECT_NE(note.code, core::NoteCode::FusedFellBack) << scheme;
    }
}

// Of PyTorch's kernels, those that compute one element from one.
double elementWiseCalls(const core::PassProfile& profile)
{
    double calls = 0.0;
    for (const core::KernelTime& kernel : profile.kernels)
        calls += kernel.name.find("elementwise_kernel") != std::string::npos ? kernel.calls : 0.0;
    return calls;
}

// What two more blocks in the encoder and in the decoder add to a pass.
TEST_F(CudaCells, AFusedBlockIsTenLaunchesAtMost)
{
    for (const std::string scheme : {"bf16", "int8dq", "float8dq-row"}) {
        std::vector<core::PassProfile> profiles;
        for (const std::string model :
             {"vitok:w128_d2_h2-w128_d2_h2/1x8x16", "vitok:w128_d4_h2-w128_d4_h2/1x8x16"}) {
            CellRequest wish = request(scheme, "fused", model);
            wish.profile = true;
            const auto result = run(wish);
            ASSERT_TRUE(result.profile) << scheme;
            profiles.push_back(*result.profile);
        }
        EXPECT_LE((profiles[1].launches - profiles[0].launches) / 4.0, 10.0) << scheme;
        EXPECT_GT(profiles[1].launches, profiles[0].launches) << scheme;
        EXPECT_EQ(elementWiseCalls(profiles[1]), elementWiseCalls(profiles[0])) << scheme;
    }
}

// What the profiler sees of a pass: the same work in both modes, and no more time than it took.
TEST_F(CudaCells, AProfileTellsWhereTheTimeGoes)
{
    for (const std::string scheme : {"bf16", "int8dq", "float8dq-row"}) {
        std::map<std::string, core::PassProfile> profiles;
        for (const std::string mode : {"none", "cuda-graph"}) {
            CellRequest wish = request(scheme, mode);
            wish.profile = true;
            const auto result = run(wish);
            ASSERT_TRUE(result.profile) << scheme << " " << mode;
            profiles[mode] = *result.profile;
            const core::PassProfile& profile = profiles[mode];
            EXPECT_GT(profile.seconds(core::WorkKind::Product), 0.0) << scheme << " " << mode;
            EXPECT_GT(profile.seconds(core::WorkKind::Attention), 0.0) << scheme << " " << mode;
            EXPECT_EQ(profile.seconds(core::WorkKind::Quantize) > 0.0, scheme != "bf16") << mode;
            EXPECT_LT(profile.seconds(core::WorkKind::Unknown), 0.02 * profile.busySeconds)
                << scheme << " " << mode;
            EXPECT_LE(profile.busySeconds, profile.passSeconds);
        }
        // Recording adds nothing, and inputs of a later stage may have to be copied.
        EXPECT_NEAR(profiles["none"].launches, profiles["cuda-graph"].launches, 4.0) << scheme;
        EXPECT_NEAR(profiles["none"].seconds(core::WorkKind::Quantize),
                    profiles["cuda-graph"].seconds(core::WorkKind::Quantize),
                    0.5 * profiles["none"].seconds(core::WorkKind::Quantize) + 1e-9)
            << scheme;
    }
}

// An eager stage leaves its outputs somewhere else in each pass; a recorded one reads one place.
TEST_F(CudaCells, StagesInModesOfTheirOwnGiveTheSameBits)
{
    for (const std::string scheme : {"bf16", "int8dq", "int4wo-32"}) {
        const auto eager = run(request(scheme, "none"));
        for (const std::string mode : {"none/cuda-graph", "cuda-graph/none"}) {
            const auto mixed = run(request(scheme, mode));
            ASSERT_EQ(mixed.outputs.size(), eager.outputs.size());
            for (std::size_t i = 0; i < mixed.outputs.size(); ++i)
                EXPECT_EQ(eager.outputs[i].sha256, mixed.outputs[i].sha256)
                    << scheme << " " << mode;
            EXPECT_EQ(mixed.graphLaunches, 1);
            EXPECT_TRUE(mixed.outputsFinite);
        }
    }
}

TEST_F(CudaCells, TheGpuAgreesWithTheCpu)
{
    for (const std::string scheme :
         {"fp32", "bf16", "fp16", "int8dq", "float8dq-row", "float8wo", "bf16-autocast"}) {
        CellRequest cpu = request(scheme, "none");
        cpu.config.device = "cpu";
        const double bound = scheme == "fp32" ? 1e-4 : scheme == "fp16" ? 4e-3 : 4e-2;
        EXPECT_LT(relativeDifference(request(scheme, "none"), cpu), bound) << scheme;
    }
}

TEST_F(CudaCells, EachSchemeRunsWhatItsNameSays)
{
    const auto products = [&](const char* scheme) {
        return core::productsOf(run(request(scheme, "none")).executed);
    };
    EXPECT_THAT(products("int8dq"),
                Contains(core::ExecutedProduct{"aten::_int_mm", core::DType::Int32, 20, 20}));
    EXPECT_THAT(products("float8dq-row"),
                Contains(core::ExecutedProduct{"aten::_scaled_mm", core::DType::BFloat16, 20, 20}));
    EXPECT_EQ(run(request("tf32", "none")).executed.front().scheme, "tf32");
    EXPECT_THAT(run(request("bf16", "none")).attention,
                ::testing::AnyOf("flash", "cudnn", "efficient"));
    CellRequest math = request("bf16", "none");
    math.config.attention = "math";
    EXPECT_EQ(run(math).attention, "math");
}

TEST_F(CudaCells, PassesRunOnForEnergy)
{
    CellRequest asked = request("bf16", "cuda-graph");
    asked.measurement.energySeconds = 2.0;
    const auto result = run(asked);
    ASSERT_TRUE(result.energy.has_value());
    EXPECT_GE(result.energy->seconds, 2.0);
    EXPECT_GT(result.energy->start, result.sampleStart.back());
    const core::PhaseTime* phase = result.phase(core::Phase::Energy);
    ASSERT_NE(phase, nullptr);
    EXPECT_GE(result.energy->start, phase->start);
    EXPECT_LE(result.energy->seconds, phase->seconds);
    // As fast as the samples, within what the host leaves between them.
    const double pass = result.energy->seconds / static_cast<double>(result.energy->passes);
    EXPECT_GT(pass, 0.5 * result.deviceSeconds.back());
    asked.measurement.cache = core::CacheState::Cold;
    const auto cold = run(asked);
    EXPECT_FALSE(cold.energy.has_value());
    EXPECT_THAT(cold.notes, Contains(core::Note{core::NoteCode::NoEnergyColdCache}));
}

TEST_F(CudaCells, TimesComeFromTheDeviceAndFitTheHost)
{
    const auto result = run(request("bf16", "none"));
    ASSERT_EQ(result.deviceSeconds.size(), result.hostSeconds.size());
    for (std::size_t i = 0; i < result.deviceSeconds.size(); ++i) {
        EXPECT_GT(result.deviceSeconds[i], 0.0);
        EXPECT_LE(result.deviceSeconds[i], result.hostSeconds[i] + 2e-6);
        // Stages of a block are timed in a pass of their own, with the gaps of the host.
        const double both = result.stages[0].seconds[i] + result.stages[1].seconds[i];
        if (result.passesPerSample == 1) {
            EXPECT_NEAR(both, result.deviceSeconds[i], 2e-6);
        } else {
            EXPECT_GT(both, 0.5 * result.deviceSeconds[i]);
        }
    }
}

TEST_F(CudaCells, ShortPassesAreTimedInBlocksAndHeld)
{
    const auto result = run(request("bf16", "cuda-graph"));
    EXPECT_GT(result.passesPerSample, 1) << "a pass of this model takes far less than 1 ms";
    ASSERT_TRUE(result.conditions);
    EXPECT_TRUE(result.conditions->streamHeld);
    EXPECT_TRUE(result.conditions->core) << "launched from one core";
    EXPECT_EQ(result.warmupPasses % result.passesPerSample, 0);
    for (std::size_t i = 0; i < result.deviceSeconds.size(); ++i) {
        EXPECT_GT(result.deviceSeconds[i], 0.0);
        EXPECT_LE(result.deviceSeconds[i], result.hostSeconds[i] + 2e-6);
    }
    CellRequest free = request("bf16", "none");
    free.measurement.pinCore = false;
    EXPECT_EQ(run(free).conditions, (core::Conditions{core::CacheState::Warm, false}));
}

TEST_F(CudaCells, AColdCacheIsSlowerAndKeepsTheResult)
{
    CellRequest cold = request("bf16", "cuda-graph");
    cold.measurement.cache = core::CacheState::Cold;
    const auto coldResult = run(cold);
    const auto warmResult = run(request("bf16", "cuda-graph"));
    ASSERT_FALSE(coldResult.outputs.empty());
    EXPECT_EQ(coldResult.outputs[0].sha256, warmResult.outputs[0].sha256);
    // Under a checker of memory the stream cannot be held, and times mean nothing.
    ASSERT_TRUE(coldResult.conditions.has_value());
    if (!coldResult.conditions->streamHeld)
        GTEST_SKIP() << "the stream was not held: times were not compared";
    EXPECT_EQ(coldResult.conditions->cache, core::CacheState::Cold);
    const auto shortest = [](const core::CellResult& result) {
        return *std::min_element(result.deviceSeconds.begin(), result.deviceSeconds.end());
    };
    EXPECT_GT(shortest(coldResult), shortest(warmResult));
    const auto ofPasses = ::testing::Field(&core::Note::code, core::NoteCode::ClockStepsOfPass);
    EXPECT_THAT(coldResult.notes, Contains(ofPasses)) << "far less than 1 ms";
    EXPECT_THAT(warmResult.notes, Not(Contains(ofPasses)));
}

TEST_F(CudaCells, FedInputsGiveTheSameOutputsAndTheirOwnTime)
{
    const auto resident = run(request("bf16", "cuda-graph"));
    EXPECT_TRUE(resident.endToEndSeconds.empty());
    for (const std::string place : {"pageable", "pinned", "overlapped"}) {
        CellRequest fed = request("bf16", "cuda-graph");
        fed.config.inputs = place;
        const auto result = run(fed);
        ASSERT_TRUE(result.conditions) << place;
        EXPECT_FALSE(result.conditions->streamHeld) << place;
        EXPECT_EQ(result.conditions->inputs, core::kInputPlacements.find(place).value());
        EXPECT_EQ(result.passesPerSample, 1) << place;
        ASSERT_EQ(result.endToEndSeconds.size(), result.deviceSeconds.size()) << place;
        for (std::size_t i = 0; i < result.deviceSeconds.size(); ++i)
            EXPECT_GT(result.endToEndSeconds[i], result.deviceSeconds[i]) << place;
        ASSERT_EQ(result.copySeconds.size(), result.deviceSeconds.size()) << place;
        for (std::size_t i = 0; i < result.copySeconds.size(); ++i)
            EXPECT_LT(result.copySeconds[i], result.endToEndSeconds[i]) << place;
        EXPECT_EQ(result.outputs[0].sha256, resident.outputs[0].sha256) << place;
    }
}

TEST_F(CudaCells, DistinctBatchesLeaveTheOutputsAlone)
{
    const auto one = run(request("bf16", "cuda-graph"));
    for (const std::string place : {"device", "pinned", "overlapped"}) {
        CellRequest turns = request("bf16", "cuda-graph");
        turns.config.inputs = place;
        turns.config.batch = 1;
        turns.measurement.distinctBatches = 2;
        const auto result = run(turns);
        EXPECT_EQ(result.distinctBatches, 2) << place;
        EXPECT_EQ(result.copySeconds.empty(), place == "device") << place;
        EXPECT_EQ(result.outputs.size(), one.outputs.size()) << place;
        EXPECT_FALSE(result.deviceSeconds.empty()) << place;
    }
}

// Reading a value waits for the device, which nothing that is recorded may do.
TEST_F(CudaCells, ACaptureThatFailsLeavesTheDevice)
{
    const c10::InferenceMode inference;
    const auto backend = makeCudaBackend(0).value();
    const at::Tensor x = at::rand({2048, 2048}, at::TensorOptions().device(backend->device()));
    at::Tensor y;
    const auto reserved = [&] {
        y.reset();
        backend->releaseCache();
        backend->resetPeaks();
        return backend->memory().reservedPeak.value_or(-1);
    };
    const std::int64_t before = reserved();
    EXPECT_THROW(static_cast<void>(backend->record([&] {
                     y = at::sin(x);
                     static_cast<void>(y.sum().item<float>());
                 })),
                 std::exception);
    EXPECT_FALSE(backend->isLost());
    EXPECT_EQ(reserved(), before) << "the memory of the capture is given back";
    const auto recorded = backend->record([&] { y = at::sin(x); });
    ASSERT_TRUE(recorded.ok());
    recorded.value()->launch();
    backend->synchronize();
    EXPECT_TRUE(y.cpu().allclose(at::sin(x).cpu()));
}

// The GPU, which keeps what its counters said.
class RecordedCounters final : public Backend
{
public:
    explicit RecordedCounters(Backend& gpu) : m_gpu(gpu) {}

    c10::Device device() const override { return m_gpu.device(); }
    void synchronize() override { m_gpu.synchronize(); }
    bool isLost() noexcept override { return m_gpu.isLost(); }
    core::PassSample timeSample(const SamplePlan& plan) override { return m_gpu.timeSample(plan); }
    bool holdsStreams() const override { return m_gpu.holdsStreams(); }
    bool hasDeviceClock() const override { return m_gpu.hasDeviceClock(); }
    core::Result<std::unique_ptr<InputFeed>> makeFeed(core::InputResidency residency,
                                                      const InputBatch& inputs,
                                                      std::vector<InputBatch> batches) override
    {
        return m_gpu.makeFeed(residency, inputs, std::move(batches));
    }
    core::Result<std::unique_ptr<RecordedWork>> record(const std::function<void()>& work) override
    {
        return m_gpu.record(work);
    }
    void beginCell() override { m_gpu.beginCell(); }
    void resetPeaks() override { m_gpu.resetPeaks(); }
    core::MemoryFigures memory() override { return m_gpu.memory(); }
    void releaseCache() override { m_gpu.releaseCache(); }
    core::MemoryCounters memoryCounters() override
    {
        seen.push_back(m_gpu.memoryCounters());
        return seen.back();
    }
    std::int64_t freeMemory() override { return m_gpu.freeMemory(); }
    std::shared_ptr<void> takeBlock(std::int64_t bytes) override { return m_gpu.takeBlock(bytes); }

    std::vector<core::MemoryCounters> seen;

private:
    Backend& m_gpu;
};

// Of the last attempt: before, while the block was held and after it; null where the device keeps
// no such counter.
core::Json readings(const std::vector<core::MemoryCounters>& seen,
                    std::optional<std::int64_t> core::MemoryCounters::*counter)
{
    core::Json bytes = core::Json::array();
    for (std::size_t i = seen.size() - 3; i < seen.size(); ++i)
        bytes.push_back(seen[i].*counter ? core::Json(*(seen[i].*counter)) : core::Json());
    return bytes;
}

// The raw rows go into the file that the variable QS_SELF_TEST_ROWS names, if it is set: that is
// tests/golden/measurement/memory_self_test.jsonl.
TEST_F(CudaCells, MemoryCountersAgreeEveryTime)
{
    const auto backend = makeCudaBackend(0);
    ASSERT_TRUE(backend.ok()) << backend.error().message;
    std::string rows;
    for (int i = 1; i <= 100; ++i) {
        RecordedCounters gpu(*backend.value());
        const core::SelfTest test = testMemoryCounters(gpu);
        ASSERT_TRUE(test.passed()) << i << ": " << core::toJson(test).dump();
        const core::Json row{
            {"test", i},
            {"self_test", core::toJson(test)},
            {"allocated_bytes", readings(gpu.seen, &core::MemoryCounters::allocated)},
            {"reserved_bytes", readings(gpu.seen, &core::MemoryCounters::reserved)},
            {"process_bytes", readings(gpu.seen, &core::MemoryCounters::process)}};
        rows += row.dump() + "\n";
    }
    if (const char* file = std::getenv("QS_SELF_TEST_ROWS"); file != nullptr) {
        EXPECT_TRUE(core::writeFileAtomically(file, rows).ok()) << file;
    }
    EXPECT_TRUE(run(request("bf16", "none")).memory.selfTest.passed());
}

// A host that is slow to launch must not show in the time of a held pass.
TEST_F(CudaCells, AHeldPassIsFreeOfTheHost)
{
    const auto made = makeCudaBackend(0);
    ASSERT_TRUE(made.ok());
    Backend& backend = *made.value();
    if (!backend.holdsStreams())
        GTEST_SKIP() << "the driver cannot hold streams";
    const at::Tensor numbers = at::rand({1 << 20}, at::TensorOptions().device(at::kCUDA));
    at::Tensor result = at::empty_like(numbers);
    const auto work = [&] { at::sin_out(result, numbers); };
    const auto slow = [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        work();
    };
    const auto shortest = [&](const std::function<void()>& step, bool held) {
        SamplePlan plan;
        plan.steps = {step, step};
        plan.held = held;
        double least = 1.0;
        for (int i = 0; i < 50; ++i)
            least = std::min(least, backend.timeSample(plan).deviceSeconds);
        return least;
    };
    const double quick = shortest(work, true);
    EXPECT_NEAR(shortest(slow, true), quick, 0.02 * quick + 1e-6);
    EXPECT_GT(shortest(slow, false), 1e-3) << "without the gate the pause of the host is in it";
}

TEST_F(CudaCells, MemoryFiguresAreOrdered)
{
    for (const std::string compile : {"none", "cuda-graph"}) {
        const auto result = run(request("bf16", compile));
        const core::MemoryFigures& memory = result.memory;
        ASSERT_TRUE(memory.allocatedPeak && memory.reservedPeak && memory.processPeak);
        EXPECT_GT(memory.weightsResident, 0);
        EXPECT_GE(*memory.allocatedPeak, memory.weightsResident);
        EXPECT_GE(*memory.reservedPeak, *memory.allocatedPeak);
        EXPECT_GE(*memory.processPeak, *memory.reservedPeak);
        ASSERT_TRUE(memory.reserved);
        EXPECT_GE(*memory.reserved, memory.weightsResident);
        EXPECT_LE(*memory.reserved, *memory.reservedPeak);
        EXPECT_FALSE(memory.firstSample) << "of cells that quantize";
        EXPECT_EQ(memory.allocationRetries, 0);
        for (const core::StageSamples& stage : result.stages) {
            EXPECT_GT(stage.peakBytes.value_or(0), memory.weightsResident) << stage.stage;
            EXPECT_LE(*stage.peakBytes, *memory.allocatedPeak) << stage.stage;
        }
        if (compile == "none") {
            const auto most = std::max(*result.stages[0].peakBytes, *result.stages[1].peakBytes);
            EXPECT_EQ(most, *memory.allocatedPeak) << "the peak of a pass is that of one stage";
        }
    }
}

TEST_F(CudaCells, OutOfMemoryIsAResultAndTheNextCellRuns)
{
    CellRequest huge = request("fp32", "none");
    // 2^21 pictures of 64 px: 103 GB for the patches alone, and as much again for the first layer.
    huge.config.batch = std::int64_t{1} << 21U;
    core::FloatArray one{{1, 3, 64, 64}, std::vector<float>(3 * 64 * 64, 0.25F)};
    ASSERT_TRUE(core::writeNpy(m_folder / "one.npy", one).ok());
    huge.inputFile = "one.npy";
    const auto result = m_runner.run(huge, m_silent);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, core::ErrorCode::OutOfMemory) << result.error().message;
    EXPECT_TRUE(m_runner.run(request("fp32", "none"), m_silent).ok());
}

}  // namespace
}  // namespace qs::engine
