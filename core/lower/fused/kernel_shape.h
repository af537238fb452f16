#pragma once

#include <cstdint>
#include <vector>

namespace qs::core {

// How a kernel is spread over threads.
struct KernelShape {
    int threads = 0;  // that share a row
    int rowsPerBlock = 1;
    int width = 1;   // neighbouring elements that a thread takes at once
    int chunks = 1;  // times that it does so
    std::int64_t blocks = 0;
};

// Strides of an input as it comes, in elements.
using InputStrides = std::vector<std::vector<std::int64_t>>;

}  // namespace qs::core
