#pragma once

#include "core/base/result.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/matrix_product.h"

#include <string>
#include <vector>

namespace qs::core {

// How a product is spread over the processors of a GPU. A block computes one tile after the other:
// one part of its threads loads, two others take turns, so that one finishes a tile while the other
// multiplies; or they share the only tile of their block.
struct ProductShape {
    int rows = 0;  // of a tile of the result
    int columns = 0;
    int neighbours = 0;  // columns that a thread finishes at once
    int stages = 0;      // of operands in shared memory, each 128 bytes of k
    int sharedBytes = 0;
    int splits = 1;       // blocks of a cluster that share a tile, each some of its k
    bool paired = false;  // both parts share a tile
    std::int64_t tiles = 0;
    std::int64_t blocks = 0;

    // Whether each tile has blocks of its own. Where blocks compute one tile after the other, they
    // read what others have just read, as long as all of them begin at once: on an H100 tiles that
    // took 81 µs took 96 µs where they began one by one.
    [[nodiscard]] bool atOnce() const { return tiles * splits <= blocks; }
    // As names of kernels have it: "128x64", "64x64_k2".
    [[nodiscard]] std::string name() const;
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

// Ways to spread a product over so many processors, of which the first is expected to take the
// least time, and the last not much more.
[[nodiscard]] std::vector<ProductShape> productShapes(const MatrixProduct& product, int processors);

// The kernels of a group with a product, one for each of these shapes: two tensor maps, of the
// operands in boxes of 128 bytes and a tile's rows, or its columns, interleaved (half of them where
// they are of two halves); then pointers to the inputs of the group and to its outputs, dense.
// `weights`: which inputs are there before a pass, none if it is empty; such a second operand is
// loaded while the kernels in front of the product still run.
[[nodiscard]] Result<std::vector<ProductSource>> productSources(const Graph& group,
                                                                const InputStrides& strides,
                                                                Division division, int processors,
                                                                const std::vector<bool>& weights);
// The first of them, for inputs of any kind.
[[nodiscard]] Result<ProductSource> productSource(const Graph& group, const InputStrides& strides,
                                                  Division division, int processors);

// The text around the part of a kernel that is particular to its group.
[[nodiscard]] std::string productFrame();

}  // namespace qs::core
