// GPTQ against an oracle in float64 that shares nothing with it: columns are eliminated from the
// inverse of the second moments one by one (tests/golden/calibration/generate.py).

#include "core/engine/quantize/gptq.h"

#include "core/engine/probe/describe.h"
#include "core/engine/quantize/row_columns.h"
#include "tests/engine/golden_tensors.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_cholesky.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>

namespace qs::engine {
namespace {

struct Setting {
    const char* name;
    GptqSettings settings;
    bool dead = false;

    friend void PrintTo(const Setting& each, std::ostream* stream) { *stream << each.name; }
};

class GptqOracle : public ::testing::TestWithParam<Setting>
{
protected:
    [[nodiscard]] const at::Tensor& golden(const std::string& name) const
    {
        return m_golden.at(name);
    }
    [[nodiscard]] const at::Tensor& own(const std::string& part) const
    {
        return golden(std::string(GetParam().name) + "." + part);
    }
    [[nodiscard]] at::Tensor moments() const
    {
        const at::Tensor x = golden(GetParam().dead ? "x_dead" : "x").to(at::kDouble);
        const at::Tensor rows = x.reshape({-1, x.size(-1)});
        return rows.t().matmul(rows) * (2.0 / static_cast<double>(x.size(0)));
    }
    [[nodiscard]] GptqResult solve(std::int64_t block,
                                   BlockSolver solver = BlockSolver::Improved) const
    {
        GptqSettings settings = GetParam().settings;
        settings.block = block;
        settings.solver = solver;
        return solveGptq(golden("weight"), moments(), settings);
    }

