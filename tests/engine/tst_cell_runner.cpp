#include "core/engine/cell_runner.h"
#include "core/engine/probe/describe.h"
#include "core/engine/probe/memory_self_test.h"

#include "core/base/files.h"
#include "core/base/npy.h"
#include "core/device/host_memory.h"
#include "core/measure/token_files.h"
#include "core/quant/scheme.h"
#include "tests/engine/still_backend.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace qs::engine {
namespace {

using core::CellRequest;
using core::Phase;
using ::testing::Contains;
using ::testing::HasSubstr;

void expectLayers(const core::ExecutedStage& executed, const std::string& stage,
                  const std::string& scheme, int matched, int layers)
{
    EXPECT_EQ(executed.stage, stage);
    EXPECT_EQ(executed.scheme, scheme);
    EXPECT_EQ(executed.matched, matched) << stage << " " << scheme;
    EXPECT_EQ(executed.layers, layers) << stage << " " << scheme;
}

class Recorder final : public CellObserver
{
public:
    void phaseStarted(core::Phase phase) override { phases.push_back(phase); }
    bool progressed(double fraction) override
    {
        EXPECT_GE(fraction, 0.0);
        return ++calls < stopAfter;
    }
    bool goesOn() override { return calls < stopAfter; }

    std::vector<core::Phase> phases;
    int calls = 0;
    int stopAfter = 1'000'000;
};

class CellRunnerTest : public ::testing::Test
{
protected:
    CellRequest request(const std::string& precision = "bf16", std::int64_t batch = 2)
    {
        CellRequest request =
            tests::smallCell(m_folder.path(), "vitok:w64_d1_h2-w48_d2_h3/1x8x16", 3, 32);
        request.config.precision = {precision};
        request.config.batch = batch;
        request.keptOutputs = 2;
        return request;
    }

