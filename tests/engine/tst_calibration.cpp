// Calibration as cells see it, on the CPU.

#include "core/engine/cell_runner.h"
#include "core/engine/probe/exact_int8.h"
#include "core/engine/quantize/observers.h"
#include "core/engine/quantize/stage_observation.h"

#include "core/model/calibration_samples.h"
#include "core/model/catalogue.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

using core::namedScheme;
using core::NoteCode;
using core::Phase;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;

class InputRecorder final : public CellObserver
{
public:
    void phaseStarted(Phase phase) override { phases.push_back(phase); }
    bool progressed(double fraction) override
    {
        if (phases.empty() || phases.back() != Phase::Calibrate)
            return true;
        EXPECT_GE(fraction, 0.0);
        EXPECT_LE(fraction, 1.0 + 1e-9);
        ++calibrating;
        return calibrating < stopAfter;
    }
    bool goesOn() override { return calibrating < stopAfter; }

    std::vector<Phase> phases;
    int calibrating = 0;
    int stopAfter = 1'000'000;
};

class Calibration : public ::testing::Test
{
protected:
    core::CellRequest request(const std::string& precision, std::int64_t batch = 2)
    {
        core::CellRequest request = tests::smallCell(m_folder.path(), m_model, 3, 32);
        request.config.precision = {precision};
        request.config.batch = batch;
        return request;
    }
    core::Result<core::CellResult> run(const core::CellRequest& request)
    {
        CellRunner runner;  // nothing of the cell before
        m_recorder = {};
        return runner.run(request, m_recorder);
    }
    core::CellResult measured(const core::CellRequest& request)
    {
        auto result = run(request);
        EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
        return result.ok() ? std::move(result).value() : core::CellResult();
    }

    tests::TestFolder m_folder;
    InputRecorder m_recorder;
    std::string m_model = "vitok:w64_d1_h2-w64_d2_h2/1x8x16";
};

// Each solves them anew, and takes its own time for it.
std::vector<core::SolvedLayer> untimed(std::vector<core::SolvedLayer> layers)
{
    for (core::SolvedLayer& layer : layers)
        layer.seconds = 0.0;
    return layers;
}

TEST_F(Calibration, IsAPhaseWithProgressAndARecord)
{
    for (const char* scheme :
         {"int8sq:samples=3", "int8-static:samples=3",
          "int8-static:samples=3:range=affine:method=mse",
          "int8-static:samples=3:method=percentile", "gptq-int4-32:samples=3:tail=1"}) {
        SCOPED_TRACE(scheme);
        const core::CellResult result = measured(request(scheme));
        EXPECT_THAT(m_recorder.phases,
                    ::testing::ElementsAre(Phase::Load, Phase::Calibrate, Phase::Quantize,
                                           Phase::Compile, Phase::Warmup, Phase::Measure,
                                           Phase::Outputs));
        EXPECT_GT(m_recorder.calibrating, 5);
        EXPECT_NE(result.phase(Phase::Calibrate), nullptr);
        ASSERT_EQ(result.calibration.size(), 2U);
        for (const core::StageCalibration& stage : result.calibration) {
            EXPECT_EQ(stage.samples, 3);
            EXPECT_EQ(stage.set, "generated");
            EXPECT_FALSE(stage.fromCache);
            EXPECT_GT(stage.seconds, 0.0);
        }
        EXPECT_THAT(result.notes, Contains(Field(&core::Note::code, NoteCode::Calibrated)));
        EXPECT_FALSE(core::anyMismatch(result.executed));
        EXPECT_EQ(result.storage.offenderCount, 0);
        EXPECT_TRUE(result.outputsFinite);
    }
}

TEST_F(Calibration, OthersHaveNone)
{
    const core::CellResult result = measured(request("int8dq"));
    EXPECT_THAT(m_recorder.phases, Not(Contains(Phase::Calibrate)));
    EXPECT_TRUE(result.calibration.empty());
    EXPECT_EQ(result.phase(Phase::Calibrate), nullptr);
}

