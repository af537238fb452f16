#pragma once

#include "core/base/result.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/matrix_product.h"
#include "core/lower/fused/product_shape.h"

#include <string>
#include <vector>

namespace qs::core {

struct ProductSource {
    std::string finish;  // what follows the sums: the part of the text that is of the group
    std::string text;    // of the kernel, without the prelude
    std::string name;
    MatrixProduct product;
    ProductShape shape;
};

// All ways to spread a product over a chip, by Hopper's units unless it has plain ones.
[[nodiscard]] std::vector<ExpectedShape> expectedShapes(const MatrixProduct& product,
                                                        const ProductChip& chip);
// Those of which the first is expected to take the least time, and the last not much more.
[[nodiscard]] std::vector<ProductShape> productShapes(const MatrixProduct& product,
                                                      const ProductChip& chip);

// The kernels of a group with a product, one for each of these shapes. Those with Hopper's units
// take two tensor maps, of the operands in boxes of 128 bytes and a tile's rows, or its columns,
// interleaved (half of them where they are of two halves); then, as all do, pointers to the inputs
// of the group and to its outputs, dense. `weights`: which inputs are there before a pass, none if
// it is empty; for Hopper's units such a second operand is loaded while the kernels in front of the
// product still run.
[[nodiscard]] Result<std::vector<ProductSource>>
productSources(const Graph& group, const InputStrides& strides, Division division,
               const ProductChip& chip, const std::vector<bool>& weights);
// In one of its shapes.
[[nodiscard]] Result<ProductSource> productSource(const Graph& group, const InputStrides& strides,
                                                  Division division, const ProductShape& shape,
                                                  const std::vector<bool>& weights);
// The first of them, for inputs of any kind.
[[nodiscard]] Result<ProductSource> productSource(const Graph& group, const InputStrides& strides,
                                                  Division division, const ProductChip& chip);

// The text around the part of a kernel that is particular to its group, with Hopper's units.
[[nodiscard]] std::string productFrame();

}  // namespace qs::core
