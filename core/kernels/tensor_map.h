#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace qs::core {

// What the units that copy boxes of a matrix into shared memory are told of it: a parameter of
// kernels, by value.
struct TensorMap {
    std::array<std::byte, 128> bytes{};
};

// A matrix of one byte an element in memory of the device.
struct ByteMatrix {
    void* data = nullptr;  // at a multiple of 16
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t pitch = 0;  // bytes from one row to the next; a multiple of 16
};

// In boxes of so many rows and 128 columns, swizzled in shared memory by 128 bytes; what is beyond
// the matrix reads as zeros. Coordinates are {column, row}.
[[nodiscard]] Result<TensorMap> tensorMap(const ByteMatrix& matrix, int boxRows);

// A tensor whose rows are columns of one byte each, along three axes.
struct ByteTensor {
    struct Axis {
        std::int64_t size = 0;
        std::int64_t pitch = 0;  // bytes, a multiple of 16; of an axis of one it does not matter
    };
    void* data = nullptr;  // at a multiple of 16
    std::int64_t columns = 0;
    std::array<Axis, 3> axes;
};

// In boxes of so many of the first axis and 128 columns, swizzled likewise; what is beyond the
// tensor reads as zeros. Coordinates are {column, first, second, third}.
[[nodiscard]] Result<TensorMap> tensorMap(const ByteTensor& tensor, int boxRows);

// Of a matrix, but each 4 · `neighbours` rows come in another order: row 8q + 2t + e of them holds
// row `neighbours` · t + 2q + e (t < 4, e < 2). Coordinates are {column, 0, 0, 0, row / (4 ·
// neighbours)}. The rows of the matrix and of a box are multiples of 4 · `neighbours`, which is
// even.
[[nodiscard]] Result<TensorMap> interleavedTensorMap(const ByteMatrix& matrix, int boxRows,
                                                     int neighbours);

}  // namespace qs::core