TEST_F(Calibration, CellsOfEveryBatchHaveTheSameWeightsAndAreRepeatable)
{
    for (const char* scheme : {"int8-static:samples=4", "gptq-int4-32:samples=4:tail=1"}) {
        SCOPED_TRACE(scheme);
        core::CellRequest one = request(scheme, 1);
        const auto first = tests::outputHashes(measured(one));
        EXPECT_EQ(tests::outputHashes(measured(one)), first);
        // The same weights to the last bit, whatever the batch: losses are sums over all of them.
        const core::CellResult other = measured(request(scheme, 3));
        const core::CellResult same = measured(one);
        ASSERT_EQ(other.calibration.size(), same.calibration.size());
        for (std::size_t i = 0; i < other.calibration.size(); ++i)
            EXPECT_EQ(untimed(other.calibration[i].layers), untimed(same.calibration[i].layers));
    }
}

TEST_F(Calibration, SeedSamplesAndMethodDecideWhatComesOut)
{
    const auto outputs = [&](const char* scheme) {
        return tests::outputHashes(measured(request(scheme)));
    };
    const auto usual = outputs("int8-static:samples=3");
    for (const char* other :
         {"int8-static:samples=4", "int8-static:samples=3:seed=1",
          "int8-static:samples=3:method=mse",
          "int8-static:samples=3:method=percentile:percentile=99",
          "int8-static:samples=3:range=affine", "int8-static:samples=3:set=inputs"})
        EXPECT_NE(outputs(other), usual) << other;
    EXPECT_NE(outputs("int8sq:samples=3:alpha=0.8"), outputs("int8sq:samples=3"));
    EXPECT_NE(outputs("gptq-int4-32:samples=3:tail=1"), outputs("int4wo-32:tail=1"));
    EXPECT_EQ(outputs("gptq-int4-32:samples=3:tail=1:block=8"),
              outputs("gptq-int4-32:samples=3:tail=1"));
}

TEST_F(Calibration, OnTheInputsOfTheRunIsSaidSoAndNeedsEnoughOfThem)
{
    const core::CellResult result = measured(request("int8-static:samples=3:set=inputs"));
    EXPECT_THAT(result.notes,
                Contains(core::Note{NoteCode::CalibratedOnQualityInputs, {3.0, 3.0}}));
    ASSERT_FALSE(result.calibration.empty());
    EXPECT_EQ(result.calibration[0].set, "inputs");
    const auto tooFew = run(request("int8-static:samples=4:set=inputs"));
    ASSERT_FALSE(tooFew.ok());
    EXPECT_EQ(tooFew.error().code, core::ErrorCode::InvalidArgument);
    EXPECT_THAT(tooFew.error().message, HasSubstr("needs 4 samples; the run has 3"));
}

TEST_F(Calibration, CanBeStopped)
{
    CellRunner runner;
    m_recorder.stopAfter = 2;
    const auto result = runner.run(request("gptq-int4-32:samples=3:tail=1"), m_recorder);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, core::ErrorCode::Cancelled);
}

TEST_F(Calibration, EverySolvedLayerHasItsLoss)
{
    const core::CellResult result = measured(request("gptq-int4-32:samples=3:tail=1"));
    ASSERT_EQ(result.calibration.size(), 2U);
    EXPECT_EQ(result.calibration[0].layers.size(), 4U);
    EXPECT_EQ(result.calibration[1].layers.size(), 8U);
    EXPECT_THAT(result.calibration[1].layers,
                Each(Field(&core::SolvedLayer::loss, ::testing::Gt(0.0))));
    EXPECT_THAT(result.calibration[1].layers,
                Each(Field(&core::SolvedLayer::roundedToNearest, false)));
}

