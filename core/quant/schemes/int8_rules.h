#pragma once

#include "core/quant/schemes/quantized_weight.h"

#include <cstdint>
#include <vector>

// What the schemes of int8 products share.
namespace qs::core {

inline constexpr double kInt8Divisor = 127.5;
inline constexpr double kFloat32Epsilon = 1.1920928955078125e-07;

struct Affine {
    ValueId codes;  // int8
    ValueId scale;  // float32, of the whole tensor
    ValueId zero;   // float32, a whole number; the code of 0
};

// scale = max(absmax / 127.5, 2^-23), the division in the input type, then float32;
// code = clamp(round(x · (1 / scale)), -128, 127), product in float32, halves to even.
// `dimensions` are reduced to one scale; empty for one scale of the whole tensor.
[[nodiscard]] Quantized quantizeInt8(GraphBuilder& b, ValueId x,
                                     const std::vector<std::int64_t>& dimensions, bool divide);
// torchao before 0.16: scale = max(absmax / 127, 1e-5) per row, codes -127 … 127, all in the input
// type; the scale is float32 afterwards.
[[nodiscard]] Quantized quantizeReduced(GraphBuilder& b, ValueId x, bool divide);
// One scale and zero point of a float32 tensor, codes 0 … 127: of fbgemm's dynamic products, which
// leave the upper half to the sums of their 16 bits. scale = range with 0 / 127, at least 2^-14.
[[nodiscard]] Affine quantizeUnsigned(GraphBuilder& b, ValueId x, bool divide);

// codes [M, K] x weight [N, K]ᵀ -> int32 [M, N]. CUDA's product refuses few rows: smaller matrices
// are padded with zero rows. On a processor whose products are not exact, in float64.
[[nodiscard]] ValueId int8Product(GraphBuilder& b, ValueId codes, ValueId weight,
                                  const DeviceDescription& device, std::vector<Note>& notes);
// y = bf16(int32 product · scale of the token) · scale of the row + bias, in float32, then the type
// of parts.x, of which these are the codes; stored: codes and row scales.
[[nodiscard]] ValueId int8LinearOf(GraphBuilder& b, const Quantized& x, const LayerParts& parts,
                                   const DeviceDescription& device, std::vector<Note>& notes);
// The same with quantizeInt8 of the rows of x.
[[nodiscard]] ValueId int8LinearPerToken(GraphBuilder& b, const LayerParts& parts, bool divide,
                                         const DeviceDescription& device, std::vector<Note>& notes);
// int32 [M, N] minus zero · sums of the rows of the weight [N, K], in int32: exact.
[[nodiscard]] ValueId subtractZero(GraphBuilder& b, ValueId product, ValueId zero, ValueId weight);

[[nodiscard]] Alignment int8Alignment(const Scheme& scheme);
[[nodiscard]] Product int8ProductOf(const Scheme& scheme, const DeviceDescription& device);

}  // namespace qs::core
