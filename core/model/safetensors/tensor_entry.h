#pragma once

#include "core/model/safetensors/stored_type.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace qs::core {

// What a file from outside may contain. The header limit is the format's, the others are ours: they
// bound the memory that opening a hostile file can cost to 64 MiB + 2 × header.
struct SafetensorsLimits {
    std::uint64_t headerBytes = 100'000'000;
    std::size_t tensors = 1'000'000;
    std::size_t nameBytes = 4096;
    std::size_t rank = 16;
    std::size_t metadataEntries = 100'000;
    // Of one text as written in the header, escapes included.
    std::size_t textBytes = std::size_t{8} << 20U;
};

// One tensor: where it lies and what its bytes mean (little-endian, row-major).
struct TensorEntry {
    std::string name;
    StoredType dtype = StoredType::F32;
    std::vector<std::uint64_t> shape;  // empty: a scalar
    std::uint64_t begin = 0;           // first byte, counted from the start of the data area
    std::uint64_t end = 0;             // one past the last byte

    [[nodiscard]] std::uint64_t bytes() const { return end - begin; }
    // Product of the shape; cannot overflow for entries of an opened file.
    [[nodiscard]] std::uint64_t elements() const
    {
        return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
    }
    bool operator==(const TensorEntry&) const = default;
};

using SafetensorsMetadata = std::map<std::string, std::string>;

}  // namespace qs::core
