// Products by the instructions of a warp, in each of their shapes, against whole numbers and
// float64, and against Hopper's units where the GPU has them.

#include "core/engine/cell_runner.h"
#include "core/engine/compile/fused_group.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/product_source.h"
#include "core/quant/scheme.h"
#include "tests/engine/product_graphs.h"
#include "tests/engine/random_tensor.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/scheme_layer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

using core::DType;
using core::ProductUnits;
using tests::ProductSizes;

using Check = std::function<void(const at::Tensor&)>;

class CudaPlainProducts : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!whyNoCuda().empty())
            GTEST_SKIP() << "no GPU: " << whyNoCuda();
        m_backend = makeCudaBackend(0).value();
        m_device = describeCudaDevices().front();
        m_chip = core::productChip(m_device, ProductUnits::Plain);
        if (m_chip.units != ProductUnits::Plain)
            GTEST_SKIP() << "no units for it";
        // Then all shapes are about as good: none is left out.
        m_chip.processors = 1;
    }

    [[nodiscard]] std::vector<at::Tensor> there(const std::vector<at::Tensor>& inputs) const
    {
        std::vector<at::Tensor> given;
        for (const at::Tensor& input : inputs)
            given.push_back(input.is_cuda() ? input : input.to(m_backend->device()));
        return given;
    }

    // Runs it in each of its shapes.
    void inEachShape(const core::Graph& graph, const std::vector<at::Tensor>& inputs,
                     const Check& check) const
    {
        const KernelSite site{graph, *m_backend, m_device, ProductUnits::Plain};
        const std::vector<at::Tensor> given = there(inputs);
        core::InputStrides strides;
        for (const at::Tensor& input : given)
            strides.push_back(input.strides().vec());
        const auto sources = core::productSources(graph, strides, core::Division::ByReciprocal,
                                                  m_chip, std::vector<bool>())
                                 .value();
        ASSERT_FALSE(sources.empty());
        for (const core::ProductSource& source : sources) {
            SCOPED_TRACE(source.shape.name());
            auto code = site.compiled(source.text, source.name);
            ASSERT_TRUE(code.ok()) << code.error().message;
            ASSERT_TRUE(code.value().allowShared(source.shape.sharedBytes).ok());
            const core::LaunchGrid grid{source.shape.blocks, source.shape.threads,
                                        source.shape.sharedBytes, site.startsEarly()};
            const auto kernel = plainKernel(site, std::move(code).value(), grid, {});
            const at::Tensor found = kernel->run(given).front().cpu();
            EXPECT_TRUE(
                at::equal(found.nan_to_num(), kernel->run(given).front().cpu().nan_to_num()))
                << "the same twice";
            check(found);
        }
    }

    // As fused stages run it.
    [[nodiscard]] at::Tensor run(const core::Graph& graph, const std::vector<at::Tensor>& inputs,
                                 ProductUnits most) const
    {
        FusedGroup group = FusedGroup::create(graph, *m_backend, m_device, {}, most).value();
        const at::Tensor found = group.run(there(inputs)).front().cpu();
        EXPECT_EQ(group.whyComposed(), std::nullopt);
        return found;
    }

    c10::InferenceMode m_inference;
    std::unique_ptr<Backend> m_backend;
    core::DeviceDescription m_device;
    core::ProductChip m_chip;
};

Check isExactly(const at::Tensor& expected)
{
    return [expected](const at::Tensor& found) {
        EXPECT_TRUE(at::equal(found.to(at::kDouble), expected.to(at::kDouble)));
    };
}

Check isNear(const at::Tensor& expected, double distance)
{
    return [expected, distance](const at::Tensor& found) {
        EXPECT_LT(tests::relativeDistance(found, expected.reshape(found.sizes())), distance);
    };
}

// Of a gate: four roundings to 8 digits, of which few elements may have the largest at once.
constexpr double kGateDistance = 0.01;

TEST_F(CudaPlainProducts, WholeNumbersAreExact)
{
    for (const ProductSizes& sizes : std::vector<ProductSizes>{{1, 8, 16},
                                                               {7, 24, 48},
                                                               {17, 8, 1040},
                                                               {255, 1000, 2064},
                                                               {129, 520, 128},
                                                               {300, 3072, 1024},
                                                               {4097, 136, 272}}) {
        SCOPED_TRACE(std::to_string(sizes.m) + " x " + std::to_string(sizes.n));
        at::Tensor a = tests::codes(sizes.m, sizes.k);
        at::Tensor w = tests::codes(sizes.n, sizes.k);
        a[sizes.m / 2].zero_();
        a[sizes.m - 1].fill_(-128);
        w[sizes.n - 1].fill_(-128);
        inEachShape(tests::wholeProduct(sizes), {a, w}, isExactly(tests::exactSums(a, w)));
    }
}

