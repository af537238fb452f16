// Compile mode "fused" on a GPU: every precision against eager, and single groups whose rows are
// ragged, hold what is no number, or come in another order, and against float64.

#include "core/engine/cell_runner.h"
#include "core/engine/compile/fused_group.h"
#include "core/engine/compile/fused_runner.h"
#include "core/engine/internal/torch_types.h"
#include "core/lower/fused/kernel_source.h"
#include "tests/engine/hard_rows.h"
#include "tests/engine/row_cases.h"
#include "tests/engine/silent_observer.h"
#include "tests/support/small_cell.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace qs::engine {
namespace {

using core::ValueId;

class CudaFused : public ::testing::Test
{
protected:
    void SetUp() override
    {
        if (!whyNoCuda().empty())
            GTEST_SKIP() << "no GPU: " << whyNoCuda();
    }

    tests::TestFolder m_folder;
};

bool fellBack(const core::CellResult& result)
{
    return std::any_of(result.notes.begin(), result.notes.end(), [](const core::Note& note) {
        return note.code == core::NoteCode::FusedFellBack ||
               note.code == core::NoteCode::ReferenceFused;
    });
}

class FusedPrecisions : public CudaFused, public ::testing::WithParamInterface<const char*>
{
};

// A cell is compared with eager before it is timed: its status says whether it agrees.
TEST_P(FusedPrecisions, AgreeWithEager)
{
    core::CellRequest request =
        tests::smallCell(m_folder.path(), "vitok:w128_d2_h4-w192_d3_h3/1x8x16", 4, 64);
    request.config.device = "cuda:0";
    request.config.precision = {GetParam()};
    request.config.compile = "fused";
    request.measurement.maximumWarmupSeconds = 0.2;
    request.measurement.maximumSampleSeconds = 0.3;
    tests::SilentObserver silent;
    CellRunner runner;
    const auto result = runner.run(request, silent);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_FALSE(fellBack(result.value()));
    EXPECT_EQ(result.value().graphLaunches, 2);
}

INSTANTIATE_TEST_SUITE_P(Precisions, FusedPrecisions,
                         ::testing::Values("fp32", "bf16", "fp16", "bf16-autocast", "int8dq",
                                           "int8wo", "float8dq-row", "float8dq-tensor", "float8wo",
                                           "int4wo-32", "int8dq:rule=reduced"));

// Norm, gate and quantizing by rows, of `length` elements.
core::Graph rowsOf(std::int64_t rows, std::int64_t length)
{
    core::GraphBuilder b;
    const ValueId x = b.input("x", {core::DType::BFloat16, {rows, length}});
    const ValueId weight = b.input("w", {core::DType::BFloat16, {length}});
    const ValueId wide = b.cast(x, core::DType::Float32);
    const ValueId square = b.mean(b.power(wide, 2.0), {-1});
    const ValueId normed = b.binary(
        "mul", b.binary("mul", wide, b.unary("rsqrt", b.scalar("add", square, 1e-6))), weight);
    const ValueId gated = b.unary("silu", b.cast(normed, core::DType::BFloat16));
    const ValueId scale = b.scalar("div", b.absoluteMaximum(gated, {-1}), 127.5);
    const ValueId steps = b.unary("round", b.binary("div", gated, b.clampMin(scale, 1e-7)));
    b.output(b.cast(b.clamp(steps, -128.0, 127.0), core::DType::Int8), "codes");
    b.output(scale, "scale");
    return b.finish().value();
}

struct OnGpu {
    OnGpu() : backend(makeCudaBackend(0).value()), device(describeCudaDevices().front()) {}

    // By its kernel, and by its operations.
    std::pair<std::vector<at::Tensor>, std::vector<at::Tensor>>
    both(const core::Graph& graph, const std::vector<at::Tensor>& inputs)
    {
        FusedGroup group = FusedGroup::create(graph, *backend, device).value();
        const auto composition = Executor::create(graph, {}, backend->device()).value();
        auto found = group.run(inputs);
        EXPECT_EQ(group.whyComposed(), std::nullopt);
        return {found, composition.run(inputs)};
    }

