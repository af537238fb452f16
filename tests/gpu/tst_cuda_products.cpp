// Products in kernels of ours against whole numbers and float64: ragged shapes, rows apart, gates,
// residuals, and values at the ends of their ranges.

#include "core/base/sha256.h"
#include "core/engine/cell_runner.h"
#include "core/engine/compile/fused_group.h"
#include "core/engine/execute/executor.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/product_source.h"
#include "core/quant/scheme.h"
#include "tests/engine/product_graphs.h"
#include "tests/engine/random_tensor.h"
#include "tests/gpu/hopper.h"
#include "tests/support/scheme_layer.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/silu.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>

namespace qs::engine {
namespace {

using core::DType;
using core::ValueId;
using tests::codes;
using tests::float8Gate;
using Sizes = tests::ProductSizes;

class CudaProducts : public tests::HopperTest
{
protected:
    [[nodiscard]] at::Tensor there(const at::Tensor& x) const { return x.to(m_backend->device()); }

    [[nodiscard]] at::Tensor run(const core::Graph& graph, const std::vector<at::Tensor>& inputs)
    {
        FusedGroup group = FusedGroup::create(graph, *m_backend, m_device).value();
        std::vector<at::Tensor> given;
        for (const at::Tensor& input : inputs)
            given.push_back(input.is_cuda() ? input : there(input));
        const at::Tensor found = group.run(given).front().cpu();
        EXPECT_EQ(group.whyComposed(), std::nullopt);
        return found;
    }
};

TEST_F(CudaProducts, WholeNumbersAreExact)
{
    for (const Sizes& sizes : std::vector<Sizes>{{1, 8, 16},
                                                 {7, 24, 48},
                                                 {17, 8, 1040},
                                                 {255, 1000, 2064},
                                                 {129, 520, 128},
                                                 {300, 3072, 1024},
                                                 {4097, 136, 272}}) {
        const at::Tensor a = codes(sizes.m, sizes.k);
        const at::Tensor w = codes(sizes.n, sizes.k);
        const at::Tensor found = run(tests::wholeProduct(sizes), {a, w});
        EXPECT_TRUE(at::equal(found.to(at::kDouble), tests::exactSums(a, w)))
            << sizes.m << " x " << sizes.n << " x " << sizes.k;
    }
}

TEST_F(CudaProducts, RowsMayBeApart)
{
    const Sizes sizes{200, 264, 336};
    const at::Tensor a = there(codes(sizes.m, 384)).narrow(1, 0, sizes.k);
    const at::Tensor w = there(codes(sizes.n, 400)).narrow(1, 16, sizes.k);
    EXPECT_TRUE(at::equal(run(tests::wholeProduct(sizes), {a, w}).to(at::kDouble),
                          tests::exactSums(a.cpu(), w.cpu())));
}

TEST_F(CudaProducts, TheSameTwice)
{
    const Sizes sizes{500, 640, 1024};
    const at::Tensor a = codes(sizes.m, sizes.k);
    const at::Tensor w = codes(sizes.n, sizes.k);
    EXPECT_TRUE(at::equal(run(tests::wholeProduct(sizes), {a, w}),
                          run(tests::wholeProduct(sizes), {a, w})));
}

TEST_F(CudaProducts, ScalesAndResidualAreThoseOfTheComposition)
{
    const Sizes sizes{333, 200, 96};
    const auto inputs = tests::scaledInputs(sizes);
    EXPECT_TRUE(at::equal(run(tests::scaledProduct(sizes), inputs), tests::scaledResult(inputs)));
}

// As int8dq has it with few rows: the kernel reads them, its composition more, which PyTorch needs.
TEST_F(CudaProducts, OfFewRowsReadNoneThatAreThereForALibrary)
{
    for (const std::int64_t rows : {1, 5, 16}) {
        const core::StageProgram layer =
            tests::layerStage(core::parseScheme("int8dq").value(), {rows, 336}, 72, true);
        const core::RegionStage stage = core::fusedStage(layer, m_device).value();
        const core::Graph& graph = stage.programs.back().graph;
        const auto product = core::matrixProduct(graph, core::denseInputs(graph));
        ASSERT_TRUE(product.has_value());
        EXPECT_EQ(product->a.rows, rows);
        std::vector<at::Tensor> inputs;
        for (const ValueId id : graph.inputs)
            inputs.push_back(there(tests::randomTensor(graph.value(id).type)));
        const auto composition = Executor::create(graph, {}, m_backend->device()).value();
        EXPECT_TRUE(at::equal(run(graph, inputs), composition.run(inputs).front().cpu())) << rows;
    }
}

TEST_F(CudaProducts, GatesOfFloat8)
{
    for (const Sizes& sizes : std::vector<Sizes>{{64, 128, 256}, {301, 1072, 528}}) {
        const at::Tensor a = at::randn({sizes.m, sizes.k}).to(at::kFloat8_e4m3fn);
        const at::Tensor w = at::randn({sizes.n, sizes.k}).to(at::kFloat8_e4m3fn);
        const at::Tensor s = at::rand({sizes.m, 1}) * 0.1;
        const at::Tensor t = at::rand({1, sizes.n});
        const at::Tensor y = tests::exactSums(a, w) * s * t;
        const auto halves = y.chunk(2, -1);
        const at::Tensor expected = at::silu(halves[0]) * halves[1];
        const at::Tensor found = run(float8Gate(sizes), {a, w, s, t}).to(at::kDouble);
        // Units add up float8 in fewer bits than a float has, as PyTorch's product does.
        EXPECT_LT(((found - expected).norm() / expected.norm()).item<double>(), 6e-3);
    }
}

TEST_F(CudaProducts, WhatIsNoNumberStaysInItsRow)
{
    const Sizes sizes{70, 64, 128};
    at::Tensor s = at::rand({sizes.m, 1});
    s[3][0] = std::numeric_limits<float>::quiet_NaN();
    s[5][0] = std::numeric_limits<float>::infinity();
    const at::Tensor a = at::randn({sizes.m, sizes.k}).to(at::kFloat8_e4m3fn);
    const at::Tensor w = at::randn({sizes.n, sizes.k}).to(at::kFloat8_e4m3fn);
    const at::Tensor found = run(float8Gate(sizes), {a, w, s, at::rand({1, sizes.n})});
    EXPECT_TRUE(found[3].isnan().all().item<bool>());
    EXPECT_FALSE(found[5].isfinite().all().item<bool>());
    s[3][0] = s[5][0] = 1.0F;
    for (const std::int64_t row : {0, 2, 4, 6, 69})
        EXPECT_TRUE(found[row].isfinite().all().item<bool>());
}

// What was found to be the fastest shape of the product that ran last: the only small file among
// the code.
std::filesystem::path choiceIn(const std::filesystem::path& folder)
{
    constexpr std::uintmax_t kLargest = 128;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.file_size() < kLargest)
            return entry.path();
    }
    return {};
}

