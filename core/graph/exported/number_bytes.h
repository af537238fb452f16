#pragma once

#include "core/base/result.h"
#include "core/graph/dtype.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// The numbers as a tensor of the type holds them: little-endian, rounded to the nearest even one
// where the type is narrower. Whole numbers must fit into theirs.
[[nodiscard]] std::string numberBytes(DType dtype, std::span<const double> numbers);

}  // namespace qs::core