    tests::TestFolder m_folder;
    CellRunner m_runner;
    Recorder m_recorder;
};

// Beside the scores that it is judged on: whoever looks wants to read the text.
TEST_F(CellRunnerTest, KeepsWhatALanguageModelReadAndWrote)
{
    CellRequest request = tests::smallCell(m_folder.path(), "llama:w32_d2_h4_k2_f64_v80", 1, 32);
    request.config.sizes = {};
    request.config.sizes.set("prompt_tokens", 6);
    request.config.sizes.set("new_tokens", 4);
    request.keptOutputs = 3;
    const auto result = m_runner.run(request, m_recorder);
    ASSERT_TRUE(result.ok()) << result.error().message;
    // Keys and values of two sequences: 2 layers, 2 heads of 8, 10 tokens, bf16; and the ids.
    constexpr std::int64_t kCache = std::int64_t{2} * 2 * 2 * 2 * 8 * 10 * 2;
    EXPECT_GE(result.value().memory.statesResident, kCache);
    EXPECT_LT(result.value().memory.statesResident, kCache + 256);
    for (int sample = 0; sample < 3; ++sample) {
        for (const auto& [file, count] :
             {std::pair{core::TokenFile::Prompt, 6U}, std::pair{core::TokenFile::Generated, 4U}}) {
            const auto text = core::readNpy(m_folder / core::tokenFileName(file, sample));
            ASSERT_TRUE(text.ok()) << text.error().message;
            EXPECT_EQ(text.value().values.size(), count);
            for (const float id : text.value().values)
                EXPECT_TRUE(id >= 0.0F && id < 80.0F && id == std::floor(id)) << id;
        }
    }
    // Scores of each token, one after the other.
    const auto scores = core::readNpy(m_folder / "output_0.npy").value().values;
    ASSERT_EQ(scores.size(), 4U * 80U);
    const auto text =
        core::readNpy(m_folder / core::tokenFileName(core::TokenFile::Generated, 0)).value().values;
    for (std::ptrdiff_t i = 0; i < 4; ++i) {
        const auto first = scores.begin() + 80 * i;
        EXPECT_EQ(std::max_element(first, first + 80) - first,
                  static_cast<std::ptrdiff_t>(text[std::size_t(i)]));
    }
    EXPECT_FALSE(core::isThere(m_folder / core::tokenFileName(core::TokenFile::Generated, 3)));
}

TEST_F(CellRunnerTest, MeasuresACellAndKeepsItsOutputs)
{
    const auto result = m_runner.run(request(), m_recorder);
    ASSERT_TRUE(result.ok()) << result.error().message;
    const core::CellResult& cell = result.value();
    EXPECT_GE(cell.hostSeconds.size(), 3U);
    EXPECT_TRUE(cell.deviceSeconds.empty());
    ASSERT_EQ(cell.stages.size(), 2U);
    EXPECT_EQ(cell.stages[1].stage, "decoder");
    EXPECT_EQ(cell.stages[1].seconds.size(), cell.hostSeconds.size());
    EXPECT_GT(cell.hostSeconds[0], cell.stages[0].seconds[0]);
    EXPECT_THAT(m_recorder.phases,
                ::testing::ElementsAre(Phase::Load, Phase::Quantize, Phase::Compile, Phase::Warmup,
                                       Phase::Measure, Phase::Outputs));
    ASSERT_EQ(cell.outputs.size(), 3U);
    EXPECT_EQ(cell.outputs[0].file, "output_0.npy");
    EXPECT_EQ(cell.outputs[2].file, "");
    EXPECT_EQ(cell.outputs[2].sha256.size(), 64U);
    const auto picture = core::readNpy(m_folder / "output_1.npy").value();
    EXPECT_EQ(picture.shape, (std::vector<std::int64_t>{3, 32, 32}));
    EXPECT_TRUE(cell.outputsFinite);
    ASSERT_EQ(cell.executed.size(), 2U);
    expectLayers(cell.executed[0], "encoder", "bf16", 6, 6);
    expectLayers(cell.executed[1], "decoder", "bf16", 10, 10);
    for (const core::ExecutedStage& stage : cell.executed)
        EXPECT_EQ(stage.activationRule, "") << stage.stage;
    EXPECT_THAT(core::productsOf(cell.executed),
                Contains(core::ExecutedProduct{"aten::linear", core::DType::BFloat16, 16, 16}));
    EXPECT_GT(cell.memory.processPeak.value_or(0), 0);
    for (const core::StageSamples& stage : cell.stages)
        EXPECT_GT(stage.peakBytes.value_or(0), cell.memory.weightsResident) << stage.stage;
    EXPECT_FALSE(cell.memory.allocatedPeak.has_value());
    EXPECT_EQ(cell.graphLaunches, 0);
}

TEST_F(CellRunnerTest, EnergyIsAMatterOfGpus)
{
    CellRequest asked = request();
    asked.measurement.energySeconds = 2.0;
    const auto result = m_runner.run(asked, m_recorder);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_FALSE(result.value().energy.has_value());
    EXPECT_EQ(result.value().phase(core::Phase::Energy), nullptr);
    EXPECT_THAT(result.value().notes, Contains(core::Note{core::NoteCode::NoEnergyOnCpu}));
}

TEST_F(CellRunnerTest, PhasesAndSamplesHaveTheirPlaceInTime)
{
    const auto result = m_runner.run(request(), m_recorder);
    ASSERT_TRUE(result.ok()) << result.error().message;
    const core::CellResult& cell = result.value();
    EXPECT_GT(cell.began, 0.0);
    double last = 0.0;
    for (const Phase each : {Phase::SelfTest, Phase::Load, Phase::Quantize, Phase::Compile,
                             Phase::Warmup, Phase::Measure, Phase::Outputs}) {
        const core::PhaseTime* phase = cell.phase(each);
        ASSERT_NE(phase, nullptr) << core::kPhaseNames.of(each);
        EXPECT_GE(phase->start, last) << core::kPhaseNames.of(each);
        last = phase->start + phase->seconds;
    }
    const core::PhaseTime& compile = *cell.phase(core::Phase::Compile);
    for (const Phase each : {Phase::FirstPass, Phase::MemoryPass}) {
        const core::PhaseTime* part = cell.phase(each);
        ASSERT_NE(part, nullptr) << core::kPhaseNames.of(each);
        EXPECT_GE(part->start, compile.start);
        EXPECT_LE(part->start + part->seconds, compile.start + compile.seconds);
    }
    EXPECT_EQ(cell.phase(core::Phase::Capture), nullptr) << "nothing was recorded";
    const core::PhaseTime& measure = *cell.phase(core::Phase::Measure);
    ASSERT_EQ(cell.sampleStart.size(), cell.hostSeconds.size());
    EXPECT_GE(cell.sampleStart.front(), measure.start);
    EXPECT_LE(cell.sampleStart.back() + cell.hostSeconds.back(), measure.start + measure.seconds);
    EXPECT_EQ(static_cast<int>(cell.warmupSeconds.size()), cell.warmupPasses);
    EXPECT_EQ(cell.passesPerSample, 1) << "the clock of a CPU needs no blocks";
    EXPECT_FALSE(cell.conditions.has_value()) << "there is no device clock";
    EXPECT_TRUE(cell.endToEndSeconds.empty());
    EXPECT_TRUE(cell.copySeconds.empty());
    EXPECT_EQ(cell.distinctBatches, 1);
}

TEST_F(CellRunnerTest, Float32IsNotRoundedBehindItsBack)
{
    const auto numerics = numericSwitches();
    EXPECT_EQ(numerics.at("tf32_cudnn"), "false");
    EXPECT_EQ(numerics.at("tf32_matmul"), "false");
}

TEST_F(CellRunnerTest, MemoryIsBelievedAfterItsSelfTest)
{
    const auto result = m_runner.run(request(), m_recorder);
    ASSERT_TRUE(result.ok()) << result.error().message;
    const core::SelfTest& test = result.value().memory.selfTest;
    EXPECT_TRUE(test.passed());
    EXPECT_EQ(test.processCounter, core::ProcessCounter::ResidentSet);
    EXPECT_FALSE(test.allocatorCounters);
}

TEST_F(CellRunnerTest, TheBlockOfTheSelfTestIsNoPartOfACellsPeak)
{
    const auto result = m_runner.run(request(), m_recorder);
    ASSERT_TRUE(result.ok()) << result.error().message;
    const std::int64_t now = core::residentMemory("VmRSS").value_or(0);
    EXPECT_LT(result.value().memory.processPeak.value_or(0),
              now + core::kResidentSelfTestBytes / 2);
}

TEST(MemorySelfTest, TakesAQuarterOfAGibibyteOrATenthOnACpu)
{
    const auto backend = makeCpuBackend();
    const std::int64_t free = backend->freeMemory();
    const core::SelfTest test = testMemoryCounters(*backend);
    constexpr double kOthers = 64.0 * 1024.0 * 1024.0;  // what they may have taken meanwhile, / 10
    EXPECT_NEAR(static_cast<double>(test.bytes),
                static_cast<double>(core::selfTestBytes(free, core::ProcessCounter::ResidentSet)),
                kOthers);
    EXPECT_TRUE(test.passed());
    EXPECT_GE(test.attempts, 1);
    EXPECT_EQ(test.processCounter, core::ProcessCounter::ResidentSet);
    EXPECT_FALSE(test.allocatorCounters);
}

TEST(MemorySelfTest, ABlockThatCannotBeTakenFailsIt)
{
    tests::StillBackend backend;
    const core::SelfTest test = testMemoryCounters(backend);
    EXPECT_EQ(test.result, core::SelfTestResult::Failed);
    EXPECT_EQ(test.attempts, 3);
    EXPECT_EQ(test.error, core::CounterError{core::CounterFault::NoBlock});
    backend.free = 1000;
    EXPECT_EQ(testMemoryCounters(backend).result, core::SelfTestResult::TooLittleMemory);
    EXPECT_EQ(testMemoryCounters(backend).attempts, 0);
}

TEST(MemorySelfTest, CountersThatDoNotMoveAreNotBelieved)
{
    tests::StillBackend backend;
    backend.fits = true;
    const core::SelfTest test = testMemoryCounters(backend);
    EXPECT_EQ(test.result, core::SelfTestResult::Failed);
    EXPECT_EQ(test.error,
              (core::CounterError{core::CounterFault::WrongRise, core::MemoryCounter::Process, 0}));
    backend.counters.process.reset();
    EXPECT_EQ(testMemoryCounters(backend).error,
              (core::CounterError{core::CounterFault::Unreadable, core::MemoryCounter::Process}));
}

TEST_F(CellRunnerTest, InputsAreNotFedToACpu)
{
    CellRequest fed = request();
    fed.config.inputs = "pinned";
    const auto result = m_runner.run(fed, m_recorder);
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().message, HasSubstr("CUDA device"));
}