TEST_F(Calibration, ToQuantizeIsAWorkload)
{
    core::CellRequest quantizing = request("gptq-int4-32:samples=2:tail=1");
    const core::CellResult passes = measured(quantizing);
    quantizing.config.workload = "quantize";
    quantizing.profile = true;
    quantizing.measurement.warmupSamples = 1;
    quantizing.measurement.stopping = core::StoppingKind::Count;
    quantizing.measurement.minimumSamples = quantizing.measurement.maximumSamples = 2;
    quantizing.measurement.maximumSampleSeconds = 60.0;  // however busy the machine is
    const core::CellResult result = measured(quantizing);
    EXPECT_EQ(result.warmupSeconds.size(), 1U) << "the cold one stands apart";
    EXPECT_FALSE(result.profile) << "of passes, which are not what is timed";
    EXPECT_EQ(std::count(m_recorder.phases.begin(), m_recorder.phases.end(), Phase::Calibrate), 3);
    EXPECT_GE(m_recorder.calibrating, 3 * 3) << "a sample of minutes tells how far it is";
    ASSERT_EQ(result.hostSeconds.size(), 2U);
    ASSERT_EQ(result.stages.size(), 3U);
    EXPECT_EQ(result.stages[1].stage, "calibrate");
    for (std::size_t sample = 0; sample < 2; ++sample) {
        double parts = 0.0;
        for (const core::StageSamples& stage : result.stages)
            parts += stage.seconds.at(sample);
        EXPECT_GT(result.stages[1].seconds[sample], 0.0) << "nothing comes from a cache";
        EXPECT_LE(parts, result.hostSeconds[sample]);
    }
    EXPECT_EQ(tests::outputHashes(result), tests::outputHashes(passes))
        << "what was quantized is what passes run with";
    for (const core::StageCalibration& stage : result.calibration) {
        EXPECT_FALSE(stage.fromCache);
        double layers = 0.0;
        for (const core::SolvedLayer& layer : stage.layers) {
            EXPECT_GT(layer.seconds, 0.0) << layer.module;
            EXPECT_GT(layer.outFeatures * layer.inFeatures, 0) << layer.module;
            layers += layer.seconds;
        }
        EXPECT_LE(layers, stage.seconds);
    }
}

// As many products of whole numbers, of matrices.
core::ExecutedProduct wholeProducts(int count)
{
    return multipliesInt8Exactly()
               ? core::ExecutedProduct{"aten::_int_mm", core::DType::Int32, count, count}
               : core::ExecutedProduct{"aten::mm", core::DType::Float64, count, count};
}

TEST_F(Calibration, StagesMayDifferAndConvolutionsTakePart)
{
    core::CellRequest mixed = request("bf16");
    mixed.config.precision = {"int8dq", "gptq-int4-32:samples=2:tail=1"};
    const core::CellResult result = measured(mixed);
    ASSERT_EQ(result.calibration.size(), 1U);
    EXPECT_EQ(result.calibration[0].stage, "decoder");
    m_model = "resnet:18/10";
    core::CellRequest resnet = request("int8-static:samples=2");
    resnet.config.layers = "every";
    const core::CellResult convolved = measured(resnet);
    EXPECT_FALSE(core::anyMismatch(convolved.executed));
    ASSERT_EQ(convolved.executed.size(), 1U);
    const bool kernel = convolvesInt8Exactly();
    EXPECT_EQ(std::count(convolved.notes.begin(), convolved.notes.end(),
                         core::Note{NoteCode::ReferenceStatic}),
              kernel ? 0 : 1);
    // The head is a linear layer.
    EXPECT_THAT(convolved.executed[0].products,
                Contains(kernel ? core::ExecutedProduct{"onednn::qconv_pointwise",
                                                        core::DType::Int32, 20, 20}
                                : wholeProducts(21)));
    // Codes lie a second time as the kernel reads them, and the audit knows of them.
    EXPECT_EQ(convolved.storage.offenderCount, 0);
    EXPECT_EQ(convolved.storage.storageBytes, convolved.storage.logicalBytes);
    EXPECT_EQ(convolved.memory.weightsResident, convolved.storage.storageBytes);
    std::int64_t codes = 0;
    const core::OpenedModel opened = core::openModel(m_model, "", 1).value();
    const core::ModelFamily& family = *opened.model.family;
    for (const core::LayerRow& row : core::layerTable(
             family, core::makeRecipe(family, resnet.config.precision, "every").value()))
        codes += row.kind == core::LayerKind::Convolution ? row.outFeatures * row.inFeatures : 0;
    EXPECT_GT(convolved.storage.storageBytes, codes * (kernel ? 2 : 1));
    EXPECT_EQ(convolved.executed[0].matched, 21);
}

