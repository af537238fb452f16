#include "core/engine/quantize/layer_inspection.h"

#include "core/base/npy.h"
#include "core/engine/cell_runner.h"
#include "core/engine/quantize/weight_figures.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/model/catalogue.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

constexpr const char* kModel = "vitok:w64_d1_h2-w64_d2_h2/1x8x16";

// A model on the CPU with the weights of a recipe, quantized without calibration.
class LayerInspectionTest : public ::testing::Test
{
protected:
    void open(const std::string& precision, const std::string& layers = "all")
    {
        m_config.model = kModel;
        m_config.precision = {precision};
        m_config.layers = layers;
        m_config.sizes.set("image_size", 32);
        m_model = std::make_unique<core::Model>(
            std::move(core::openModel(m_config.model, "", 0).value().model));
        m_recipe = core::makeRecipe(*m_model->family, m_config.precision, m_config.layers).value();
        m_program = core::lower(*m_model->family, {m_recipe, {1, m_config.sizes}, {}}).value();
        WeightLoader loader = WeightLoader::create(*m_model, at::kCPU).value();
        m_weights.clear();
        for (std::size_t stage = 0; stage < m_program.stages.size(); ++stage) {
            const auto all = [](std::int64_t, std::int64_t) { return true; };
            m_weights.push_back(
                loader.load(stage, m_program.stages[stage].workingType, all).value());
            ASSERT_TRUE(
                quantizeWeights(m_weights.back(), m_program.stages[stage], at::kCPU, [](double) {
                    return true;
                }).ok());
        }
    }

    core::Result<core::LayerReport> inspect(int* told = nullptr)
    {
        const InspectionSetup setup{*m_model,
                                    m_recipe,
                                    m_config,
                                    m_device,
                                    at::kCPU,
                                    m_weights,
                                    2,
                                    [this](std::int64_t number) -> core::Result<core::HostTensors> {
                                        core::FloatArray picture{{1, 3, 32, 32}, {}};
                                        for (int i = 0; i < 3 * 32 * 32; ++i)
                                            picture.values.push_back(static_cast<float>(
                                                std::sin(0.01 * (i + 7.0 * double(number)))));
                                        return m_model->family->prepare(picture);
                                    },
                                    m_calibration};
        return inspectLayers(setup, [&](double) { return told == nullptr || (*told)-- > 0; });
    }

    core::ReportedLayer layer(const std::string& module)
    {
        const auto report = inspect().value();
        for (const core::ReportedLayer& each : report.layers) {
            if (each.module == module)
                return each;
        }
        ADD_FAILURE() << module;
        return {};
    }

    c10::InferenceMode m_mode;
    core::CellConfig m_config;
    core::DeviceDescription m_device;
    std::unique_ptr<core::Model> m_model;
    core::Recipe m_recipe;
    core::Program m_program;
    std::vector<StageWeights> m_weights;
    std::vector<core::StageCalibration> m_calibration;
};

TEST_F(LayerInspectionTest, EveryQuantizedLayerHasItsFigures)
{
    open("int8dq");
    const auto report = inspect();
    ASSERT_TRUE(report.ok()) << report.error().message;
    ASSERT_EQ(report.value().layers.size(), 12U);
    EXPECT_EQ(report.value().samples, 2);
    for (const core::ReportedLayer& layer : report.value().layers) {
        SCOPED_TRACE(layer.stage + " " + layer.module);
        EXPECT_EQ(layer.scheme, "int8dq");
        ASSERT_EQ(layer.weightShape.size(), 2U);
        EXPECT_EQ(layer.codes, layer.weightShape[0] * layer.weightShape[1]);
        EXPECT_EQ(layer.scale.count, layer.weightShape[0]);
        EXPECT_LE(layer.scale.least, layer.scale.median);
        EXPECT_LE(layer.scale.median, layer.scale.most);
        EXPECT_GT(layer.saturated, 0) << "the largest of most rows";
        EXPECT_LE(layer.saturated, 2 * layer.weightShape[0]);
        EXPECT_LT(layer.bytesAfter, layer.bytesBefore);
        // Eight bits: the error is near step / sqrt(12) of a third of the largest magnitude.
        ASSERT_TRUE(layer.weightError && layer.localError && layer.cumulativeError);
        EXPECT_GT(*layer.weightError, 1e-3);
        EXPECT_LT(*layer.weightError, 1e-2);
        EXPECT_GT(*layer.localError, 1e-3);
        EXPECT_LT(*layer.localError, 3e-2);
    }
    const auto& layers = report.value().layers;
    EXPECT_EQ(layers.front().localError, layers.front().cumulativeError)
        << "nothing came before the first layer";
    EXPECT_GT(*layers.back().cumulativeError, *layers.back().localError);
}

