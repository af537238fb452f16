#pragma once

#include "core/lower/fused/skinny_product.h"
#include "core/lower/fused/streamed_codes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// How the kernel of a skinny product is divided. A block takes items, one after the other: some
// rows of weights, 16 for each warp of `rowWarps`. `kWarps` share their k, and so do the blocks of
// a cluster, `splits`: what is added up lies in shared memory, and is added in the same order
// always. On an H200, one row is multiplied faster where each block has one item and nothing is
// staged, 16 rows where it is: 16 rows of 4096 numbers with 12,288 of four bits took 23 and 17 µs.
struct SkinnyShape {
    int rowWarps = 1;
    int kWarps = 8;
    int splits = 1;
    int resident = 2;           // blocks of a processor at a time
    bool staged = true;         // the first operand is copied into shared memory, once
    bool isOneItem = false;     // each block has one
    std::int64_t clusters = 1;  // of all, each with `splits` blocks
    int sharedBytes = 0;
    // Of streamed codes: copies that a warp has under way, and spans of k that it takes.
    int stages = 0;
    std::int64_t trips = 0;

    [[nodiscard]] int warps() const { return rowWarps * kWarps; }
    [[nodiscard]] std::int64_t blocks() const { return clusters * splits; }
    // As names of kernels have it: "r4_k2_s4"; "k8" where each block has one item, "r4_k4_s1_c3"
    // with three copies under way.
    [[nodiscard]] std::string name() const;
};

// Those that are worth trying on a GPU with so many processors: blocks with one item, and what is
// expected to be the fastest of others. `columns`: of k, that a thread widens at once. Without
// clusters k is not split.
[[nodiscard]] std::vector<SkinnyShape> skinnyShapes(const SkinnyProduct& skinny, int columns,
                                                    int processors, bool hasClusters);
// The same for streamed codes: none where the first operand does not fit beside them.
[[nodiscard]] std::vector<SkinnyShape> streamedShapes(const SkinnyProduct& skinny,
                                                      const StreamedCodes& codes, int processors,
                                                      bool hasClusters);

}  // namespace qs::core
