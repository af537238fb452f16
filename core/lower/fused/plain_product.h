#pragma once

#include "core/lower/fused/product_shape.h"

#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Note [Plain products]
// Without Hopper's units each warp multiplies a part of its block's tile by instructions of its
// own (m16n8 along 32 bytes of k). All threads of a block copy the next 128 bytes of k of the
// operands into shared memory, some stages ahead, while they multiply what is there. There is one
// block a tile. Rows of the second operand come into shared memory in the order that gives a thread
// neighbouring columns, as tensor maps bring them for Hopper.

// All ways to do that. `neighbours`: columns that a thread finishes at once.
[[nodiscard]] std::vector<ExpectedShape> plainShapes(const MatrixProduct& product,
                                                     const ProductChip& chip, int neighbours);
// What such a kernel has around what follows the sums.
[[nodiscard]] std::string plainText(const MatrixProduct& product, const ProductShape& shape,
                                    const std::string& finish);

// The part of it that all have in common.
[[nodiscard]] std::string_view plainFrame();

}  // namespace qs::core