    c10::InferenceMode m_guard;
    NamedTensors m_golden = tests::readGoldenTensors("golden/calibration/gptq.safetensors");
};

TEST_P(GptqOracle, EveryCodeIsTheirs)
{
    const GptqResult solved = solve(128);
    EXPECT_TRUE(solved.codes.equal(own("codes")))
        << solved.codes.ne(own("codes")).sum().item<std::int64_t>() << " codes differ";
    EXPECT_TRUE(solved.scale.to(at::kFloat).equal(own("scale")));
    EXPECT_TRUE(solved.groupOf.to(at::kChar).equal(own("group")));
    EXPECT_NEAR(solved.loss, own("loss").item<float>(), 1e-5 * solved.loss);
    EXPECT_EQ(solved.deadColumns, GetParam().dead ? 4 : 0);
    EXPECT_FALSE(solved.roundedToNearest);
}

TEST_P(GptqOracle, TheBlockChangesNoCode)
{
    for (const std::int64_t block : {1, 7, 32, 96, 4096}) {
        const GptqResult solved = solve(block);
        EXPECT_TRUE(solved.codes.equal(own("codes"))) << block;
        EXPECT_NEAR(solved.loss, own("loss").item<float>(), 1e-5 * solved.loss) << block;
    }
}

TEST_P(GptqOracle, RowsSideBySideChangeNoCode)
{
    const std::unique_ptr<Backend> backend = makeCpuBackend();
    const auto rows = RowColumns::build(describeDevice("cpu").value(), *backend);
    ASSERT_TRUE(rows.ok());
    GptqSettings settings = GetParam().settings;
    settings.rounder = rows.value().get();
    for (const std::int64_t block : {1, 7, 128, 4096}) {
        settings.block = block;
        const GptqResult solved = solveGptq(golden("weight"), moments(), settings);
        EXPECT_TRUE(solved.codes.equal(own("codes"))) << block;
        EXPECT_NEAR(solved.loss, solve(block).loss, 1e-9 * solved.loss) << block;
    }
}

TEST_P(GptqOracle, RowsInPiecesChangeNoCode)
{
    GptqSettings settings = GetParam().settings;
    for (const std::int64_t rows : {1, 5}) {
        settings.numbersAtATime = rows * golden("weight").size(1);
        const GptqResult solved = solveGptq(golden("weight"), moments(), settings);
        EXPECT_TRUE(solved.codes.equal(own("codes"))) << rows;
        EXPECT_TRUE(solved.scale.equal(solve(settings.block).scale)) << rows;
        EXPECT_NEAR(solved.loss, solve(settings.block).loss, 1e-9 * solved.loss) << rows;
    }
}

TEST_P(GptqOracle, HowABlockIsSolvedChangesNoCode)
{
    for (const std::int64_t block : {7, 128}) {
        const GptqResult solved = solve(block, BlockSolver::Straight);
        EXPECT_TRUE(solved.codes.equal(own("codes"))) << block;
        EXPECT_NEAR(solved.loss, solve(block).loss, 1e-9 * solved.loss) << block;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Settings, GptqOracle,
    ::testing::Values(Setting{"none", {32, ColumnOrder::Natural}},
                      Setting{"static", {32, ColumnOrder::Static}},
                      Setting{"group", {32, ColumnOrder::Group}},
                      Setting{"none_tail", {64, ColumnOrder::Natural}},
                      Setting{"static_tail", {64, ColumnOrder::Static}},
                      Setting{"group_tail", {64, ColumnOrder::Group}},
                      Setting{"static_strong", {32, ColumnOrder::Static, 0.1}},
                      Setting{"none_undamped", {32, ColumnOrder::Natural, 0.0}},
                      Setting{"none_dead", {32, ColumnOrder::Natural}, true},
                      Setting{"static_dead", {32, ColumnOrder::Static}, true},
                      Setting{"group_dead", {32, ColumnOrder::Group}, true},
                      Setting{"static_wide", {128, ColumnOrder::Static}},
                      Setting{"group_strong", {64, ColumnOrder::Group, 0.5}, true},
                      Setting{"none_wide", {128, ColumnOrder::Natural, 0.05}, true}),
    [](const auto& info) { return std::string(info.param.name); });

class Gptq : public ::testing::Test
{
protected:
    [[nodiscard]] const at::Tensor& weight() const { return m_golden.at("weight"); }
    // round(w / scale) with the scales of natural groups.
    [[nodiscard]] at::Tensor nearest(std::int64_t group) const
    {
        const at::Tensor wide = weight().to(at::kDouble);
        const std::int64_t in = wide.size(1);
        const at::Tensor scale = wide.reshape({wide.size(0), in / group, group})
                                     .abs()
                                     .amax({2})
                                     .div(7.5)
                                     .clamp_min(1.1920928955078125e-07)
                                     .repeat_interleave(group, 1);
        return wide.div(scale).round().clamp(-8, 7).to(at::kChar);
    }

    c10::InferenceMode m_guard;
    NamedTensors m_golden = tests::readGoldenTensors("golden/calibration/gptq.safetensors");
};

TEST_F(Gptq, WithoutCorrelationsItRoundsToNearest)
{
    const at::Tensor identity = at::eye(weight().size(1), at::TensorOptions(at::kDouble));
    for (const ColumnOrder order : {ColumnOrder::Natural, ColumnOrder::Static}) {
        const GptqResult solved = solveGptq(weight(), identity, {32, order});
        EXPECT_TRUE(solved.codes.equal(nearest(32)));
        EXPECT_FALSE(solved.roundedToNearest);
    }
    // With the moments of real inputs it does not.
    EXPECT_FALSE(m_golden.at("none.codes").equal(nearest(32)));
}

// Column by column in plain numbers, with the update masked as llm-compressor masks it.
TEST_F(Gptq, ZerosOfASparseWeightStay)
{
    const at::Tensor x = m_golden.at("x").to(at::kDouble);
    const at::Tensor rows = x.reshape({-1, x.size(-1)});
    const at::Tensor moments = rows.t().matmul(rows);
    for (const double share : {0.04, 0.3}) {
        at::Tensor sparse = weight().to(at::kDouble).clone();
        sparse.masked_fill_(sparse.eq(0.0), 0.01);
        const auto zeros = static_cast<std::int64_t>(share * static_cast<double>(sparse.numel()));
        // Spread over rows and columns.
        for (std::int64_t i = 0; i < zeros; ++i)
            sparse.view({-1}).select(0, i * 7 % sparse.numel()).zero_();
        const at::Tensor isZero = sparse.eq(0.0);
        at::Tensor damped = moments.clone();
        damped.diagonal().add_(damped.diagonal().mean() * 0.01);
        const at::Tensor factor = at::linalg_cholesky(at::linalg_inv(damped), true).contiguous();
        at::Tensor scale = sparse.abs().reshape({sparse.size(0), -1, 32}).amax({2}) / 7.5;
        at::Tensor left = sparse.clone();
        at::Tensor codes = at::zeros_like(left);
        const bool kept = share >= 0.05;
        for (std::int64_t column = 0; column < left.size(1); ++column) {
            for (std::int64_t row = 0; row < left.size(0); ++row) {
                const double step = scale[row][column / 32].item<double>();
                const double value = left[row][column].item<double>();
                const double code = std::clamp(std::nearbyint(value / step), -8.0, 7.0);
                codes[row][column] = code;
                const double error = (value - code * step) / factor[column][column].item<double>();
                for (std::int64_t next = column + 1; next < left.size(1); ++next) {
                    if (!kept || !isZero[row][next].item<bool>())
                        left[row][next] -= error * factor[column][next].item<double>();
                }
            }
        }
        for (const BlockSolver solver : {BlockSolver::Straight, BlockSolver::Improved}) {
            const GptqResult solved =
                solveGptq(sparse, moments, {32, ColumnOrder::Natural, 0.01, 7, solver});
            EXPECT_TRUE(solved.codes.equal(codes.to(at::kChar))) << share;
            EXPECT_EQ(solved.codes.masked_select(isZero).eq(0).all().item<bool>(), kept) << share;
        }
        GptqSettings settings{32, ColumnOrder::Natural};
        const auto backend = makeCpuBackend();
        const auto side = RowColumns::build(describeDevice("cpu").value(), *backend);
        settings.rounder = side.value().get();
        EXPECT_TRUE(solveGptq(sparse, moments, settings).codes.equal(codes.to(at::kChar)));
    }
}

TEST_F(Gptq, FallsBackToTheNearestWhereTheMomentsAreNotPositiveDefinite)
{
    const std::int64_t in = weight().size(1);
    const at::Tensor negative = at::eye(in, at::TensorOptions(at::kDouble)) * -1.0;
    const GptqResult solved = solveGptq(weight(), negative, {32, ColumnOrder::Natural});
    EXPECT_TRUE(solved.roundedToNearest);
    EXPECT_TRUE(solved.codes.equal(nearest(32)));
    EXPECT_EQ(solved.loss, 0.0);
}

TEST_F(Gptq, KeepsOutputsBetterThanRoundingToNearest)
{
    const at::Tensor x = m_golden.at("x").to(at::kDouble);
    const at::Tensor rows = x.reshape({-1, x.size(-1)});
    const at::Tensor wide = weight().to(at::kDouble);
    const GptqResult solved = solveGptq(weight(), rows.t().matmul(rows), {32, ColumnOrder::Static});
    const at::Tensor scale = solved.scale.repeat_interleave(32, 1);
    const auto error = [&](const at::Tensor& codes) {
        return rows.matmul((codes.to(at::kDouble) * scale - wide).t()).norm().item<double>();
    };
    EXPECT_LT(error(solved.codes), 0.8 * error(nearest(32)));
}

}  // namespace
}  // namespace qs::engine