TEST_F(CellRunnerTest, OutputsDoNotDependOnTheBatch)
{
    // 3 pictures in chunks of 1 and of 2: the last chunk is filled up with other pictures.
    const auto one = m_runner.run(request("fp32", 1), m_recorder).value();
    const auto first = core::readNpy(m_folder / "output_1.npy").value();
    const auto two = m_runner.run(request("fp32", 2), m_recorder).value();
    const auto second = core::readNpy(m_folder / "output_1.npy").value();
    for (std::size_t i = 0; i < first.values.size(); ++i)
        ASSERT_NEAR(first.values[i], second.values[i], 1e-4F);
    EXPECT_EQ(one.outputs.size(), two.outputs.size());
}

TEST_F(CellRunnerTest, EachSchemeRunsWhatItsNameSays)
{
    using core::DType;
    const std::vector<std::pair<std::string, core::ExecutedProduct>> expected{
        {"fp32", {"aten::linear", DType::Float32, 16, 16}},
        {"fp16", {"aten::linear", DType::Float16, 16, 16}},
        {"bf16-autocast", {"aten::linear", DType::BFloat16, 12, 12}},
        {"int8dq", {"aten::_int_mm", DType::Int32, 12, 12}},
        {"int8wo", {"aten::mm", DType::BFloat16, 12, 12}},
        {"float8dq-tensor", {"aten::linear", DType::Float32, 12, 12}},
        {"float8dq-row", {"aten::linear", DType::Float32, 12, 12}},
        {"float8wo", {"aten::linear", DType::BFloat16, 16, 16}},
    };
    for (const auto& [scheme, product] : expected) {
        const auto result = m_runner.run(request(scheme), m_recorder);
        ASSERT_TRUE(result.ok()) << scheme << ": " << result.error().message;
        EXPECT_THAT(core::productsOf(result.value().executed), Contains(product)) << scheme;
        EXPECT_FALSE(core::anyMismatch(result.value().executed)) << scheme;
        // A filter leaves layers out only where there is another type to run them in.
        const bool filters = core::outsideScheme(core::namedScheme(scheme)).text() != scheme;
        expectLayers(result.value().executed.front(), "encoder", scheme, filters ? 4 : 6, 6);
        EXPECT_TRUE(result.value().outputsFinite) << scheme;
    }
}

