// GPTQ through columns that Inductor compiled, on the CPU, against the oracle in float64 and the
// other ways. One package serves all tests.

#include "core/engine/compile/package_compiler.h"
#include "core/engine/probe/describe.h"
#include "core/engine/quantize/compiled_columns.h"
#include "core/engine/quantize/gptq.h"
#include "tests/engine/golden_tensors.h"
#include "tests/support/test_folder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/randn.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace qs::engine {
namespace {

class CompiledGptq : public ::testing::Test
{
protected:
    static void SetUpTestSuite()
    {
        s_folder = std::make_unique<tests::TestFolder>();
        PackageCompiler compiler(s_folder->path());
        const auto graphs = CompiledColumns::graphs();
        ASSERT_TRUE(graphs.ok()) << graphs.error().message;
        const auto device = describeDevice("cpu");
        ASSERT_TRUE(device.ok());
        const std::string mode = "default";
        tests::SilentObserver observer;
        const auto packages = compiler.provide(
            {{graphs.value().front().graph, mode, device.value(), graphs.value()}}, observer);
        ASSERT_TRUE(packages.ok()) << packages.error().message;
        s_cost = packages.value().front().compile;
        auto loaded = CompiledColumns::load(packages.value().front().file, c10::Device("cpu"));
        ASSERT_TRUE(loaded.ok()) << loaded.error().message;
        s_columns.emplace(std::move(loaded).value());
    }
    static void TearDownTestSuite()
    {
        s_columns.reset();
        s_folder.reset();
    }

    [[nodiscard]] static GptqResult solve(const at::Tensor& weight, const at::Tensor& moments,
                                          GptqSettings settings)
    {
        settings.rounder = &*s_columns;
        return solveGptq(weight, moments, settings);
    }

    c10::InferenceMode m_guard;
    inline static std::unique_ptr<tests::TestFolder> s_folder;
    inline static std::optional<CompiledColumns> s_columns;
    inline static core::StageCompile s_cost;
};

TEST_F(CompiledGptq, EveryCodeIsTheOracles)
{
    const NamedTensors golden = tests::readGoldenTensors("golden/calibration/gptq.safetensors");
    const at::Tensor x = golden.at("x").to(at::kDouble);
    const at::Tensor rows = x.reshape({-1, x.size(-1)});
    const at::Tensor moments = rows.t().matmul(rows) * (2.0 / static_cast<double>(x.size(0)));
    const std::pair<const char*, GptqSettings> settings[] = {
        {"none", {32, ColumnOrder::Natural}},
        {"static", {32, ColumnOrder::Static}},
        {"group", {32, ColumnOrder::Group}},
        {"group_tail", {64, ColumnOrder::Group}},
        {"none_undamped", {32, ColumnOrder::Natural, 0.0}},
        {"static_wide", {128, ColumnOrder::Static}}};
    for (auto [name, setting] : settings) {
        for (const std::int64_t block : {7, 32, 128}) {
            setting.block = block;
            const GptqResult solved = solve(golden.at("weight"), moments, setting);
            const at::Tensor& codes = golden.at(std::string(name) + ".codes");
            EXPECT_TRUE(solved.codes.equal(codes))
                << name << ", block " << block << ": "
                << solved.codes.ne(codes).sum().item<std::int64_t>() << " codes differ";
            setting.solver = BlockSolver::Straight;
            EXPECT_NEAR(solved.loss, solveGptq(golden.at("weight"), moments, setting).loss,
                        1e-9 * solved.loss);
        }
    }
}

// One program for layers of every size.
TEST_F(CompiledGptq, RowsAreFree)
{
    for (const std::int64_t rows : {1, 2, 5, 37, 300}) {
        for (const std::int64_t columns : {8, 33, 160}) {
            const at::Tensor weight = at::randn({rows, columns}) * 0.1;
            const at::Tensor x = at::randn({2 * columns, columns}, at::kDouble);
            const at::Tensor moments = x.t().matmul(x);
            GptqSettings settings{16};
            const GptqResult solved = solve(weight, moments, settings);
            settings.solver = BlockSolver::Straight;
            const GptqResult straight = solveGptq(weight, moments, settings);
            EXPECT_TRUE(solved.codes.equal(straight.codes)) << rows << " x " << columns;
            EXPECT_NEAR(solved.loss, straight.loss, 1e-9 * straight.loss);
        }
    }
}

TEST_F(CompiledGptq, FewerColumnsAreFilledUpAndCutOffAgain)
{
    EXPECT_GT(s_cost.coldSeconds, 0.0);
    EXPECT_GT(s_cost.warmSeconds, 0.0);
    EXPECT_EQ(s_columns
                  ->round(at::randn({4, 3}, at::kDouble), at::randn({4, 3}, at::kDouble).abs(),
                          at::randn({3, 3}, at::kDouble))
                  .codes.sizes(),
              (std::vector<std::int64_t>{4, 3}));
}

}  // namespace
}  // namespace qs::engine
