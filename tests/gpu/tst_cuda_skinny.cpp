// Products of few rows with codes in kernels of ours, against their compositions and float64.

#include "core/engine/compile/fused_group.h"
#include "core/engine/execute/executor.h"
#include "core/lower/fused/fused_stage.h"
#include "core/quant/scheme.h"
#include "tests/engine/hard_rows.h"
#include "tests/engine/random_tensor.h"
#include "tests/gpu/hopper.h"
#include "tests/support/scheme_layer.h"
#include "tests/support/test_folder.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/stack.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace qs::engine {
namespace {

struct SkinnySizes {
    std::int64_t rows;
    std::int64_t in;
    std::int64_t out;
};

void PrintTo(const SkinnySizes& sizes, std::ostream* out)
{
    *out << sizes.rows << " x " << sizes.in << " x " << sizes.out;
}

// One tile of rows and two; k in less than a step, in several, not whole, with a tail behind the
// groups; half a block of columns.
const std::vector<SkinnySizes> kSkinnySizes{{1, 128, 8},      {3, 2048, 2048}, {8, 8192, 264},
                                            {16, 11008, 512}, {9, 1152, 4096}, {7, 144, 264}};
const std::vector<std::string> kSkinnySchemes{"int4wo-128", "gptq-int4-128:order=none", "int8wo",
                                              "float8wo",   "int4wo-64:rest=fp16",      "int4wo-32",
                                              "int4wo-256"};

// What rounding to the working type moves a number by, at most.
double unitOf(const std::string& scheme)
{
    return scheme.ends_with("fp16") ? 0x1p-11 : 0x1p-8;
}

// Whether these multiply codes, and scale the sum, to which a zero is added.
bool addsZeros(const std::string& scheme)
{
    return scheme == "int4wo-128" || scheme == "int4wo-256";
}

// What the only program of a layer reads.
struct SkinnyOperands {
    SkinnyOperands(const std::vector<at::Tensor>& inputs, const SkinnySizes& sizes)
    {
        for (const at::Tensor& each : inputs) {
            if (each.element_size() == 1)
                codes = each;
            else if (each.sizes() == at::IntArrayRef({sizes.rows, sizes.in}))
                x = each;
            else if (each.dim() == 1)
                bias = each;
            else if (!scale.defined())
                scale = each;
            else
                zero = each;
        }
    }

    // Of columns, as [out, in].
    [[nodiscard]] at::Tensor ofColumns(const at::Tensor& ofGroups, std::int64_t group,
                                       std::int64_t in) const
    {
        const at::Tensor wide = tests::wide(ofGroups.cpu());
        return wide.size(1) == 1 ? wide
                                 : wide.repeat_interleave(group, std::int64_t{1}).narrow(1, 0, in);
    }
    // The sums in float64, without the bias, by the CPU. Of nibbles the upper one comes first.
    [[nodiscard]] at::Tensor sums(const core::Scheme& scheme) const
    {
        const at::Tensor rows = tests::wide(x.cpu());
        const at::Tensor stored = codes.cpu();
        const std::int64_t in = x.size(1);
        if (stored.scalar_type() != at::kByte)
            return at::matmul(rows, (tests::wide(stored) * tests::wide(scale.cpu())).t());
        const std::int64_t group = scheme.whole("group");
        const at::Tensor both =
            at::stack({stored.bitwise_right_shift(4), stored.bitwise_and(15)}, -1).flatten(1);
        at::Tensor weight = (tests::wide(both) - 8.0) * ofColumns(scale, group, in);
        if (zero.defined())
            weight += ofColumns(zero, group, in);
        return at::matmul(rows, weight.t());
    }

