#pragma once

#include "core/graph/builder.h"
#include "core/quant/scheme.h"

#include <string>
#include <vector>

namespace qs::core {

// Note [Scheme compositions]
// Each scheme is defined by one composition of ATen operations: the executor runs it, compilers
// receive it, and fused kernels are tested against it. Numerics follow torchao 0.18, bit by bit
// (tests/golden/schemes):
// - int8: scale = max(absmax / 127.5, 2^-23), the division in the input type, then float32;
//   code = clamp(round(x · (1 / scale)), -128, 127), product in float32, halves to even.
// - float8: scale = absmax / 448, the division in the input type, then float32;
//   code = e4m3(clamp(float32(x) / scale, ±448)). Where that scale is 0 (a zero row, or one so
//   small that the division underflows) it becomes 1, so that the row gives 0 (torchao: NaN).
// - int8dq: y = bf16(int32 product · scale of the token) · scale of the row + bias, in float32,
//   then the input type.
// - int8wo: y = (x · bf16(codes)ᵀ) · bf16(scale of the row) + bias.
// - float8dq: y = scaled product with fast accumulation, bfloat16 out, the bias inside.
// - float8wo: y = linear(x, bf16(float32(codes) · scale)) + bias.

// How the composition meets a device that lacks the fast operation.
struct CompositionTarget {
    // Without scaled float8 products the codes are multiplied in float32: same numerics, no speed.
    bool scaledMatmul = true;
    // CUDA's int8 product refuses 16 rows or fewer: smaller matrices are padded with zero rows.
    std::int64_t leastIntegerRows = 0;
};

// Names of what a scheme stores instead of `weight` ("m.weight" -> "m.weight:codes",
// "m.weight:scale").
[[nodiscard]] std::string codesName(const std::string& weight);
[[nodiscard]] std::string scaleName(const std::string& weight);

// Adds the operations that turn a weight [out, in] in its working type into codes and scale; their
// values become outputs named as above. Only for schemes that quantize weights.
void composeWeight(GraphBuilder& builder, Scheme scheme, const std::string& weight, ValueId value);

// What composeWeight leaves behind: types of codes and scale.
[[nodiscard]] std::vector<TensorType> storedTypes(Scheme scheme, std::int64_t out, std::int64_t in);

// The layer itself: x [.., in] in the working type, bias or -1. `notes` receives what deserves a
// word on the row.
[[nodiscard]] ValueId composeLinear(GraphBuilder& builder, Scheme scheme, ValueId x,
                                    const std::string& weight, const TensorType& weightType,
                                    ValueId bias, const CompositionTarget& target,
                                    std::vector<std::string>& notes);

}  // namespace qs::core
