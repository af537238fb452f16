#pragma once

#include "core/quant/scheme_spec.h"

#include <vector>

// Products of int8 with one scale, and perhaps a zero point, for the whole input.
namespace qs::core {

struct StaticInput {
    ValueId scale = -1;  // float32, of the whole tensor
    ValueId zero = -1;   // float32, a whole number; -1: 0
    bool divide = false;
};

// clamp(round(float32(x) · (1 / scale)) + zero, -128, 127), any shape.
[[nodiscard]] ValueId quantizeStaticInput(GraphBuilder& b, ValueId x, const StaticInput& input);
// As int8Product, of any sizes: where CUDA needs multiples of 8, zeros stand beside.
[[nodiscard]] ValueId alignedInt8Product(GraphBuilder& b, ValueId codes, ValueId weight,
                                         const DeviceDescription& device, std::vector<Note>& notes);
// int32 [M, N] · (scale of the input · scale of the row [N, 1]) + bias in float32, then that type.
[[nodiscard]] ValueId scaleProduct(GraphBuilder& b, ValueId product, ValueId inputScale,
                                   ValueId rowScale, ValueId bias, DType type);

// A convolution as im2col and an integer product per group, which is what defines it, or by the
// kernel of a device that has one (DeviceDescription::exactInt8Convolutions): the same numbers, but
// for sums beyond 2^24, which float32 rounds and some kernels (AMX) round more than once.
// stored: codes [out, C / groups · kernel] and their scales. What pads the input is 0, which is the
// zero point.
[[nodiscard]] ValueId int8Convolution(GraphBuilder& b, const ConvolutionParts& parts,
                                      const StaticInput& input, const DeviceDescription& device,
                                      std::vector<Note>& notes);
// What it multiplies with.
[[nodiscard]] Product int8ConvolutionOf(const Scheme& scheme, const DeviceDescription& device);

}  // namespace qs::core
