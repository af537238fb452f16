#pragma once

#include "core/graph/builder.h"

#include <cstdint>

namespace qs::tests {

// y = silu(group_norm(x + shift of each channel) · weight + bias): images of 16 channels and 6 x 7
// pixels. All operands are inputs.
inline core::Graph groupNormBlock(core::DType type, std::int64_t images, std::int64_t groups)
{
    constexpr std::int64_t kChannels = 16;
    core::GraphBuilder b;
    const auto x = b.input("x", {type, {images, kChannels, 6, 7}});
    const auto shift = b.input("shift", {type, {kChannels}});
    const auto weight = b.input("weight", {type, {kChannels}});
    const auto bias = b.input("bias", {type, {kChannels}});
    const auto shifted = b.binary("add", x, b.reshape(shift, {1, kChannels, 1, 1}));
    const auto norm = b.call1("aten::group_norm", {{"input", core::ValueRef{shifted}},
                                                   {"num_groups", groups},
                                                   {"weight", core::ValueRef{weight}},
                                                   {"bias", core::ValueRef{bias}},
                                                   {"eps", 1e-3}});
    b.output(b.unary("silu", norm), "y");
    return b.finish().value();
}

}  // namespace qs::tests
