#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Expands one item of an axis of whole numbers. Dialects:
//   "8"            one value
//   "1..64 pow2"   powers of two from 1 to 64
//   "1..8"         every whole number
//   "1-64*2"       1, 2, 4 … 64 (multiply)
//   "8-64+8"       8, 16 … 64 (add)
//   "1,4,16"       several items; "1 4 16" means the same
// Limits: values 0 … 2^31-1, of which an axis may take fewer, at most 1000 values; the error quotes
// the item and says what would be right.
[[nodiscard]] Result<std::vector<std::int64_t>> expandRange(std::string_view text);

// Shortest dialect text that expands to these values, for the editor's chips.
[[nodiscard]] std::string describeRange(const std::vector<std::int64_t>& values);

}  // namespace qs::core
