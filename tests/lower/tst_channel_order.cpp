#include "core/lower/fused/channel_order.h"

#include "core/device/description.h"
#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"
#include "core/lower/fused/fused_stage.h"
#include "tests/support/convolution_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace qs::core {
namespace {

std::size_t numberOf(const Graph& graph, std::string_view operation)
{
    return static_cast<std::size_t>(
        std::count_if(graph.nodes.begin(), graph.nodes.end(),
                      [&](const Node& node) { return node.operation->name == operation; }));
}

bool anyBias(const Graph& graph)
{
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
        return node.operation->name == "aten::conv2d" && node.tensor("bias") >= 0;
    });
}

TEST(ChannelOrder, ABiasIsAnOperationOfItsOwn)
{
    for (const std::int64_t groups : {1, 8}) {
        const Graph graph = tests::convolutionBlock(DType::BFloat16, groups);
        const Graph ordered = inChannelOrder(graph, commonGpus().front()).value();
        EXPECT_FALSE(anyBias(ordered));
        EXPECT_EQ(numberOf(ordered, "aten::add"), numberOf(graph, "aten::add") + 1);
        EXPECT_EQ(numberOf(ordered, "aten::conv2d"), 1U);
    }
}

TEST(ChannelOrder, WhatIsConvolvedByChannelHasThemLast)
{
    const auto copies = [](DType type, std::int64_t groups) {
        const Graph graph = tests::convolutionBlock(type, groups);
        return numberOf(inChannelOrder(graph, commonGpus().front()).value(), "aten::contiguous");
    };
    EXPECT_EQ(copies(DType::BFloat16, 8), 1U);
    EXPECT_EQ(copies(DType::Float16, 8), 1U);
    EXPECT_EQ(copies(DType::BFloat16, 1), 0U) << "of all channels";
    EXPECT_EQ(copies(DType::BFloat16, 2), 0U) << "of groups of channels";
    EXPECT_EQ(copies(DType::Float32, 8), 0U);
}

// A copy of it would not be written to.
TEST(ChannelOrder, WhatIsWrittenToIsNotCopied)
{
    for (const bool written : {false, true}) {
        GraphBuilder b;
        const TensorType type{DType::BFloat16, {2, 8, 6, 6}};
        const ValueId x = b.unary("silu", b.input("x", type));
        const ValueId weight = b.input("weight", {DType::BFloat16, {8, 1, 3, 3}});
        b.output(b.call1("aten::conv2d", {{"input", ValueRef{x}},
                                          {"weight", ValueRef{weight}},
                                          {"groups", std::int64_t{8}}}),
                 "convolved");
        if (written)
            b.addInPlace(b.view(x, {2, 8, 36}), b.view(x, {2, 8, 36}));
        b.output(b.unary("abs", x), "y");
        const Graph ordered = inChannelOrder(b.finish().value(), commonGpus().front()).value();
        EXPECT_EQ(numberOf(ordered, "aten::contiguous"), written ? 0U : 1U);
    }
}

TEST(ChannelOrder, AProcessorKeepsTheGraph)
{
    const Graph graph = tests::convolutionBlock(DType::BFloat16, 8);
    EXPECT_EQ(toText(inChannelOrder(graph, describeCpu()).value()), toText(graph));
}

// The bias, the order and the norm behind a convolution are one kernel, and so is what it reads.
TEST(ChannelOrder, KernelsTakeWhatLiesAround)
{
    StageProgram stage;
    stage.name = "stage";
    stage.graph = tests::convolutionBlock(DType::BFloat16, 8);
    stage.workingType = DType::BFloat16;
    const RegionStage fused = fusedStage(stage, commonGpus().front()).value();
    ASSERT_EQ(fused.programs.size(), 2U);
    EXPECT_EQ(numberOf(fused.programs[0].graph, "aten::contiguous"), 1U);
    EXPECT_EQ(numberOf(fused.programs[0].graph, "aten::silu"), 1U);
    EXPECT_EQ(numberOf(fused.programs[1].graph, "aten::layer_norm"), 1U);
    EXPECT_EQ(numberOf(fused.programs[1].graph, "aten::add"), 2U) << "bias and what was convolved";
}

}  // namespace
}  // namespace qs::core