TEST_F(Calibration, StagesThatShareWeightsAreCalibratedOnce)
{
    m_model = "llama:w32_d2_h4_k2_f64_v80_tied";
    for (const char* scheme : {"gptq-int4-32:samples=2", "int8sq:samples=2"}) {
        SCOPED_TRACE(scheme);
        core::CellRequest llama = request(scheme);
        llama.config.sizes =
            core::openModel(m_model, "", 1).value().model.family->workload().completed({});
        const core::CellResult result = measured(llama);
        EXPECT_EQ(result.calibration.size(), 1U);
        EXPECT_EQ(result.storage.offenderCount, 0);
        EXPECT_FALSE(core::anyMismatch(result.executed));
        llama.config.precision = {"bf16", scheme};
        EXPECT_EQ(measured(llama).calibration.size(), 1U) << "of the later stage alone";
    }
}

// A layer that is fed by quantized predecessors is solved on other inputs than in the plain model.
TEST_F(Calibration, LayersAreSolvedOnInputsThatPassedTheQuantizedOnes)
{
    const auto lossOfLast = [&](const char* layers) {
        core::CellRequest some = request("gptq-int4-32:samples=3:tail=1");
        some.config.layers = layers;
        const core::CellResult result = measured(some);
        return result.calibration.back().layers.back();
    };
    const core::SolvedLayer all = lossOfLast("all");
    const core::SolvedLayer alone = lossOfLast("regex:decoder_blocks\\.1\\.ffn\\.fc2");
    EXPECT_EQ(all.module, alone.module);
    EXPECT_NE(all.loss, alone.loss);
    EXPECT_NEAR(all.loss, alone.loss, 0.5 * alone.loss);
}

TEST(GeneratedPictures, AreTheSameAtEverySizeAndDifferByNumberAndSeed)
{
    const core::FloatArray small = core::generatedPicture(0, 0, 16);
    const core::FloatArray large = core::generatedPicture(0, 0, 48);
    ASSERT_EQ(small.shape, (std::vector<std::int64_t>{1, 3, 16, 16}));
    // The middle of each small pixel is the middle of nine large ones.
    for (std::size_t y = 0; y < 16; ++y) {
        for (std::size_t x = 0; x < 16; ++x)
            EXPECT_NEAR(small.values[y * 16 + x], large.values[(3 * y + 1) * 48 + 3 * x + 1], 1e-6);
    }
    EXPECT_NE(core::generatedPicture(0, 1, 16).values, small.values);
    EXPECT_NE(core::generatedPicture(1, 0, 16).values, small.values);
    EXPECT_EQ(core::generatedPicture(0, 0, 16).values, small.values);
    EXPECT_THAT(large.values, Each(::testing::AllOf(::testing::Ge(-1.0F), ::testing::Le(1.0F))));
}

