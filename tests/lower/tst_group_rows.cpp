#include "core/lower/fused/group_rows.h"

#include "core/device/description.h"
#include "core/lower/fused/fused_stage.h"
#include "core/lower/fused/kernel_source.h"
#include "tests/support/group_norm_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace qs::core {
namespace {

bool computes(const Graph& graph, std::string_view operation)
{
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [&](const Node& node) { return node.operation->name == operation; });
}

TEST(GroupRows, ANormOfGroupsIsOneOfRows)
{
    for (const DType type : {DType::BFloat16, DType::Float16, DType::Float32}) {
        const Graph rows = withGroupRows(tests::groupNormBlock(type, 4, 8)).value();
        EXPECT_FALSE(computes(rows, "aten::group_norm"));
        EXPECT_TRUE(computes(rows, "aten::layer_norm"));
        EXPECT_EQ(rows.value(rows.outputs.front()).type, (TensorType{type, {4, 16, 6, 7}}));
    }
}

TEST(GroupRows, FewRowsAndOtherTypesStay)
{
    for (const Graph& graph : {tests::groupNormBlock(DType::BFloat16, 3, 8),
                               tests::groupNormBlock(DType::BFloat16, 8, 2),
                               tests::groupNormBlock(DType::Float64, 4, 8)})
        EXPECT_EQ(toText(withGroupRows(graph).value()), toText(graph));
}

// With what is before and behind it.
TEST(GroupRows, AreOneKernel)
{
    StageProgram stage;
    stage.name = "net";
    stage.graph = tests::groupNormBlock(DType::BFloat16, 4, 8);
    const RegionStage fused = fusedStage(stage, commonGpus().front()).value();
    ASSERT_EQ(fused.programs.size(), 1U);
    EXPECT_EQ(fused.graph.nodes.size(), 1U) << toText(fused.graph);
    const Graph& kernel = fused.programs.front().graph;
    EXPECT_TRUE(kernelSource(kernel, denseInputs(kernel), Division::Exact).ok());
}

}  // namespace
}  // namespace qs::core