TEST_F(CellRunnerTest, QuantizedOutputsStayNearTheReference)
{
    const auto reference = [&](const std::string& scheme) {
        EXPECT_TRUE(m_runner.run(request(scheme), m_recorder).ok());
        return core::readNpy(m_folder / "output_0.npy").value().values;
    };
    const auto golden = reference("fp32");
    double power = 0.0;
    for (const float value : golden)
        power += static_cast<double>(value) * value;
    for (const std::string scheme : {"bf16", "fp16", "bf16-autocast", "int8dq", "int8wo",
                                     "float8dq-tensor", "float8dq-row", "float8wo"}) {
        const auto values = reference(scheme);
        double error = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i)
            error += std::pow(static_cast<double>(values[i]) - golden[i], 2.0);
        const double relative = std::sqrt(error / power);
        EXPECT_GT(relative, 0.0) << scheme << " must differ from float32";
        EXPECT_LT(relative, 0.06) << scheme;
    }
}

TEST_F(CellRunnerTest, StagesMayHaveTheirOwnScheme)
{
    CellRequest mixed = request();
    mixed.config.precision = {"fp32", "int8dq"};
    mixed.config.layers = "mlp";
    const auto result = m_runner.run(mixed, m_recorder);
    ASSERT_TRUE(result.ok()) << result.error().message;
    const auto& executed = result.value().executed;
    ASSERT_EQ(executed.size(), 2U);
    expectLayers(executed[0], "encoder", "fp32", 6, 6);
    expectLayers(executed[1], "decoder", "int8dq", 4, 10);
    EXPECT_EQ(executed[0].activationRule, "");
    EXPECT_EQ(executed[1].activationRule, "absmax / 127.5, quantized values -128 … 127");
    EXPECT_THAT(executed[1].products,
                Contains(core::ExecutedProduct{"aten::_int_mm", core::DType::Int32, 4, 4}));
}

