#pragma once

#include "core/lower/fused/kernel_shape.h"
#include "core/lower/fused/skinny_product.h"
#include "core/lower/fused/through_view.h"

#include <optional>
#include <vector>

namespace qs::core {

// What is done with codes to make weights of them: a sum or a product with a tensor of the same
// type, or with a whole number, which is added to the codes first.
struct CodeStep {
    bool isProduct = false;
    std::optional<PlaceInInput> operand;
    double number = 0.0;
};

// Weights {row r, place i in it} of a skinny product that are codes in an input, one after the
// other along the row: of four bits, two to a byte, the upper one first, or of eight with a sign.
struct CodeChain {
    int bits = 4;
    PlaceInInput codes;  // in bytes
    std::vector<CodeStep> steps;
};

// Nothing for weights that are made in another way.
[[nodiscard]] std::optional<CodeChain> codeChain(const Graph& group, const InputStrides& strides,
                                                 const SkinnyProduct& skinny);

}  // namespace qs::core
