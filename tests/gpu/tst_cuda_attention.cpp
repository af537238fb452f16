// Attention over few keys in a kernel of ours against float64: ragged tokens, heads of several
// widths, operands within other tensors, and what is no number.

#include "core/engine/compile/fused_group.h"
#include "core/engine/internal/torch_types.h"
#include "core/graph/builder.h"
#include "core/lower/fused/short_attention.h"
#include "tests/gpu/hopper.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>

namespace qs::engine {
namespace {

using core::DType;
using core::ValueId;

struct Attention {
    std::int64_t batch;
    std::int64_t heads;
    std::int64_t queries;
    std::int64_t keys;
    std::int64_t width;
    DType type = DType::BFloat16;
    bool causal = false;
};

std::ostream& operator<<(std::ostream& out, const Attention& of)
{
    return out << of.batch << " x " << of.heads << " x " << of.queries << " x " << of.keys << " x "
               << of.width << (of.causal ? " causal" : "");
}

// Of tokens {batch, tokens, heads, width}, as models have them.
core::Graph graphOf(const Attention& of)
{
    core::GraphBuilder b;
    const auto heads = [&](const char* name, std::int64_t tokens) {
        return b.transpose(b.input(name, {of.type, {of.batch, tokens, of.heads, of.width}}), 1, 2);
    };
    const ValueId q = heads("q", of.queries);
    const ValueId k = heads("k", of.keys);
    const ValueId v = heads("v", of.keys);
    std::vector<core::NamedArgument> arguments{
        {"query", core::ValueRef{q}}, {"key", core::ValueRef{k}}, {"value", core::ValueRef{v}}};
    if (of.causal)
        arguments.push_back({"is_causal", true});
    b.output(b.call1("aten::scaled_dot_product_attention", std::move(arguments)), "y");
    return b.finish().value();
}

at::Tensor expected(const Attention& of, const Tensors& inputs)
{
    const auto wide = [](const at::Tensor& x) { return x.cpu().to(at::kDouble).transpose(1, 2); };
    at::Tensor scores = at::matmul(wide(inputs[0]), wide(inputs[1]).transpose(-2, -1)) /
                        std::sqrt(static_cast<double>(of.width));
    if (of.causal)
        scores = scores.masked_fill(at::ones({of.queries, of.keys}).triu(1).to(at::kBool),
                                    -std::numeric_limits<double>::infinity());
    return at::matmul(at::softmax(scores, -1), wide(inputs[2]));
}

core::InputStrides stridesOf(const Tensors& tensors)
{
    core::InputStrides strides;
    for (const at::Tensor& tensor : tensors)
        strides.push_back(tensor.strides().vec());
    return strides;
}

class CudaAttention : public tests::HopperTest, public ::testing::WithParamInterface<Attention>
{
protected:
    [[nodiscard]] at::Tensor random(const std::vector<std::int64_t>& shape, DType type) const
    {
        return at::randn(shape).to(toTorch(type)).to(m_backend->device());
    }
    [[nodiscard]] Tensors inputsOf(const Attention& of) const
    {
        return {random({of.batch, of.queries, of.heads, of.width}, of.type),
                random({of.batch, of.keys, of.heads, of.width}, of.type),
                random({of.batch, of.keys, of.heads, of.width}, of.type)};
    }
    [[nodiscard]] at::Tensor run(const core::Graph& graph, const Tensors& inputs) const
    {
        const KernelSite site{graph, *m_backend, m_device};
        const auto kernel = ownAttentionKernel(site, stridesOf(inputs));
        EXPECT_TRUE(kernel.ok()) << kernel.error().message;
        return kernel.value()->run(inputs).front();
    }
    [[nodiscard]] static double distance(const at::Tensor& found, const at::Tensor& exact)
    {
        return ((found.cpu().to(at::kDouble) - exact).norm() / exact.norm()).item<double>();
    }
};

TEST_P(CudaAttention, IsAsExactAsTheLibrary)
{
    const core::Graph graph = graphOf(GetParam());
    const Tensors inputs = inputsOf(GetParam());
    const at::Tensor exact = expected(GetParam(), inputs);
    const at::Tensor library = at::scaled_dot_product_attention(
        inputs[0].transpose(1, 2), inputs[1].transpose(1, 2), inputs[2].transpose(1, 2),
        std::nullopt, 0.0, GetParam().causal);
    const at::Tensor found = run(graph, inputs);
    EXPECT_EQ(found.sizes().vec(), library.sizes().vec());
    EXPECT_LE(distance(found, exact), 1.1 * distance(library, exact) + 1e-4);
    EXPECT_TRUE(at::equal(found, run(graph, inputs)));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, CudaAttention,
    ::testing::Values(Attention{1, 16, 256, 256, 64}, Attention{2, 3, 64, 64, 64},
                      Attention{1, 1, 1, 1, 64}, Attention{2, 2, 65, 17, 64},
                      Attention{1, 5, 7, 255, 64}, Attention{3, 2, 130, 100, 128},
                      Attention{1, 4, 256, 256, 128}, Attention{2, 4, 100, 50, 32},
                      Attention{2, 4, 100, 50, 16}, Attention{2, 4, 33, 200, 48},
                      Attention{1, 16, 256, 256, 64, DType::Float16},
                      Attention{1, 4, 256, 256, 64, DType::BFloat16, true},
                      Attention{2, 2, 100, 70, 128, DType::Float16, true},
                      Attention{1, 2, 300, 256, 64, DType::BFloat16, true}),
    [](const auto& each) { return std::to_string(each.index); });

TEST_F(CudaAttention, ReadsWithinOneTensor)
{
    // Queries, keys and values as one product gives them.
    const Attention of{2, 4, 100, 100, 64};
    core::GraphBuilder b;
    const ValueId qkv = b.input("qkv", {of.type, {of.batch, of.queries, 3 * of.heads * of.width}});
    std::vector<ValueId> parts;
    for (const ValueId part : b.chunk(qkv, 3, -1))
        parts.push_back(
            b.transpose(b.reshape(part, {of.batch, of.queries, of.heads, of.width}), 1, 2));
    b.output(b.attention(parts[0], parts[1], parts[2]), "y");
    const at::Tensor x = random({of.batch, of.queries, 3 * of.heads * of.width}, of.type);
    Tensors inputs;
    for (const at::Tensor& part : x.chunk(3, -1))
        inputs.push_back(part.reshape({of.batch, of.queries, of.heads, of.width}));
    EXPECT_LE(distance(run(b.finish().value(), {x}), expected(of, inputs)), 0.01);
}

TEST_F(CudaAttention, WhatIsNoNumberStaysInItsRow)
{
    const Attention of{1, 2, 80, 90, 64};
    Tensors inputs = inputsOf(of);
    inputs[0][0][3][1][5] = std::numeric_limits<float>::quiet_NaN();
    const at::Tensor found = run(graphOf(of), inputs);
    EXPECT_EQ(found.isnan().sum().item<std::int64_t>(), of.width);
    EXPECT_EQ(found[0][1][3].isnan().sum().item<std::int64_t>(), of.width);
}

TEST_F(CudaAttention, LargeScoresDoNotOverflow)
{
    const Attention of{1, 1, 64, 64, 64};
    Tensors inputs = inputsOf(of);
    for (std::size_t i = 0; i < 2; ++i)
        inputs[i] = inputs[i] * 1000.0;
    EXPECT_LE(distance(run(graphOf(of), inputs), expected(of, inputs)), 0.01);
}

// The faster one of ours and the library's; both are right.
TEST_F(CudaAttention, IsChosenByTime)
{
    const Attention of{2, 4, 200, 200, 64};
    const core::Graph graph = graphOf(of);
    FusedGroup group = FusedGroup::create(graph, *m_backend, m_device).value();
    const Tensors inputs = inputsOf(of);
    const at::Tensor found = group.run(inputs).front();
    EXPECT_EQ(group.whyComposed(), std::nullopt);
    EXPECT_LE(distance(found, expected(of, inputs)), 0.01);
}

}  // namespace
}  // namespace qs::engine
