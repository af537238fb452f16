#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// What stands before the values of a .npy file of this shape, filled up with spaces to a multiple
// of 64 bytes, at least to `leastBytes`, itself such a multiple.
[[nodiscard]] std::string npyHeader(const std::vector<std::int64_t>& shape,
                                    std::size_t leastBytes = 64);

}  // namespace qs::core
