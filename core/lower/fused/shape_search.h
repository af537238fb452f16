#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace qs::core {

// What the kernels of skinny products have in common where their shapes are looked for.
inline constexpr std::size_t kMostShapesTried = 6;
inline constexpr std::int64_t kWeightRows = 16;  // of a warp
inline constexpr std::int64_t kTileRows = 8;     // of the first operand
// Of architectures without clusters the smallest that has the units: 8.6 and 8.9.
inline constexpr std::int64_t kMostSharedWithoutClusters = 96 * 1024;

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

// A shape and the time that it is expected to take, in steps of a warp.
struct ShapeEstimate {
    SkinnyShape shape;
    double time = 0.0;
};
// Nothing for a division that cannot be.
using EstimateShape =
    std::function<std::optional<ShapeEstimate>(int rowWarps, int warps, int splits)>;

// Of blocks with so many warps and clusters of so many blocks, however warps share them: the
// fastest first, `most` of them.
[[nodiscard]] std::vector<SkinnyShape> fastestShapes(std::span<const int> warps,
                                                     std::span<const int> splits, std::size_t most,
                                                     const EstimateShape& estimate);

// What warps add up of an item and of the one before, for so many rows of the first operand.
[[nodiscard]] std::int64_t sumBytes(int warps, std::int64_t rows);

}  // namespace qs::core
