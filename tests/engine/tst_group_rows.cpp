// Group norms as rows: what they compute, and the kernel that computes it with what is around it.

#include "core/device/description.h"
#include "core/engine/execute/executor.h"
#include "core/kernels/generated_kernel.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/group_rows.h"
#include "core/lower/fused/kernel_source.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/host_kernels.h"
#include "tests/engine/random_tensor.h"
#include "tests/support/group_norm_block.h"
#include "tests/support/test_folder.h"

#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

namespace qs::engine {
namespace {

struct GroupNormCase {
    core::DType type;
    double rounding;
};

class GroupRows : public testing::TestWithParam<GroupNormCase>
{
protected:
    GroupRows() : m_graph(tests::groupNormBlock(GetParam().type, 4, 8))
    {
        for (const core::ValueId id : m_graph.inputs)
            m_inputs.push_back(tests::randomTensor(m_graph.value(id).type));
        m_expected = Executor::create(m_graph, {}, tests::kCpu).value().run(m_inputs).front();
    }

    void expectEqual(const at::Tensor& found) const
    {
        const at::Tensor difference = found.to(at::kDouble) - m_expected.to(at::kDouble);
        const double distance =
            difference.norm().item<double>() / m_expected.to(at::kDouble).norm().item<double>();
        EXPECT_LE(distance, GetParam().rounding);
    }

    c10::InferenceMode m_inference;
    core::Graph m_graph;
    std::vector<at::Tensor> m_inputs;
    at::Tensor m_expected;
};

TEST_P(GroupRows, ComputeTheNorm)
{
    const core::Graph rows = core::withGroupRows(m_graph).value();
    expectEqual(Executor::create(rows, {}, tests::kCpu).value().run(m_inputs).front());
}

TEST_P(GroupRows, HaveAKernelThatComputesIt)
{
    core::StageProgram net;
    net.name = "net";
    net.graph = m_graph;
    const core::RegionStage stage = core::fusedStage(net, core::commonGpus().front()).value();
    ASSERT_EQ(stage.programs.size(), 1U);
    const core::Graph& group = stage.programs.front().graph;
    const core::InputStrides strides = core::denseInputs(group);
    const tests::TestFolder folder;
    const tests::HostKernels kernels({&group}, {strides}, folder.path());
    ASSERT_EQ(stage.graph.nodes.size(), 1U);
    ASSERT_EQ(stage.graph.nodes.front().inputs(), stage.graph.inputs) << "in their order";
    expectEqual(kernels.run(0, m_inputs).front());
    const std::string text =
        core::kernelSource(group, strides, core::Division::ByReciprocal).value().text;
    EXPECT_TRUE(core::compileKernel(core::cudaPrelude() + text, 9, 0,
                                    core::KernelCache(folder.path() / "cache"))
                    .ok())
        << text;
}

INSTANTIATE_TEST_SUITE_P(Types, GroupRows,
                         testing::Values(GroupNormCase{core::DType::BFloat16, 0.004},
                                         GroupNormCase{core::DType::Float16, 0.0005},
                                         GroupNormCase{core::DType::Float32, 1e-6}));

}  // namespace
}  // namespace qs::engine
