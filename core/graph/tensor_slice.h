#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <vector>

namespace qs::core {

// Where the content of one tensor lies in a file, as it is: little-endian, of its own type.
struct TensorSlice {
    TensorType type;
    std::vector<std::int64_t> strides;  // in elements, not negative
    std::int64_t firstElement = 0;      // of the payload
    std::uint64_t offset = 0;           // of the payload in the file
    std::uint64_t bytes = 0;            // of the payload, which holds every element

    bool operator==(const TensorSlice&) const = default;
};

}  // namespace qs::core
