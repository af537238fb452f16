#pragma once

#include "core/quant/scheme_spec.h"

#include <optional>
#include <string>

// What runs around the layers that a scheme quantizes: rest=bf16, fp16, fp32, or autocast, which
// keeps floats of 32 bits, also those that weights are quantized from, and narrows to bfloat16 what
// torch.autocast narrows: linear layers, convolutions and attention. A quantized layer gets and
// gives what surrounds it; its own products of floats are narrowed like the others.
namespace qs::core {

// For a row of a scheme that stores parts.
[[nodiscard]] Parameter restParameter();

// Of activations, and of weights that are not quantized.
[[nodiscard]] DType workingTypeOf(const Scheme& scheme);
// That attention is narrowed to, if it is.
[[nodiscard]] std::optional<DType> attentionTypeOf(const Scheme& scheme);
// That floats are multiplied in, in layers and attention.
[[nodiscard]] DType productTypeOf(const Scheme& scheme);
// The scheme of layers that are not matched; empty: the same.
[[nodiscard]] std::string nameOutside(const Scheme& scheme);

}  // namespace qs::core