TEST_F(CellRunnerTest, WeightsAreKeptForTheNextCellOfTheSameModel)
{
    ASSERT_TRUE(m_runner.run(request("bf16", 1), m_recorder).ok());
    m_recorder.phases.clear();
    const auto again = m_runner.run(request("bf16", 2), m_recorder);
    ASSERT_TRUE(again.ok());
    EXPECT_THAT(m_recorder.phases, ::testing::Not(Contains(Phase::Load)));
    EXPECT_THAT(again.value().notes, Contains(core::Note{core::NoteCode::WeightsKept}));
    // What the row says of the weights holds for those that were kept, too.
    EXPECT_GT(again.value().storage.weights, 0);
    EXPECT_EQ(again.value().storage.storageBytes, again.value().memory.weightsResident);
    EXPECT_EQ(again.value().storage.offenderCount, 0);
    EXPECT_FALSE(again.value().modelContent.empty());
}

TEST_F(CellRunnerTest, CanBeStoppedInEveryPhase)
{
    ASSERT_TRUE(m_runner.run(request(), m_recorder).ok());
    const int all = m_recorder.calls;
    for (const int after : {1, all / 2, all - 1}) {
        Recorder impatient;
        impatient.stopAfter = after;
        CellRunner fresh;
        const auto result = fresh.run(request(), impatient);
        if (result.ok())
            continue;  // faster this time than the stop
        EXPECT_EQ(result.error().code, core::ErrorCode::Cancelled);
    }
    Recorder impatient;
    impatient.stopAfter = 1;
    CellRunner fresh;
    EXPECT_EQ(fresh.run(request(), impatient).error().code, core::ErrorCode::Cancelled);
}

TEST_F(CellRunnerTest, RefusesWhatItCannotRun)
{
    const auto message = [&](CellRequest bad) {
        const auto result = m_runner.run(bad, m_recorder);
        return result.ok() ? "ran" : result.error().message;
    };
    CellRequest bad = request();
    bad.config.device = "tpu";
    EXPECT_THAT(message(bad), HasSubstr("not a device"));
    bad = request();
    bad.config.compile = "cuda-graph";
    EXPECT_THAT(message(bad), HasSubstr("CUDA graphs need an NVIDIA GPU"));
    bad = request();
    bad.config.sizes.set("image_size", 48);
    EXPECT_THAT(message(bad), HasSubstr("does not hold images [n, 3, 48, 48]"));
    bad = request();
    bad.config.model = "/nowhere";
    EXPECT_THAT(message(bad), HasSubstr("/nowhere"));
    bad = request();
    bad.outputFolder = "nowhere";
    EXPECT_THAT(message(bad), HasSubstr("/nowhere/output_0.npy"));
    // After all this a good cell still runs.
    EXPECT_TRUE(m_runner.run(request(), m_recorder).ok());
}

}  // namespace
}  // namespace qs::engine