    c10::InferenceMode inference;
    std::unique_ptr<Backend> backend;
    core::DeviceDescription device;
};

at::Tensor on(const OnGpu& gpu, const std::vector<std::int64_t>& shape)
{
    return at::randn(shape, at::TensorOptions().device(gpu.backend->device())).to(at::kBFloat16);
}

class CudaFusedRows : public CudaFused, public ::testing::WithParamInterface<tests::RowCase>
{
};

// Zeros, numbers near both ends of their range, and what is none.
TEST_P(CudaFusedRows, AreWhatFloat64Says)
{
    constexpr double kChain = 32.0;  // two pieces of eight, and the threads of a block by halves
    OnGpu gpu;
    for (const tests::RowSizes& sizes : tests::kRowSizes) {
        const core::Graph graph = GetParam().graph(sizes);
        FusedGroup group = FusedGroup::create(graph, *gpu.backend, gpu.device).value();
        tests::expectFloat64(GetParam(), sizes, kChain, [&](std::vector<at::Tensor> tensors) {
            for (at::Tensor& each : tensors)
                each = each.to(gpu.backend->device());
            tensors = group.run(tensors);
            for (at::Tensor& each : tensors)
                each = each.cpu();
            return tensors;
        });
        EXPECT_EQ(group.whyComposed(), std::nullopt);
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, CudaFusedRows, ::testing::ValuesIn(tests::rowCases()),
                         [](const auto& of) { return of.param.name; });

TEST_F(CudaFused, RaggedRows)
{
    OnGpu gpu;
    for (const auto& [rows, length] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {1, 1}, {1, 7}, {3, 17}, {17, 64}, {255, 100}, {5, 2736}, {2, 8208}, {3, 30000}}) {
        const core::Graph graph = rowsOf(rows, length);
        const auto [found, expected] =
            gpu.both(graph, {on(gpu, {rows, length}), on(gpu, {length})});
        // Sums in another order may round a value to its neighbour.
        const at::Tensor far = (found[0].to(at::kFloat) - expected[0].to(at::kFloat)).abs().max();
        EXPECT_LE(far.item<float>(), 2.0F) << rows << " x " << length;
        EXPECT_TRUE(at::allclose(found[1].to(at::kFloat), expected[1].to(at::kFloat), 0.01))
            << rows << " x " << length;
    }
}

// The last block of some has fewer rows than it could.
TEST_F(CudaFused, EachShapeOfManyRows)
{
    OnGpu gpu;
    constexpr std::int64_t kRows = 1500;
    for (const std::int64_t length : {768, 2048, 2736, 5504}) {
        const core::Graph graph = rowsOf(kRows, length);
        const std::vector<at::Tensor> inputs{on(gpu, {kRows, length}), on(gpu, {length})};
        const auto composition = Executor::create(graph, {}, gpu.backend->device()).value();
        const auto expected = composition.run(inputs);
        const KernelSite site{graph, *gpu.backend, gpu.device};
        const auto sources =
            core::kernelSources(graph, core::denseInputs(graph), core::Division::ByReciprocal);
        ASSERT_GE(sources.value().size(), 2U) << length;
        for (const core::KernelSource& source : sources.value()) {
            SCOPED_TRACE(source.shape.name() + " of " + std::to_string(length));
            const auto found = rowKernel(site, source).value()->run(inputs);
            const at::Tensor far = (found[0].to(at::kFloat) - expected[0].to(at::kFloat)).abs();
            EXPECT_LE(far.max().item<float>(), 2.0F);
            EXPECT_TRUE(at::allclose(found[1].to(at::kFloat), expected[1].to(at::kFloat), 0.01));
        }
    }
}

TEST_F(CudaFused, WhatIsNoNumberGoesThrough)
{
    OnGpu gpu;
    const core::Graph graph = rowsOf(4, 64);
    at::Tensor x = on(gpu, {4, 64});
    x[1][3] = std::numeric_limits<float>::quiet_NaN();
    x[2][5] = std::numeric_limits<float>::infinity();
    x[3].zero_();
    const auto [found, expected] = gpu.both(graph, {x, on(gpu, {64})});
    EXPECT_TRUE(
        at::allclose(found[1].to(at::kFloat), expected[1].to(at::kFloat), 0.01, 1e-8, true));
}

// More rows than one block compares, with the largest at both ends and no number between. Only
// their largest are compared by PyTorch, none of their numbers.
TEST_F(CudaFused, TheLargestOfManyRowsIsThatOfAll)
{
    OnGpu gpu;
    constexpr std::int64_t kRows = 1 << 18;
    core::GraphBuilder b;
    const ValueId x = b.input("x", {core::DType::BFloat16, {kRows, 64}});
    b.output(b.scalar("mul", b.absoluteMaximum(x, {}), 0.5), "y");
    core::StageProgram program;
    program.graph = b.finish().value();
    const NamedTensors nothing;
    NamedTensors values{{"x", on(gpu, {kRows, 64})}};
    const StageSetup setup{program, nothing, nothing, values, *gpu.backend, gpu.device};
    const auto runner = makeFusedRunner(setup).value();
    tests::expectHalfOfLargest(values.at("x"), [&] {
        runner->run();
        return values.at("y").item<double>();
    });
    const auto kernels = runner->kernels();
    EXPECT_EQ(kernels.size(), 3U);
    for (const core::KernelChoice& each : kernels) {
        if (each.kernel.empty()) {
            EXPECT_THAT(each.operations, ::testing::ElementsAre("amax"));
        }
    }
    EXPECT_THAT(runner->notes(),
                ::testing::Each(::testing::Field(&core::Note::code,
                                                 ::testing::Ne(core::NoteCode::FusedFellBack))));
}

// Rows whose largest is so small that the reciprocal of their scale is no float, and a row of
// zeros.
TEST_F(CudaFused, CodesOfTheSmallestRowsAreThoseOfEager)
{
    OnGpu gpu;
    const auto all = tests::rowCases();
    const auto found = std::find_if(all.begin(), all.end(), [](const tests::RowCase& each) {
        return std::string_view(each.name) == "SmallestFloat8Rows";
    });
    ASSERT_NE(found, all.end());
    for (const tests::RowSizes& sizes : tests::kRowSizes) {
        for (std::int64_t first = 0; first < tests::turnsOf(sizes); ++first) {
            const at::Tensor x = found->inputs(sizes, first).front().to(gpu.backend->device());
            const auto [made, expected] = gpu.both(found->graph(sizes), {x});
            EXPECT_TRUE(at::equal(made[0].view(at::kByte), expected[0].view(at::kByte)))
                << sizes.rows << " x " << sizes.length << " from " << first;
            EXPECT_TRUE(at::equal(made[1], expected[1]));
        }
    }
}

TEST_F(CudaFused, TheSameTwice)
{
    OnGpu gpu;
    const core::Graph graph = rowsOf(100, 2736);
    const std::vector<at::Tensor> inputs{on(gpu, {100, 2736}), on(gpu, {2736})};
    const auto first = gpu.both(graph, inputs).first;
    const auto second = gpu.both(graph, inputs).first;
    EXPECT_TRUE(at::equal(first[0], second[0]));
    EXPECT_TRUE(at::equal(first[1], second[1]));
}

TEST_F(CudaFused, InputsInAnotherOrder)
{
    OnGpu gpu;
    const core::Graph graph = rowsOf(32, 96);
    const at::Tensor turned = on(gpu, {96, 32}).t();
    const at::Tensor weight = on(gpu, {97}).slice(0, 1);  // not where sixteen bytes begin
    const auto [found, expected] = gpu.both(graph, {turned, weight});
    EXPECT_TRUE(at::allclose(found[1].to(at::kFloat), expected[1].to(at::kFloat), 0.01));
}

}  // namespace
}  // namespace qs::engine
