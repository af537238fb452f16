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
#include "tests/gpu/product_shapes.h"
#include "tests/support/scheme_layer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/equal.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

using core::DType;
using core::ProductUnits;
using tests::isExactly;
using tests::isNear;
using tests::kGateDistance;
using tests::ProductSizes;

class CudaPlainProducts : public tests::ProductShapesTest
{
protected:
    CudaPlainProducts() : ProductShapesTest(ProductUnits::Plain) {}

    // As fused stages run it.
    [[nodiscard]] at::Tensor run(const core::Graph& graph, const std::vector<at::Tensor>& inputs,
                                 ProductUnits most) const
    {
        FusedGroup group = FusedGroup::create(graph, *m_backend, m_device, {}, most).value();
        const at::Tensor found = group.run(there(inputs)).front().cpu();
        EXPECT_EQ(group.whyComposed(), std::nullopt);
        return found;
    }
};

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