TEST_F(LayerInspectionTest, OnlyWhatTheFilterHitsIsReported)
{
    open("int4wo-32:tail=1", "only:decoder_blocks.1.ffn.fc2");
    const auto report = inspect();
    ASSERT_TRUE(report.ok()) << report.error().message;
    ASSERT_EQ(report.value().layers.size(), 1U);
    const core::ReportedLayer& layer = report.value().layers.front();
    EXPECT_EQ(layer.stage, "decoder");
    EXPECT_EQ(layer.localError, layer.cumulativeError) << "its input is that of bf16";
    EXPECT_GT(layer.weightError.value_or(0.0), 0.02);
}

TEST_F(LayerInspectionTest, EverySchemeThatNeedsNoCalibrationHasAWeightError)
{
    std::map<std::string, double> errors;
    for (const char* scheme : {"int8dq", "int8dq:rule=tensor", "int8wo", "float8dq-tensor",
                               "float8dq-row", "float8wo", "int4wo-32:tail=1"}) {
        open(scheme, "only:decoder_blocks.0.attn.qkv_proj");
        errors[scheme] = layer("decoder_blocks.0.attn.qkv_proj").weightError.value_or(0.0);
        EXPECT_GT(errors[scheme], 0.0) << scheme;
    }
    EXPECT_EQ(errors["int8dq"], errors["int8wo"]);
    EXPECT_LT(errors["int8dq"], errors["int8dq:rule=tensor"]);
    EXPECT_LT(errors["int8dq:rule=tensor"], errors["float8dq-row"]) << "three bits of mantissa";
    EXPECT_LT(errors["float8dq-row"], errors["int4wo-32:tail=1"]);
}

// A scale that is off by two per cent gives a weight error of two per cent.
TEST_F(LayerInspectionTest, AWrongScaleIsSeen)
{
    open("int8wo");
    const std::string module = "decoder_blocks.1.ffn.fc1";
    const core::ReportedLayer before = layer(module);
    m_weights[1].tensors.at(module + ".weight:scale").mul_(1.02);
    const core::ReportedLayer after = layer(module);
    EXPECT_NEAR(*after.weightError, std::hypot(0.02, *before.weightError), 1e-3);
    EXPECT_GT(*after.localError, 2.0 * *before.localError);
    const core::ReportedLayer other = layer("decoder_blocks.0.ffn.fc1");
    EXPECT_LT(*other.weightError, 0.01) << "it stands at one layer";
}

TEST_F(LayerInspectionTest, ExchangedCodesAreSeen)
{
    open("int8wo");
    const std::string first = "decoder_blocks.0.ffn.fc2";
    const std::string second = "decoder_blocks.1.ffn.fc2";
    NamedTensors& tensors = m_weights[1].tensors;
    std::swap(tensors.at(first + ".weight:codes"), tensors.at(second + ".weight:codes"));
    for (const std::string& module : {first, second}) {
        const core::ReportedLayer exchanged = layer(module);
        EXPECT_GT(*exchanged.weightError, 0.5) << module;
        EXPECT_GT(*exchanged.localError, 0.5) << module;
    }
    EXPECT_LT(*layer("decoder_blocks.1.ffn.fc1").localError, 0.05) << "its own output is right";
}

TEST_F(LayerInspectionTest, StopsWhenItIsTold)
{
    open("int8wo");
    int left = 3;
    const auto report = inspect(&left);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, core::ErrorCode::Cancelled);
}

TEST(RelativeErrors, AreRootsOfSums)
{
    const c10::InferenceMode mode;
    RelativeError error;
    error.add(at::tensor({3.0, 0.0}), at::tensor({3.0, 1.0}));
    error.add(at::tensor({0.0, 4.0}), at::tensor({2.0, 4.0}));
    EXPECT_DOUBLE_EQ(error.value().value(), std::sqrt(5.0 / 25.0));
    RelativeError nothing;
    nothing.add(at::zeros({2}), at::zeros({2}));
    EXPECT_FALSE(nothing.value().has_value());
}

