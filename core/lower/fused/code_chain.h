#pragma once

#include "core/lower/fused/kernel_shape.h"
#include "core/lower/fused/skinny_product.h"
#include "core/lower/fused/through_view.h"

#include <optional>
#include <vector>

namespace qs::core {

// What is done with codes to make weights of them: a sum or a product with a tensor, or with a
// whole number, which is added to the codes first.
struct CodeStep {
    bool isProduct = false;
    std::optional<PlaceInInput> operand;
    double number = 0.0;
};

enum class CodeKind {
    Nibble,  // two to a byte, the upper one first
    Byte,    // with a sign
    Float8,  // e4m3
};

[[nodiscard]] constexpr int bitsOf(CodeKind kind)
{
    return kind == CodeKind::Nibble ? 4 : 8;
}

// Weights {row r, place i in it} of a skinny product that are codes in an input, one after the
// other along the row.
struct CodeChain {
    CodeKind kind = CodeKind::Nibble;
    bool isWide = false;  // steps are of float32, and weights are rounded behind them
    PlaceInInput codes;   // in bytes
    std::vector<CodeStep> steps;
};

// Nothing for weights that are made in another way.
[[nodiscard]] std::optional<CodeChain> codeChain(const Graph& group, const InputStrides& strides,
                                                 const SkinnyProduct& skinny);

}  // namespace qs::core
