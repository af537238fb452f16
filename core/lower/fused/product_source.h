#pragma once

#include "core/base/result.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/matrix_product.h"

#include <string>

namespace qs::core {

// How a product is spread over the processors of a GPU. A block computes one tile after the other:
// one part of its threads loads, two others take turns, so that one finishes a tile while the other
// multiplies.
struct ProductShape {
    int rows = 0;  // of a tile of the result
    int columns = 0;
    int neighbours = 0;  // columns that a thread finishes at once
    int stages = 0;      // of operands in shared memory, each 128 bytes of k
    int sharedBytes = 0;
    std::int64_t blocks = 0;
};
inline constexpr int kProductThreads = 384;
inline constexpr int kProductBytes = 128;  // of k, that lie in a stage

struct ProductSource {
    std::string finish;  // what follows the sums: the part of the text that is of the group
    std::string text;    // of the kernel, without the prelude
    std::string name;
    MatrixProduct product;
    ProductShape shape;
};

// The kernel of a group with a product, for a device of so many processors: two tensor maps, of the
// operands in boxes of 128 bytes and a tile's rows, or its columns, interleaved (half of them where
// they are of two halves); then pointers to the inputs of the group and to its outputs, dense.
[[nodiscard]] Result<ProductSource> productSource(const Graph& group, const InputStrides& strides,
                                                  Division division, int processors);

// The text around the part of a kernel that is particular to its group.
[[nodiscard]] std::string productFrame();

}  // namespace qs::core
