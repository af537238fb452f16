#pragma once

#include "core/lower/fused/product_units.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

inline constexpr int kProductThreads = 384;  // of a block with Hopper's units
inline constexpr int kProductBytes = 128;    // of k, that lie in a stage

// How a product is spread over the processors of a GPU. With Hopper's units a block computes one
// tile after the other: one part of its threads loads, two others take turns, so that one finishes
// a tile while the other multiplies; or they share the only tile of their block. For plain ones see
// plain_product.h.
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
    ProductUnits units = ProductUnits::Hopper;
    int threads = kProductThreads;
    int resident = 1;  // blocks of a processor

    // Whether each tile has blocks of its own. Where blocks compute one tile after the other, they
    // read what others have just read, as long as all of them begin at once: on an H100 tiles that
    // took 81 µs took 96 µs where they began one by one.
    [[nodiscard]] bool atOnce() const { return tiles * splits <= blocks; }
    // As names of kernels have it: "128x64", "64x64_k2", "plain_128x64".
    [[nodiscard]] std::string name() const;
};

struct ExpectedShape {
    ProductShape shape;
    double time = 0.0;  // of any unit
};
// Those that take no more than so many times the least time, in the order of their times.
[[nodiscard]] std::vector<ProductShape> worthTrying(std::vector<ExpectedShape> expected,
                                                    double times);

// Text: in which order tiles are computed, with any units.
[[nodiscard]] std::string_view tileOrder();

}  // namespace qs::core
