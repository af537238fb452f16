#pragma once

#include "core/quant/scheme_spec.h"

#include <cstdint>
#include <vector>

// What the compositions of 8 bits share. C++ leaves the order of arguments open: at most one
// argument of a call may write operations, so that every compiler gives the same program.
namespace qs::core {

struct Quantized {
    ValueId codes;
    ValueId scale;
};

// [out, in] codes of that type, float32 scales: one for each output row.
[[nodiscard]] std::vector<StoredPart> codesWithRowScales(DType codes, std::int64_t out,
                                                         std::int64_t in);
// float32(codes) · scale: what codes and scales that are the first two parts stand for.
[[nodiscard]] ValueId scaledCodes(const Scheme& scheme, GraphBuilder& b,
                                  const std::vector<ValueId>& stored);
// by=reciprocal or by=division: how values become codes, halves of a code part there.
[[nodiscard]] Parameter roundingParameter(const char* fallback);
[[nodiscard]] bool divides(const Scheme& scheme);
// The convolution of the parts with this weight [out, in / groups, kh, kw], bias included, in the
// type of the scheme's products; the result has the type of x.
[[nodiscard]] ValueId convolve(const Scheme& scheme, GraphBuilder& builder,
                               const ConvolutionParts& parts, ValueId weight);
// linear(x, weight) of floats in the type of the scheme's products, then the bias in that of x.
[[nodiscard]] ValueId multiply(const Scheme& scheme, GraphBuilder& builder, const LayerParts& parts,
                               ValueId weight);
// y + bias, or y if there is none.
[[nodiscard]] ValueId addBias(GraphBuilder& builder, ValueId y, ValueId bias);

}  // namespace qs::core
