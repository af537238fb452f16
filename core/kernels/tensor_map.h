#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace qs::core {

// What the units that copy boxes of a matrix into shared memory are told of it: a parameter of
// kernels, by value.
struct alignas(64) TensorMap {
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
// the matrix reads as zeros.
[[nodiscard]] Result<TensorMap> tensorMap(const ByteMatrix& matrix, int boxRows);

}  // namespace qs::core