std::ptrdiff_t filesIn(const std::filesystem::path& folder)
{
    return std::distance(std::filesystem::directory_iterator(folder),
                         std::filesystem::directory_iterator());
}

class CudaProductShapes : public CudaProducts
{
protected:
    void SetUp() override
    {
        CudaProducts::SetUp();
        if (m_backend)
            m_backend->keepKernels(m_folder.path());
    }

    // Runs it in each of its shapes, as if that had been found to be the fastest.
    void inEachShape(const core::Graph& graph, const std::vector<at::Tensor>& inputs,
                     const std::function<void(const at::Tensor&)>& check)
    {
        check(run(graph, inputs));
        const auto product = core::matrixProduct(graph, core::denseInputs(graph));
        const auto shapes = core::productShapes(*product, core::productChip(m_device));
        const std::filesystem::path choice = choiceIn(m_folder.path());
        ASSERT_EQ(choice.empty(), shapes.size() == 1);
        for (const core::ProductShape& shape : shapes) {
            SCOPED_TRACE(shape.name());
            if (!choice.empty())
                std::ofstream(choice) << core::sha256Hex(shape.name()) << shape.name();
            const auto files = filesIn(m_folder.path());
            check(run(graph, inputs));
            EXPECT_EQ(filesIn(m_folder.path()), files);  // nothing was tried again
        }
        if (!choice.empty())
            std::filesystem::remove(choice);
    }

    tests::TestFolder m_folder;
};

