// The schemes that are calibrated, on a GPU: what must be equal to the CPU and between the modes.

#include "core/engine/cell_runner.h"
#include "core/engine/internal/backend.h"
#include "core/engine/probe/describe.h"
#include "core/engine/quantize/gptq.h"
#include "core/engine/quantize/row_columns.h"
#include "core/model/generated_weights.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

using core::Phase;

class CudaCalibration : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!whyNoCuda().empty())
            GTEST_SKIP() << "no GPU: " << whyNoCuda();
    }

    core::CellResult measure(const std::string& model, const std::string& precision,
                             const std::string& device, const std::string& compile = "none")
    {
        core::CellRequest request = tests::smallCell(m_folder.path(), model, 3, 32);
        request.config.precision = {precision};
        request.config.device = device;
        request.config.compile = compile;
        request.config.layers = m_layers;
        request.cacheFolder = m_cache;
        CellRunner runner;
        tests::SilentObserver observer;
        auto result = runner.run(request, observer);
        EXPECT_TRUE(result.ok()) << precision << " on " << device << ": "
                                 << (result.ok() ? "" : result.error().message);
        return result.ok() ? std::move(result).value() : core::CellResult();
    }
    static at::Tensor values(const std::string& name, std::vector<std::int64_t> shape)
    {
        at::Tensor tensor = at::empty(shape, at::kFloat);
        core::generate(core::generatorKey(5, name), core::generatorFactor(1.0), 0,
                       {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())});
        return tensor;
    }

    tests::TestFolder m_folder;
    std::filesystem::path m_cache;
    std::string m_layers = "all";
};

constexpr const char* kVitok = "vitok:w64_d1_h2-w64_d2_h2/1x8x16";
constexpr const char* kSchemes[] = {"int8sq:samples=3",
                                    "int8-static:samples=3",
                                    "int8-static:samples=3:range=affine:method=mse",
                                    "gptq-int4-32:samples=3:tail=1",
                                    "gptq-int4-32:samples=3:tail=1:order=group",
                                    "float8-delayed:samples=3"};

TEST_F(CudaCalibration, EverySchemeRunsWhatItSaysInBothModes)
{
    for (const char* scheme : kSchemes) {
        SCOPED_TRACE(scheme);
        const core::CellResult eager = measure(kVitok, scheme, "cuda:0");
        EXPECT_FALSE(core::anyMismatch(eager.executed));
        EXPECT_EQ(eager.calibration.size(), 2U);
        EXPECT_EQ(eager.storage.offenderCount, 0);
        EXPECT_TRUE(eager.outputsFinite);
        const core::CellResult recorded = measure(kVitok, scheme, "cuda:0", "cuda-graph");
        EXPECT_GT(recorded.graphLaunches, 0);
        EXPECT_EQ(tests::outputHashes(recorded), tests::outputHashes(eager))
            << "the same operations, recorded";
    }
}

TEST_F(CudaCalibration, ConvolutionsOfIntegersRunOnTheGpu)
{
    for (const char* scheme : {"int8-static:samples=2", "int8-static:samples=2:range=affine"}) {
        SCOPED_TRACE(scheme);
        const core::CellResult cuda = measure("resnet:18/10", scheme, "cuda:0");
        EXPECT_FALSE(core::anyMismatch(cuda.executed));
        EXPECT_TRUE(cuda.outputsFinite);
    }
}

class CudaFusedConvolutions : public CudaCalibration,
                              public ::testing::WithParamInterface<const char*>
{
};

// A cell is compared with eager before it is timed: that it is there says that it agrees. Of the
// network some layers, with strides and with kernels of one pixel: each shape is compiled.
TEST_P(CudaFusedConvolutions, MultiplyInKernelsOfOurs)
{
    m_cache = m_folder / "cache";
    m_layers = "regex:layer2";
    const core::CellResult eager = measure("resnet:18/10", GetParam(), "cuda:0");
    const core::CellResult fused = measure("resnet:18/10", GetParam(), "cuda:0", "fused");
    constexpr int kLayers = 5;
    const core::ExecutedProduct whole{"aten::_int_mm", core::DType::Int32, kLayers, kLayers};
    EXPECT_THAT(core::productsOf(eager.executed), ::testing::Contains(whole));
    EXPECT_THAT(core::productsOf(fused.executed), ::testing::Contains(whole));
    EXPECT_TRUE(fused.outputsFinite);
    for (const core::Note& note : fused.notes)
        EXPECT_NE(note.code, core::NoteCode::FusedFellBack);
    int products = 0;
    for (const core::StageCompile& stage : fused.compiles) {
        for (const core::KernelChoice& choice : stage.kernels) {
            if (std::count(choice.operations.begin(), choice.operations.end(), "_int_mm") == 0)
                continue;
            EXPECT_THAT(choice.kernel, ::testing::StartsWith("qs_product_int8"));
            products += choice.calls;
        }
    }
    EXPECT_GE(products, kLayers);
}

INSTANTIATE_TEST_SUITE_P(Ranges, CudaFusedConvolutions,
                         ::testing::Values("int8-static:samples=2",
                                           "int8-static:samples=2:range=affine"));

