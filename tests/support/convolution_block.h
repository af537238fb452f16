#pragma once

#include "core/graph/builder.h"
#include "core/graph/layer_operations.h"

namespace qs::tests {

// y = layer_norm(channels last of (x' + conv 3 x 3 of x' + bias)), x' = silu(x · 2): 2 images of 8
// channels and 6 x 6 pixels. All operands are inputs.
inline core::Graph convolutionBlock(core::DType type, std::int64_t groups)
{
    constexpr std::int64_t kChannels = 8;
    core::GraphBuilder b;
    const auto x = b.input("x", {type, {2, kChannels, 6, 6}});
    const auto weight = b.input("weight", {type, {kChannels, kChannels / groups, 3, 3}});
    const auto bias = b.input("bias", {type, {kChannels}});
    const auto before = b.unary("silu", b.scalar("mul", x, 2.0));
    const auto convolved = b.call1("aten::conv2d", {{"input", core::ValueRef{before}},
                                                    {"weight", core::ValueRef{weight}},
                                                    {"bias", core::ValueRef{bias}},
                                                    {"stride", std::vector<std::int64_t>{1, 1}},
                                                    {"padding", std::vector<std::int64_t>{1, 1}},
                                                    {"dilation", std::vector<std::int64_t>{1, 1}},
                                                    {"groups", groups}});
    const auto sum = core::permute(b, b.binary("add", before, convolved), {0, 2, 3, 1});
    b.output(b.layerNorm(sum, {kChannels}, 1e-5), "y");
    return b.finish().value();
}

}  // namespace qs::tests