// Of the last sixteen bytes of a row only some belong to it.
TEST_F(CudaPlainProducts, RowsMayBeApart)
{
    for (const std::int64_t k : {336, 339, 257}) {
        const ProductSizes sizes{200, 264, k};
        const at::Tensor a = there({tests::codes(sizes.m, 384)}).front().narrow(1, 0, k);
        const at::Tensor w = there({tests::codes(sizes.n, 400)}).front().narrow(1, 16, k);
        inEachShape(tests::wholeProduct(sizes), {a, w},
                    isExactly(tests::exactSums(a.cpu(), w.cpu())));
    }
}

TEST_F(CudaPlainProducts, ScalesAndResidualAreThoseOfTheComposition)
{
    for (const ProductSizes& sizes :
         std::vector<ProductSizes>{{1, 8, 64}, {333, 200, 96}, {255, 264, 1024}}) {
        const auto inputs = tests::scaledInputs(sizes);
        inEachShape(tests::scaledProduct(sizes), inputs, isExactly(tests::scaledResult(inputs)));
    }
}

TEST_F(CudaPlainProducts, GatesOfFloat8)
{
    if (!m_chip.multiplies(core::ProductType::Float8))
        GTEST_SKIP() << "no units for float8";
    for (const ProductSizes& sizes :
         std::vector<ProductSizes>{{1, 16, 16}, {64, 128, 256}, {301, 1072, 528}}) {
        const auto inputs = tests::float8Inputs(sizes);
        inEachShape(tests::float8Gate(sizes), inputs,
                    isNear(tests::float8Result(inputs), kGateDistance));
    }
}

TEST_F(CudaPlainProducts, OfSixteenBits)
{
    for (const DType type : {DType::BFloat16, DType::Float16}) {
        for (const ProductSizes& sizes : std::vector<ProductSizes>{
                 {1, 16, 8}, {17, 8, 200}, {255, 528, 1032}, {256, 2 * 2736, 1024}}) {
            for (const bool gates : {false, true}) {
                if (gates && sizes.n % 16 != 0)
                    continue;
                SCOPED_TRACE(std::string(core::name(type)) + " " + std::to_string(sizes.n));
                const auto inputs = tests::halfInputs(type, sizes);
                inEachShape(tests::halfProduct(type, sizes, gates), inputs,
                            isNear(tests::halfResult(inputs, gates), kGateDistance));
            }
        }
    }
}

// The largest and the least numbers of a type.
TEST_F(CudaPlainProducts, EndsOfTheRange)
{
    const ProductSizes sizes{70, 64, 144};
    const core::Graph half = tests::halfProduct(DType::Float16, sizes, false);
    const at::Tensor least = at::full({1, sizes.m, sizes.k}, 6e-8).to(at::kHalf);
    const at::Tensor large = at::full({sizes.n, sizes.k}, 6e4).to(at::kHalf);
    inEachShape(half, {least, large}, isNear(tests::exactSums(least, large), 1e-3));
    const at::Tensor huge = at::full({1, sizes.m, sizes.k}, 1e30).to(at::kBFloat16);
    const at::Tensor wide = at::full({sizes.n, sizes.k}, 1e5).to(at::kBFloat16);
    inEachShape(tests::halfProduct(DType::BFloat16, sizes, false), {huge, wide},
                isNear(tests::exactSums(huge, wide), 4e-3));
    if (!m_chip.multiplies(core::ProductType::Float8))
        return;
    for (const double value : {448.0, 0.002}) {
        auto inputs = tests::float8Inputs(sizes);
        inputs[0] = at::full({sizes.m, sizes.k}, value).to(at::kFloat8_e4m3fn);
        inEachShape(tests::float8Gate(sizes), inputs,
                    isNear(tests::float8Result(inputs), kGateDistance));
    }
}

TEST_F(CudaPlainProducts, WhatIsNoNumberStaysInItsRow)
{
    const ProductSizes sizes{70, 64, 200};
    for (const DType type : {DType::BFloat16, DType::Float16}) {
        auto inputs = tests::halfInputs(type, sizes);
        inputs[0][0][3][199] = std::numeric_limits<float>::quiet_NaN();
        inputs[0][0][5][7] = std::numeric_limits<float>::infinity();
        inputs[0][0][6].zero_();
        inEachShape(tests::halfProduct(type, sizes, false), inputs, [](const at::Tensor& found) {
            const at::Tensor rows = found[0];
            EXPECT_TRUE(rows[3].isnan().all().item<bool>());
            EXPECT_FALSE(rows[5].isfinite().any().item<bool>());
            EXPECT_TRUE((rows[6] == 0).all().item<bool>());
            for (const std::int64_t row : {0, 2, 4, 7, 69})
                EXPECT_TRUE(rows[row].isfinite().all().item<bool>()) << row;
        });
    }
}

