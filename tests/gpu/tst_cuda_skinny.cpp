// Products of few rows with codes in kernels of ours, against their compositions and float64.

#include "core/engine/compile/fused_group.h"
#include "core/engine/execute/executor.h"
#include "core/lower/fused/fused_stage.h"
#include "core/quant/scheme.h"
#include "tests/engine/random_tensor.h"
#include "tests/gpu/hopper.h"
#include "tests/support/scheme_layer.h"

#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace qs::engine {
namespace {

struct SkinnySizes {
    std::int64_t rows;
    std::int64_t in;
    std::int64_t out;
};

// One tile of rows and two; k in less than a step, in several, not whole; half a block of columns.
const std::vector<SkinnySizes> kSkinnySizes{
    {1, 128, 8}, {3, 2048, 2048}, {8, 8192, 264}, {16, 11008, 512}, {9, 1152, 4096}};

class CudaSkinny : public tests::HopperTest
{
protected:
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
    // Which of the inputs is the first operand.
    [[nodiscard]] static at::Tensor& first(std::vector<at::Tensor>& inputs,
                                           const SkinnySizes& sizes)
    {
        for (at::Tensor& each : inputs) {
            if (each.sizes() == at::IntArrayRef({sizes.rows, sizes.in}))
                return each;
        }
        throw std::runtime_error("no first operand");
    }

    const std::vector<std::string> m_schemes{"int4wo-128", "gptq-int4-128:order=none", "int8wo",
                                             "float8wo", "int4wo-64:rest=fp16"};
};

TEST_F(CudaSkinny, WeightsAreWidenedBitByBit)
{
    for (const std::string& scheme : m_schemes) {
        // These multiply codes, and scale the sum, to which a zero is added.
        if (scheme == "int4wo-128")
            continue;
        for (const SkinnySizes& sizes : kSkinnySizes) {
            const core::RegionProgram program = programOf(scheme, sizes);
            std::vector<at::Tensor> inputs = inputsOf(program.graph);
            at::Tensor& x = first(inputs, sizes).zero_();
            for (std::int64_t row = 0; row < sizes.rows; ++row)
                x[row][row * 37 % sizes.in] = 1.0;
            EXPECT_TRUE(at::equal(run(program.graph, inputs), composed(program.graph, inputs)))
                << scheme << " " << sizes.rows << " x " << sizes.in << " x " << sizes.out;
        }
    }
}

TEST_F(CudaSkinny, SumsAreThoseOfTheComposition)
{
    for (const std::string& scheme : m_schemes) {
        for (const SkinnySizes& sizes : kSkinnySizes) {
            const core::RegionProgram program = programOf(scheme, sizes);
            const std::vector<at::Tensor> inputs = inputsOf(program.graph);
            const at::Tensor expected = composed(program.graph, inputs).to(at::kDouble);
            const at::Tensor found = run(program.graph, inputs).to(at::kDouble);
            // Both are rounded to 16 bits. Where sums are scaled, only the composition rounds
            // weights.
            const bool scalesSums =
                scheme.find("-128") != std::string::npos || scheme.ends_with("8wo");
            EXPECT_LT(((found - expected).norm() / expected.norm()).item<double>(),
                      scalesSums ? 0x1p-7 : 0.004)
                << scheme << " " << sizes.rows << " x " << sizes.in << " x " << sizes.out;
        }
    }
}

TEST_F(CudaSkinny, WhatIsNoNumberStaysInItsRow)
{
    const SkinnySizes sizes{5, 1024, 64};
    const core::RegionProgram program = programOf("int4wo-128", sizes);
    std::vector<at::Tensor> inputs = inputsOf(program.graph);
    first(inputs, sizes)[3][7] = std::numeric_limits<float>::quiet_NaN();
    const at::Tensor found = run(program.graph, inputs);
    for (std::int64_t row = 0; row < sizes.rows; ++row)
        EXPECT_EQ(found[row].isnan().all().item<bool>(), row == 3);
}

}  // namespace
}  // namespace qs::engine