    at::Tensor codes;
    at::Tensor x;
    at::Tensor scale;
    at::Tensor zero;
    at::Tensor bias;
};

double distanceOf(const at::Tensor& found, const at::Tensor& expected)
{
    return ((found - expected).norm() / expected.norm()).item<double>();
}

// A suite compiles each kernel once, side by side with others.
class CudaSkinny : public tests::HopperTest
{
protected:
    static void SetUpTestSuite() { s_kernels = std::make_unique<tests::TestFolder>(); }
    static void TearDownTestSuite() { s_kernels.reset(); }
    void SetUp() override
    {
        HopperTest::SetUp();
        if (m_backend && std::getenv("QS_TEST_KERNELS") == nullptr)
            m_backend->keepKernels(s_kernels->path());
    }
    // The only program of a layer.
    [[nodiscard]] core::RegionProgram programOf(const std::string& scheme,
                                                const SkinnySizes& sizes) const
    {
        const core::StageProgram stage = tests::layerStage(core::parseScheme(scheme).value(),
                                                           {sizes.rows, sizes.in}, sizes.out, true);
        return core::fusedStage(stage, m_device).value().programs.at(0);
    }
    [[nodiscard]] std::vector<at::Tensor> inputsOf(const core::Graph& graph) const
    {
        std::vector<at::Tensor> inputs;
        for (const core::ValueId id : graph.inputs)
            inputs.push_back(tests::randomTensor(graph.value(id).type).to(m_backend->device()));
        return inputs;
    }
    [[nodiscard]] at::Tensor run(const core::Graph& graph, const std::vector<at::Tensor>& inputs)
    {
        FusedGroup group =
            FusedGroup::create(graph, *m_backend, m_device, std::vector<bool>(inputs.size(), false))
                .value();
        const at::Tensor found = group.run(inputs).front();
        EXPECT_EQ(group.whyComposed(), std::nullopt);
        EXPECT_TRUE(at::equal(found.view(at::kShort), group.run(inputs).front().view(at::kShort)))
            << "twice the same";
        return found;
    }
    // By the CPU: there is no kernel of a library beside ours that a checker would have to follow.
    [[nodiscard]] at::Tensor composed(const core::Graph& graph,
                                      const std::vector<at::Tensor>& inputs) const
    {
        std::vector<at::Tensor> there;
        for (const at::Tensor& each : inputs)
            there.push_back(each.cpu());
        return Executor::create(graph, {}, at::kCPU).value().run(there)[0].to(m_backend->device());
    }

private:
    static std::unique_ptr<tests::TestFolder> s_kernels;
};

std::unique_ptr<tests::TestFolder> CudaSkinny::s_kernels;

TEST_F(CudaSkinny, WeightsAreWidenedBitByBit)
{
    for (const std::string& scheme : kSkinnySchemes) {
        if (addsZeros(scheme))
            continue;
        for (const SkinnySizes& sizes : kSkinnySizes) {
            const core::RegionProgram program = programOf(scheme, sizes);
            const std::vector<at::Tensor> inputs = inputsOf(program.graph);
            at::Tensor x = SkinnyOperands(inputs, sizes).x.zero_();
            for (std::int64_t row = 0; row < sizes.rows; ++row)
                x[row][row * 37 % sizes.in] = 1.0;
            EXPECT_TRUE(at::equal(run(program.graph, inputs), composed(program.graph, inputs)))
                << scheme << " " << sizes.rows << " x " << sizes.in << " x " << sizes.out;
        }
    }
}

// Both are rounded to 16 bits. Where sums are scaled, only the composition rounds weights. Of the
// five roundings that lie between float64 and a result few are the largest at once.
TEST_F(CudaSkinny, SumsAreThoseOfTheCompositionAndOfFloat64)
{
    for (const std::string& scheme : kSkinnySchemes) {
        for (const SkinnySizes& sizes : kSkinnySizes) {
            const core::RegionProgram program = programOf(scheme, sizes);
            const std::vector<at::Tensor> inputs = inputsOf(program.graph);
            const at::Tensor expected = composed(program.graph, inputs).to(at::kDouble);
            const at::Tensor found = run(program.graph, inputs).to(at::kDouble);
            const bool scalesSums = scheme.find("-128") != std::string::npos ||
                                    scheme.ends_with("8wo") || addsZeros(scheme);
            EXPECT_LT(distanceOf(found, expected), scalesSums ? 0x1p-7 : 0.004)
                << scheme << " " << sizes.rows << " x " << sizes.in << " x " << sizes.out;
            const SkinnyOperands of(inputs, sizes);
            const at::Tensor exact =
                of.sums(core::parseScheme(scheme).value()) + tests::wide(of.bias.cpu());
            EXPECT_LT(distanceOf(found.cpu(), exact), 2 * unitOf(scheme))
                << scheme << " " << sizes.rows << " x " << sizes.in << " x " << sizes.out;
        }
    }
}

TEST_F(CudaSkinny, WhatIsNoNumberStaysInItsRow)
{
    const SkinnySizes sizes{5, 1024, 64};
    const core::RegionProgram program = programOf("int4wo-128", sizes);
    const std::vector<at::Tensor> inputs = inputsOf(program.graph);
    SkinnyOperands(inputs, sizes).x[3][7] = std::numeric_limits<float>::quiet_NaN();
    const at::Tensor found = run(program.graph, inputs);
    for (std::int64_t row = 0; row < sizes.rows; ++row)
        EXPECT_EQ(found[row].isnan().all().item<bool>(), row == 3);
}

class CudaSkinnyRows : public CudaSkinny,
                       public testing::WithParamInterface<std::tuple<std::string, SkinnySizes>>
{
protected:
    // Sums within the range of the type.
    [[nodiscard]] static at::Tensor rowsOf(const std::string& scheme, const SkinnySizes& sizes,
                                           std::int64_t first)
    {
        const bool isHalf = scheme.ends_with("fp16");
        const tests::RowScales scales = isHalf ? tests::RowScales{0x1p4, 0x1p-10, 0x1p-18}
                                               : tests::RowScales{0x1p100, 0x1p-100, 0x1p-128};
        return tests::hardRows({sizes.rows, sizes.in}, first, scales,
                               isHalf ? at::kHalf : at::kBFloat16);
    }
    static void expectRow(tests::RowKind kind, const at::Tensor& found, const at::Tensor& exact,
                          double distance)
    {
        switch (kind) {
        case tests::RowKind::Zero:
            EXPECT_TRUE((found == 0).all().item<bool>());
            break;
        case tests::RowKind::NotANumber:
            EXPECT_TRUE(found.isnan().all().item<bool>());
            break;
        case tests::RowKind::Infinite:
            EXPECT_FALSE(found.isfinite().any().item<bool>());
            break;
        default:
            EXPECT_LT(distanceOf(found, exact), distance);
        }
    }
};

// Without a bias, which small sums would vanish in.
TEST_P(CudaSkinnyRows, AreWhatFloat64Says)
{
    const auto& [scheme, sizes] = GetParam();
    const core::RegionProgram program = programOf(scheme, sizes);
    const std::vector<at::Tensor> inputs = inputsOf(program.graph);
    SkinnyOperands of(inputs, sizes);
    of.bias.zero_();
    FusedGroup group = FusedGroup::create(program.graph, *m_backend, m_device,
                                          std::vector<bool>(inputs.size(), false))
                           .value();
    for (std::int64_t first = 0; first < tests::turnsOf({sizes.rows, sizes.in}); ++first) {
        of.x.copy_(rowsOf(scheme, sizes, first));
        const at::Tensor found = tests::wide(group.run(inputs).front().cpu());
        const at::Tensor exact = of.sums(core::parseScheme(scheme).value());
        for (std::int64_t row = 0; row < sizes.rows; ++row) {
            SCOPED_TRACE("row " + std::to_string(row) + " from kind " + std::to_string(first));
            expectRow(tests::rowKind(row, first), found[row], exact[row], 2 * unitOf(scheme));
        }
    }
    EXPECT_EQ(group.whyComposed(), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Rows, CudaSkinnyRows,
                         testing::Combine(testing::ValuesIn(kSkinnySchemes),
                                          testing::Values(SkinnySizes{1, 1024, 64},
                                                          SkinnySizes{7, 1152, 40},
                                                          SkinnySizes{16, 2048, 136})));

}  // namespace
}  // namespace qs::engine
