#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// A precision scheme: what weights and activations of the matched layers are stored and multiplied
// in. Names follow torchao where it has one; numerics follow torchao 0.18
// (core/lower/compositions.h).
enum class Scheme {
    Fp32,
    Tf32,
    Fp16,
    Bf16,
    Bf16Autocast,   // float32 weights, each matched linear computed in bfloat16
    Int8Dq,         // W8A8: weights per output row, activations per token, quantized on the fly
    Int8Wo,         // int8 weights per output row, activations untouched
    Float8DqTensor, // e4m3 weights and activations, one scale each
    Float8DqRow,    // e4m3, weights per output row, activations per token
    Float8Wo,       // e4m3 weights per output row, activations untouched
};

[[nodiscard]] const std::vector<Scheme>& allSchemes();
// "int8dq" and so on, as in files and in the window.
[[nodiscard]] std::string_view name(Scheme scheme);
// One sentence for tooltips and `quantscope-cli`.
[[nodiscard]] std::string_view describe(Scheme scheme);
// The error lists the known names.
[[nodiscard]] Result<Scheme> parseScheme(std::string_view name);

// True if the scheme stores the weights of matched layers in fewer bits than the model's working
// type.
[[nodiscard]] bool quantizesWeights(Scheme scheme);

} // namespace qs::core
