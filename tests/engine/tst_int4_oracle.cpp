// int4wo, executed, against torchao 0.18.0 (tests/golden/schemes/generate.py).

#include "core/engine/execute/executor.h"
#include "core/engine/weights/quantize_weights.h"
#include "core/lower/reference.h"
#include "tests/engine/cpu_device.h"
#include "tests/engine/golden_tensors.h"
#include "tests/support/scheme_layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/stack.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <string>

namespace qs::engine {
namespace {

using tests::kCpu;

using core::namedScheme;

class Int4Oracle : public ::testing::TestWithParam<int>
{
protected:
    [[nodiscard]] core::Scheme scheme() const
    {
        return namedScheme("int4wo-" + std::to_string(GetParam()));
    }
    [[nodiscard]] const at::Tensor& golden(const std::string& name) const
    {
        return m_golden.at(name);
    }
    [[nodiscard]] const at::Tensor& stored(const std::string& part) const
    {
        return golden("int4_" + std::to_string(GetParam()) + ".weight." + part);
    }
    [[nodiscard]] core::StageProgram stage(bool bias) const
    {
        return tests::layerStage(scheme(), golden("x").sizes().vec(), golden("weight").size(0),
                                 bias);
    }
    // The weight as the engine quantizes it, and the bias.
    [[nodiscard]] StageWeights quantized() const
    {
        StageWeights weights{
            NamedTensors{{"fc.weight", golden("weight")}, {"fc.bias", golden("bias")}}};
        EXPECT_TRUE(quantizeWeights(weights, stage(true), kCpu, [](double) { return true; }).ok());
        return weights;
    }

    c10::InferenceMode m_guard;
    NamedTensors m_golden = tests::readGoldenTensors("golden/schemes/groups.safetensors");
};

TEST_P(Int4Oracle, WeightsHaveTheCodesScalesAndZerosOfTorchao)
{
    const StageWeights weights = quantized();
    EXPECT_FALSE(weights.tensors.contains("fc.weight")) << "what is not needed any more goes";
    const at::Tensor& bytes = weights.tensors.at("fc.weight:codes");
    ASSERT_EQ(bytes.scalar_type(), at::kByte);
    EXPECT_EQ(bytes.size(1) * 2, golden("weight").size(1));
    const at::Tensor codes = at::stack({bytes.__rshift__(4), bytes.__and__(15)}, -1).flatten(1, 2);
    EXPECT_TRUE(codes.equal(stored("codes")));
    EXPECT_TRUE(weights.tensors.at("fc.weight:scale").equal(stored("scale")));
    EXPECT_TRUE(weights.tensors.at("fc.weight:zero").equal(stored("zero")));
    EXPECT_EQ(
        residentBytes({weights}) - static_cast<std::int64_t>(golden("bias").nbytes()),
        core::storedBytes(scheme(), golden("weight").size(0), golden("weight").size(1), false));
}

TEST_P(Int4Oracle, OutputsAgree)
{
    const StageWeights weights = quantized();
    for (const bool bias : {false, true}) {
        SCOPED_TRACE(bias ? "with bias" : "without bias");
        const core::Graph graph =
            core::referenceStage(stage(bias), core::describeCpu()).value().graph;
        const at::Tensor y =
            Executor::create(graph, weights.tensors, kCpu).value().run({golden("x")})[0];
        const at::Tensor& theirs = golden(scheme().text() + (bias ? ".y_bias" : ".y"));
        ASSERT_EQ(y.scalar_type(), at::kBFloat16);
        ASSERT_EQ(y.sizes(), theirs.sizes());
        // The order of sums belongs to the CPU; where it turns a rounding to bfloat16, a value
        // moves by one unit, and the rounding after the bias may move it once more.
        const at::Tensor difference = (y.to(at::kDouble) - theirs.to(at::kDouble)).abs();
        const at::Tensor size =
            theirs.to(at::kDouble).abs() + 2.0 * golden("bias").to(at::kDouble).abs();
        EXPECT_TRUE((difference <= size * 0x1p-6).all().item<bool>());
        EXPECT_GE(y.eq(theirs).sum().item<std::int64_t>(), y.numel() - y.numel() / 12);
    }
}

INSTANTIATE_TEST_SUITE_P(Groups, Int4Oracle, ::testing::Values(32, 64, 128, 256));

// What tells the rule from its neighbours: symmetric scales, halves of bytes the other way round, a
// middle of 7.5.
TEST(Int4Goldens, HoldWhatImplementationsDifferIn)
{
    const c10::InferenceMode guard;
    const NamedTensors golden = tests::readGoldenTensors("golden/schemes/groups.safetensors");
    const at::Tensor& codes = golden.at("int4_32.weight.codes");
    EXPECT_TRUE(codes.eq(0).any().item<bool>());
    EXPECT_TRUE(codes.eq(15).any().item<bool>());
    const at::Tensor even = codes.slice(1, 0, std::nullopt, 2);
    EXPECT_FALSE(even.equal(codes.slice(1, 1, std::nullopt, 2)));
    EXPECT_FALSE(golden.at("int4_32.weight.zero").eq(0).all().item<bool>());
}

}  // namespace
}  // namespace qs::engine
