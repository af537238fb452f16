// float8-delayed: pass by pass against numpy (tests/golden/calibration/generate.py), and as cells
// see it.

#include "core/engine/cell_runner.h"
#include "core/engine/execute/executor.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/lower/reference.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/golden_tensors.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/scheme_layer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace qs::engine {
namespace {

using tests::kCpu;

class DelayedFloat8 : public ::testing::TestWithParam<const char*>
{
protected:
    [[nodiscard]] const at::Tensor& golden(const std::string& name) const
    {
        return m_golden.at(name);
    }
    [[nodiscard]] const at::Tensor& step(int number, const char* part) const
    {
        return golden(std::string(GetParam()) + "." + std::to_string(number) + "." + part);
    }

    c10::InferenceMode m_guard;
    NamedTensors m_golden = tests::readGoldenTensors("golden/calibration/delayed.safetensors");
};

class DelayedHistories : public ::testing::Test
{
protected:
    // The output of a pass, in float64.
    [[nodiscard]] at::Tensor passOf(std::int64_t length, int wanted) const
    {
        const core::StageProgram stage =
            tests::layerStage(core::namedScheme("float8-delayed:history=" + std::to_string(length)),
                              {18, 32}, m_golden.at("weight").size(0), true);
        at::Tensor start = at::zeros({length});
        start[0] = 1000.0;
        StageWeights weights{NamedTensors{{"fc.weight", m_golden.at("weight")},
                                          {"fc.bias", m_golden.at("bias")},
                                          {"fc.weight:statistic", start}}};
        EXPECT_TRUE(quantizeWeights(weights, stage, kCpu, [](double) { return true; }).ok());
        const core::Graph graph = core::referenceStage(stage, core::describeCpu()).value().graph;
        NamedTensors tensors = weights.tensors;
        tensors.emplace("fc.weight:history", start.clone());
        const Executor executor = Executor::create(graph, tensors, kCpu).value();
        at::Tensor y;
        for (int number = 0; number <= wanted; ++number)
            y = executor.run({m_golden.at("x").select(0, number)})[0].to(at::kDouble);
        return y;
    }

    c10::InferenceMode m_guard;
    NamedTensors m_golden = tests::readGoldenTensors("golden/calibration/delayed.safetensors");
};

// What begins as the largest of all is forgotten after three passes by the one, and not by the
// other: the golden pass is that of a history of 3, whatever it began with.
TEST_F(DelayedHistories, OfThreeAndOfSixteenPassesDiffer)
{
    const at::Tensor three = passOf(3, 3);
    const at::Tensor exact = m_golden.at("max.3.y").to(at::kDouble);
    const at::Tensor bound = exact.abs() * 0x1p-8 + exact.abs().max() * 0x1p-18;
    EXPECT_TRUE(((three - exact).abs() <= bound).all().item<bool>());
    EXPECT_FALSE(((passOf(16, 3) - exact).abs() <= bound).all().item<bool>());
    EXPECT_TRUE(passOf(16, 2).equal(passOf(3, 2))) << "not forgotten yet";
}

TEST_P(DelayedFloat8, EachPassIsScaledByThoseBeforeIt)
{
    const std::string name = std::string("float8-delayed:history=3:amax=") + GetParam();
    const core::StageProgram stage =
        tests::layerStage(core::namedScheme(name), {18, 32}, golden("weight").size(0), true);
    StageWeights weights{NamedTensors{{"fc.weight", golden("weight")},
                                      {"fc.bias", golden("bias")},
                                      {"fc.weight:statistic", golden("start")}}};
    ASSERT_TRUE(quantizeWeights(weights, stage, kCpu, [](double) { return true; }).ok());
    EXPECT_TRUE(weights.tensors.at("fc.weight:history:initial").equal(golden("start")));
    EXPECT_TRUE(weights.tensors.at("fc.weight:codes")
                    .to(at::kFloat)
                    .equal(golden("weight.codes").to(at::kFloat)));
    EXPECT_TRUE(weights.tensors.at("fc.weight:scale").equal(golden("weight.scale")));
    const core::Graph graph = core::referenceStage(stage, core::describeCpu()).value().graph;
    NamedTensors tensors = weights.tensors;
    const at::Tensor history = golden("start").clone();
    tensors.emplace("fc.weight:history", history);
    const Executor executor = Executor::create(graph, tensors, kCpu).value();
    for (int number = 0; number < 5; ++number) {
        SCOPED_TRACE(number);
        const at::Tensor y = executor.run({golden("x").select(0, number)})[0].to(at::kDouble);
        const at::Tensor exact = step(number, "y").to(at::kDouble);
        // One rounding to bfloat16 and those of the float32 sums.
        const at::Tensor bound = exact.abs() * 0x1p-8 + exact.abs().max() * 0x1p-18;
        EXPECT_TRUE(((y - exact).abs() <= bound).all().item<bool>());
        EXPECT_TRUE(history.equal(step(number, "history")));
    }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, DelayedFloat8, ::testing::Values("max", "recent"));

TEST(DelayedFloat8Goldens, AlgorithmsAndPassesDiffer)
{
    const c10::InferenceMode guard;
    const NamedTensors golden = tests::readGoldenTensors("golden/calibration/delayed.safetensors");
    int different = 0;
    for (int number = 0; number < 5; ++number) {
        const std::string pass = "." + std::to_string(number) + ".y";
        different += golden.at("max" + pass).equal(golden.at("recent" + pass)) ? 0 : 1;
    }
    EXPECT_GE(different, 1);
    EXPECT_TRUE(golden.at("max.0.y").equal(golden.at("recent.0.y"))) << "3 is both";
}

class DelayedCells : public ::testing::Test
{
protected:
    core::CellResult measure(const std::string& precision, int samples)
    {
        core::CellRequest request =
            tests::smallCell(m_folder.path(), "vitok:w64_d1_h2-w64_d1_h2/1x8x16", 3, 32);
        request.config.precision = {precision};
        request.measurement.stopping = core::StoppingKind::Count;
        request.measurement.maximumSamples = samples;
        request.measurement.maximumSampleSeconds = 600.0;
        CellRunner runner;
        tests::SilentObserver observer;
        auto result = runner.run(request, observer);
        EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
        return result.ok() ? std::move(result).value() : core::CellResult();
    }

    tests::TestFolder m_folder;
};

TEST_F(DelayedCells, OutputsDoNotDependOnHowOftenTheCellWasTimed)
{
    const core::CellResult few = measure("float8-delayed:samples=3", 10);
    const core::CellResult many = measure("float8-delayed:samples=3", 1000);
    ASSERT_EQ(few.hostSeconds.size(), 10U);
    ASSERT_EQ(many.hostSeconds.size(), 1000U);
    EXPECT_EQ(tests::outputHashes(few), tests::outputHashes(many));
    EXPECT_FALSE(core::anyMismatch(few.executed));
    EXPECT_EQ(few.storage.offenderCount, 0);
    EXPECT_EQ(few.calibration.size(), 2U);
}

TEST_F(DelayedCells, TheDeclaredHistoryDecides)
{
    const auto usual = tests::outputHashes(measure("float8-delayed:samples=3", 3));
    EXPECT_NE(tests::outputHashes(measure("float8-delayed:samples=3:seed=1", 3)), usual);
    EXPECT_NE(tests::outputHashes(measure("float8-delayed:samples=3:amax=recent", 3)), usual);
    EXPECT_NE(tests::outputHashes(measure("float8dq-tensor", 3)), usual);
}

}  // namespace
}  // namespace qs::engine