// Photographs are smooth: neighbours are far more alike than pixels of noise are.
TEST(GeneratedPictures, LookLikePhotographsToAnAutocorrelation)
{
    const core::FloatArray picture = core::generatedPicture(0, 3, 64);
    double steps = 0.0;
    double spread = 0.0;
    double mean = 0.0;
    for (std::size_t i = 0; i < 64 * 64; ++i)
        mean += picture.values[i] / (64.0 * 64.0);
    for (std::size_t i = 0; i + 1 < 64 * 64; ++i) {
        spread += (picture.values[i] - mean) * (picture.values[i] - mean);
        steps += (picture.values[i + 1] - picture.values[i]) *
                 (picture.values[i + 1] - picture.values[i]) / 2.0;
    }
    EXPECT_GT(spread, 0.0);
    EXPECT_LT(steps, 0.35 * spread);
}

std::vector<float> rangeOf(const char* scheme, const std::vector<at::Tensor>& samples)
{
    const auto observer = makeObserver(namedScheme(scheme));
    for (int pass = 0; pass < observer->passes(); ++pass) {
        observer->beginPass(pass);
        for (const at::Tensor& sample : samples)
            observer->see(sample);
    }
    const at::Tensor range = observer->statistic();
    return {range[0].item<float>(), range[1].item<float>()};
}

TEST(InputObservers, RangesFollowTheirMethod)
{
    const c10::InferenceMode guard;
    // 0.0 … 99.9 in steps of 0.1, and one outlier.
    std::vector<float> values;
    for (int i = 0; i < 1000; ++i)
        values.push_back(static_cast<float>(i) / 10.0F);
    const std::vector<at::Tensor> samples{at::tensor(values), at::tensor({-4.0F, 819.2F})};
    EXPECT_EQ(rangeOf("int8-static", samples), (std::vector<float>{-819.2F, 819.2F}));
    EXPECT_EQ(rangeOf("int8-static:range=affine", samples), (std::vector<float>{-4.0F, 819.2F}));
    // Bins of 0.1. 99.8 % of 1002: two values may lie outside, the outlier and 99.9.
    const auto cut = rangeOf("int8-static:method=percentile:percentile=99.8", samples);
    EXPECT_NEAR(cut[1], 99.9, 0.11);
    EXPECT_EQ(cut[0], -cut[1]);
    const auto affine =
        rangeOf("int8-static:range=affine:method=percentile:percentile=99.8", samples);
    EXPECT_NEAR(affine[1], 100.0, 0.2);
    EXPECT_NEAR(affine[0], 0.0, 0.2) << "one value at either end";
}

TEST(InputObservers, TheRangeOfTheLeastErrorIsNoWorseThanItsNeighbours)
{
    const c10::InferenceMode guard;
    at::manual_seed(7);
    const at::Tensor x = at::randn({20000}, at::TensorOptions(at::kFloat)).pow(3);
    const double high = x.abs().max().item<double>();
    const double best = rangeOf("int8-static:method=mse", {x})[1];
    const auto error = [&](double range) {
        const double scale = range / 127.5;
        const at::Tensor wide = x.to(at::kDouble);
        return (wide.div(scale).round().clamp(-128, 127) * scale - wide)
            .square()
            .sum()
            .item<double>();
    };
    EXPECT_LT(best, high) << "one value is not worth all the codes beside it";
    // Of values, not of the middles of bins: as good up to the width of a bin.
    for (int percent = 5; percent <= 100; percent += 5)
        EXPECT_LE(error(best), 1.02 * error(high * percent / 100.0)) << percent;
}

TEST(InputObservers, FeatureMaximaAreThoseOfAllSamples)
{
    const c10::InferenceMode guard;
    const auto observer = makeObserver(namedScheme("int8sq"));
    observer->see(at::tensor({1.0F, -5.0F, 0.0F}).reshape({1, 3}));
    observer->see(at::tensor({-2.0F, 1.0F, 0.0F, 1.5F, 4.0F, 0.0F}).reshape({1, 2, 3}));
    EXPECT_TRUE(observer->statistic().equal(at::tensor({2.0F, 5.0F, 0.0F})));
}

}  // namespace
}  // namespace qs::engine