TEST_F(CudaPlainProducts, NoNumberAmongFloat8StaysInItsRow)
{
    if (!m_chip.multiplies(core::ProductType::Float8))
        GTEST_SKIP() << "no units for float8";
    const ProductSizes sizes{70, 64, 144};
    auto inputs = tests::float8Inputs(sizes);
    inputs[0].view(at::kByte)[3][143] = 0x7f;
    inputs[0].view(at::kByte)[6].zero_();
    inEachShape(tests::float8Gate(sizes), inputs, [](const at::Tensor& found) {
        EXPECT_TRUE(found[3].isnan().all().item<bool>());
        EXPECT_TRUE((found[6] == 0).all().item<bool>());
        for (const std::int64_t row : {0, 2, 4, 7, 69})
            EXPECT_TRUE(found[row].isfinite().all().item<bool>()) << row;
    });
}

// Bit by bit, where sums are exact; the text behind them is the same.
TEST_F(CudaPlainProducts, AreThoseOfHoppersUnits)
{
    if (core::productChip(m_device).units != ProductUnits::Hopper)
        GTEST_SKIP() << "no units of Hopper";
    for (const ProductSizes& sizes : std::vector<ProductSizes>{{256, 1024, 1024}, {333, 200, 96}}) {
        const auto inputs = tests::scaledInputs(sizes);
        const core::Graph graph = tests::scaledProduct(sizes);
        EXPECT_TRUE(at::equal(run(graph, inputs, ProductUnits::Plain),
                              run(graph, inputs, ProductUnits::Hopper)));
    }
}

// A layer, with the quantizing of its input and its bias, in both modes.
TEST_F(CudaPlainProducts, OfAStageAreThoseOfHoppersUnits)
{
    if (core::productChip(m_device).units != ProductUnits::Hopper)
        GTEST_SKIP() << "no units of Hopper";
    core::StageProgram stage =
        tests::layerStage(core::parseScheme("int8dq").value(), {255, 1024}, 520, true);
    stage.compile = core::parseCompileMode("fused").value();
    const core::RegionStage best = core::fusedStage(stage, m_device).value();
    stage.compile = core::parseCompileMode("fused:units=plain").value();
    const core::RegionStage plain = core::fusedStage(stage, m_device).value();
    ASSERT_EQ(plain.programs.size(), best.programs.size());
    int products = 0;
    for (std::size_t i = 0; i < plain.programs.size(); ++i) {
        const core::Graph& graph = plain.programs[i].graph;
        EXPECT_EQ(core::toText(graph), core::toText(best.programs[i].graph));
        std::vector<at::Tensor> inputs;
        for (const core::ValueId id : graph.inputs)
            inputs.push_back(tests::randomTensor(graph.value(id).type));
        products += core::matrixProduct(graph, core::denseInputs(graph)) ? 1 : 0;
        EXPECT_TRUE(at::equal(run(graph, inputs, ProductUnits::Plain),
                              run(graph, inputs, ProductUnits::Hopper)));
    }
    EXPECT_EQ(products, 1);
}

class CudaPlainCells : public testing::TestWithParam<const char*>
{
};

// A cell is compared with eager before it is timed: its status says whether it agrees.
TEST_P(CudaPlainCells, AgreeWithEager)
{
    if (!whyNoCuda().empty())
        GTEST_SKIP() << "no GPU: " << whyNoCuda();
    const core::ProductChip chip =
        core::productChip(describeCudaDevices().front(), ProductUnits::Plain);
    const std::string precision = GetParam();
    if (chip.units != ProductUnits::Plain || (precision.starts_with("float8") && !chip.hasFloat8))
        GTEST_SKIP() << "no units for it";
    const tests::TestFolder folder;
    core::CellRequest request =
        tests::smallCell(folder.path(), "vitok:w128_d2_h4-w192_d3_h3/1x8x16", 4, 64);
    request.config.device = "cuda:0";
    request.config.precision = {precision};
    request.config.compile = "fused:units=plain";
    request.measurement.maximumWarmupSeconds = 0.2;
    request.measurement.maximumSampleSeconds = 0.3;
    tests::SilentObserver silent;
    CellRunner runner;
    const auto result = runner.run(request, silent);
    ASSERT_TRUE(result.ok()) << result.error().message;
    for (const core::Note& note : result.value().notes) {
        EXPECT_NE(note.code, core::NoteCode::FusedFellBack);
        EXPECT_NE(note.code, core::NoteCode::ReferenceFused);
    }
    std::vector<std::string> names;
    for (const core::StageCompile& stage : result.value().compiles) {
        for (const core::KernelChoice& kernel : stage.kernels)
            names.push_back(kernel.kernel);
    }
    EXPECT_THAT(names, testing::Contains(testing::HasSubstr("_plain_")));
    EXPECT_THAT(names, testing::Not(testing::Contains(
                           testing::MatchesRegex("qs_product_[a-z0-9]+(_gate)?_[0-9]+x.*"))));
}

INSTANTIATE_TEST_SUITE_P(Precisions, CudaPlainCells, testing::Values("int8dq", "float8dq-row"));

}  // namespace
}  // namespace qs::engine