TEST_F(CudaProductShapes, AddUpTheSameWholeNumbers)
{
    for (const Sizes& sizes : std::vector<Sizes>{{256, 1024, 2736},
                                                 {256, 3072, 1024},
                                                 {250, 1000, 4112},
                                                 {64, 128, 2048},
                                                 {7, 64, 1040},
                                                 {3000, 512, 512}}) {
        const at::Tensor a = codes(sizes.m, sizes.k);
        const at::Tensor w = codes(sizes.n, sizes.k);
        const at::Tensor expected = tests::exactSums(a, w);
        inEachShape(tests::wholeProduct(sizes), {a, w}, [&](const at::Tensor& found) {
            EXPECT_TRUE(at::equal(found.to(at::kDouble), expected));
        });
    }
}

TEST_F(CudaProductShapes, OfGatesOfFloat8)
{
    const Sizes sizes{256, 2 * 2736, 1024};
    const at::Tensor a = at::randn({sizes.m, sizes.k}).to(at::kFloat8_e4m3fn);
    const at::Tensor w = at::randn({sizes.n, sizes.k}).to(at::kFloat8_e4m3fn);
    const at::Tensor s = at::rand({sizes.m, 1}) * 0.1;
    const at::Tensor t = at::rand({1, sizes.n});
    const auto halves = (tests::exactSums(a, w) * s * t).chunk(2, -1);
    const at::Tensor expected = at::silu(halves[0]) * halves[1];
    inEachShape(float8Gate(sizes), {a, w, s, t}, [&](const at::Tensor& found) {
        const at::Tensor off = found.to(at::kDouble) - expected;
        EXPECT_LT((off.norm() / expected.norm()).item<double>(), 6e-3);
    });
}

TEST_F(CudaProductShapes, OfGatesOfSixteenBits)
{
    for (const DType type : {DType::BFloat16, DType::Float16}) {
        for (const Sizes& sizes : std::vector<Sizes>{{256, 2 * 2736, 1024}, {33, 176, 72}}) {
            const auto inputs = tests::halfInputs(type, sizes);
            const at::Tensor expected = tests::halfResult(inputs, true);
            inEachShape(tests::halfProduct(type, sizes, true), inputs,
                        [&](const at::Tensor& found) {
                            const at::Tensor off = found.to(at::kDouble) - expected;
                            EXPECT_LT((off.norm() / expected.norm()).item<double>(), 6e-3);
                        });
        }
    }
}

// Kernels start before those in front of them have ended: each finds what they have written, and
// none of it is overwritten too soon.
TEST_F(CudaProductShapes, ReadWhatTheKernelInFrontHasWritten)
{
    const Sizes sizes{256, 1024, 1024};
    core::GraphBuilder b;
    const ValueId x = b.input("x", {DType::Float32, {sizes.m, sizes.k}});
    b.output(b.cast(b.clamp(b.scalar("mul", x, 2.0), -127.0, 127.0), DType::Int8), "y");
    const core::Graph rounding = b.finish().value();
    const core::Graph product = tests::wholeProduct(sizes);
    FusedGroup rows = FusedGroup::create(rounding, *m_backend, m_device).value();
    FusedGroup multiply = FusedGroup::create(product, *m_backend, m_device, {false, true}).value();
    const at::Tensor w = codes(sizes.n, sizes.k);
    std::vector<at::Tensor> given;
    std::vector<at::Tensor> found;
    for (int i = 0; i < 100; ++i)
        given.push_back(at::randint(-60, 60, {sizes.m, sizes.k}).to(at::kFloat));
    std::vector<at::Tensor> there;
    for (const at::Tensor& each : given)
        there.push_back(this->there(each));
    const at::Tensor weight = this->there(w);
    for (const at::Tensor& each : there)
        found.push_back(multiply.run({rows.run({each}).front(), weight}).front());
    for (std::size_t i = 0; i < given.size(); ++i)
        EXPECT_TRUE(at::equal(found[i].cpu().to(at::kDouble), tests::exactSums(given[i] * 2, w)))
            << i;
    EXPECT_EQ(multiply.whyComposed(), std::nullopt);
    EXPECT_EQ(rows.whyComposed(), std::nullopt);
}

}  // namespace
}  // namespace qs::engine