TEST_F(CudaCalibration, TheCacheServesASecondWorker)
{
    m_cache = m_folder / "cache";
    const core::CellResult made = measure(kVitok, "gptq-int4-32:samples=3:tail=1", "cuda:0");
    const core::CellResult found = measure(kVitok, "gptq-int4-32:samples=3:tail=1", "cuda:0");
    ASSERT_EQ(found.calibration.size(), 2U);
    EXPECT_FALSE(made.calibration[0].fromCache);
    EXPECT_TRUE(found.calibration[0].fromCache);
    EXPECT_EQ(tests::outputHashes(found), tests::outputHashes(made));
}

TEST_F(CudaCalibration, GptqChoosesTheCodesOfTheCpu)
{
    const c10::InferenceMode guard;
    const at::Tensor rows = values("x", {300, 160}).to(at::kDouble);
    const at::Tensor moments = rows.t().matmul(rows);
    const at::Tensor weight = values("w", {96, 160}).to(at::kBFloat16);
    for (const ColumnOrder order :
         {ColumnOrder::Natural, ColumnOrder::Static, ColumnOrder::Group}) {
        const GptqSettings settings{64, order};
        const GptqResult cpu = solveGptq(weight, moments, settings);
        const GptqResult cuda = solveGptq(weight.cuda(), moments.cuda(), settings);
        EXPECT_TRUE(cuda.codes.cpu().equal(cpu.codes));
        // Rounded once more or less on the way: the devices sum in another order.
        const at::Tensor apart = (cuda.scale.cpu() - cpu.scale).abs() / cpu.scale.abs();
        EXPECT_LE(apart.max().item<double>(), 1e-6);
        EXPECT_NEAR(cuda.loss, cpu.loss, 1e-9 * cpu.loss);
    }
}

TEST_F(CudaCalibration, TheKernelOfRowsChoosesTheCodesOfTheCpu)
{
    const c10::InferenceMode guard;
    const auto backend = makeBackend("cuda:0").value();
    const auto rounder = RowColumns::build(describeDevice("cuda:0").value(), *backend);
    ASSERT_TRUE(rounder.ok()) << rounder.error().message;
    for (const auto& [out, in] : {std::pair(96, 160), std::pair(1, 33), std::pair(301, 256)}) {
        const at::Tensor rows = values("x", {2 * in, in}).to(at::kDouble);
        const at::Tensor moments = rows.t().matmul(rows);
        const at::Tensor weight = values("w", {out, in}).to(at::kBFloat16);
        for (const ColumnOrder order :
             {ColumnOrder::Natural, ColumnOrder::Static, ColumnOrder::Group}) {
            for (const std::int64_t block : {7, 128, 200}) {
                GptqSettings settings{64, order, 0.01, block};
                const GptqResult cpu = solveGptq(weight, moments, settings);
                settings.rounder = rounder.value().get();
                const GptqResult cuda = solveGptq(weight.cuda(), moments.cuda(), settings);
                EXPECT_TRUE(cuda.codes.cpu().equal(cpu.codes)) << out << " x " << in;
                EXPECT_NEAR(cuda.loss, cpu.loss, 1e-9 * cpu.loss);
            }
        }
    }
}

// The shapes of ViTok and of the Llama models, each way of going through the columns; what it
// prints is what the table of the report has.
TEST_F(CudaCalibration, GptqOfTheShapesOfRealModelsIsTimed)
{
    const c10::InferenceMode guard;
    const auto backend = makeBackend("cuda:0").value();
    const auto rounder = RowColumns::build(describeDevice("cuda:0").value(), *backend);
    ASSERT_TRUE(rounder.ok()) << rounder.error().message;
    const GptqSettings ways[] = {
        {128, ColumnOrder::Static, 0.01, 128, BlockSolver::Improved},
        {128, ColumnOrder::Static, 0.01, 128, BlockSolver::Improved, rounder.value().get()}};
    const std::pair<std::int64_t, std::int64_t> shapes[] = {
        {3072, 1024}, {1024, 1024}, {5472, 1024}, {1024, 2736},  {2048, 2048},
        {256, 2048},  {5632, 2048}, {2048, 5632}, {11008, 2048}, {2048, 11008}};
    for (const auto& [out, in] : shapes) {
        const at::Tensor weight = values("w", {out, in}).to(at::kBFloat16).cuda();
        const at::Tensor rows = values("x", {in + 512, in}).cuda().to(at::kDouble);
        const at::Tensor moments = rows.t().matmul(rows);
        std::cout << "gptq [" << out << ", " << in << "]";
        for (const GptqSettings& way : ways) {
            backend->synchronize();
            backend->resetPeaks();
            const auto begin = std::chrono::steady_clock::now();
            const GptqResult solved = solveGptq(weight, moments, way);
            backend->synchronize();
            const double seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            EXPECT_FALSE(solved.roundedToNearest);
            EXPECT_GT(solved.loss, 0.0);
            std::cout << "  " << seconds << " s, peak "
                      << static_cast<double>(backend->memory().allocatedPeak.value_or(0)) /
                             1048576.0
                      << " MiB";
        }
        std::cout << std::endl;
    }
}

}  // namespace
}  // namespace qs::engine