core::CellRequest reportingCell(const std::filesystem::path& folder, const std::string& precision)
{
    core::CellRequest request = tests::smallCell(folder, kModel, 3, 32);
    request.config.precision = {precision};
    request.reportLayers = true;
    return request;
}

// As the row of the cell has it, of the layers of GPTQ alone.
void expectSolvingOf(const std::vector<core::StageCalibration>& calibration,
                     const core::LayerReport& report)
{
    std::map<std::string, core::SolvedLayer> solved;
    for (const core::StageCalibration& stage : calibration) {
        for (const core::SolvedLayer& layer : stage.layers)
            solved.emplace(stage.stage + "/" + layer.module, layer);
    }
    for (const core::ReportedLayer& layer : report.layers) {
        const auto found = solved.find(layer.stage + "/" + layer.module);
        ASSERT_EQ(found != solved.end(), layer.scheme.starts_with("gptq")) << layer.module;
        ASSERT_EQ(layer.deadColumns.has_value(), found != solved.end()) << layer.module;
        if (found == solved.end())
            continue;
        EXPECT_EQ(layer.deadColumns, found->second.deadColumns);
        EXPECT_GT(found->second.seconds, 0.0);
        EXPECT_EQ(layer.solverSeconds, found->second.seconds);
        EXPECT_EQ(layer.roundedToNearest, found->second.roundedToNearest);
        EXPECT_EQ(layer.solverLoss.has_value(), !found->second.roundedToNearest);
        EXPECT_GT(layer.solverLoss.value_or(1.0), 0.0);
        EXPECT_EQ(layer.solverLoss.value_or(0.0), found->second.loss);
    }
}

TEST(ReportedCells, LeaveALayerReportBesideTheirOutputs)
{
    CellRunner runner;
    tests::SilentObserver observer;
    for (const char* precision : {"int8dq", "int8sq:samples=2", "int8-static:samples=2",
                                  "gptq-int4-32:samples=2:tail=1", "float8-delayed:samples=2"}) {
        SCOPED_TRACE(precision);
        const tests::TestFolder folder;
        const auto result = runner.run(reportingCell(folder.path(), precision), observer);
        ASSERT_TRUE(result.ok()) << result.error().message;
        const auto report = core::readLayerReport(folder / core::kLayerReportFile);
        ASSERT_TRUE(report.ok()) << report.error().message;
        EXPECT_GE(report.value().layers.size(), 8U);
        for (const core::ReportedLayer& layer : report.value().layers) {
            EXPECT_GT(layer.weightError.value_or(0.0), 0.0) << layer.module;
            EXPECT_LT(layer.weightError.value_or(1.0), 0.3) << layer.module;
            EXPECT_LT(layer.cumulativeError.value_or(1.0), 0.9) << layer.module;
        }
        expectSolvingOf(result.value().calibration, report.value());
    }
}

// On a processor the groups of fused stages are computed one operation after the other.
TEST(ReportedCells, OfAProcessorSayThatNoKernelRan)
{
    CellRunner runner;
    tests::SilentObserver observer;
    for (const char* compile : {"none", "fused"}) {
        const tests::TestFolder folder;
        core::CellRequest request = reportingCell(folder.path(), "int8dq");
        request.config.compile = compile;
        const auto result = runner.run(request, observer);
        ASSERT_TRUE(result.ok()) << result.error().message;
        const auto report = core::readLayerReport(folder / core::kLayerReportFile);
        ASSERT_TRUE(report.ok()) << report.error().message;
        const std::vector<core::FusedProduct> expected(request.config.compile == "fused" ? 1U : 0U);
        for (const core::ReportedLayer& layer : report.value().layers)
            EXPECT_EQ(layer.fused, expected) << layer.module;
    }
}

TEST(ReportedCells, HaveNoneWithoutQuantizedLayersOrWithoutAWish)
{
    CellRunner runner;
    tests::SilentObserver observer;
    const tests::TestFolder folder;
    ASSERT_TRUE(runner.run(reportingCell(folder.path(), "bf16"), observer).ok());
    EXPECT_FALSE(std::filesystem::exists(folder / core::kLayerReportFile));
    core::CellRequest request = reportingCell(folder.path(), "int8dq");
    request.reportLayers = false;
    ASSERT_TRUE(runner.run(request, observer).ok());
    EXPECT_FALSE(std::filesystem::exists(folder / core::kLayerReportFile));
}

}  // namespace
}  // namespace qs::engine
