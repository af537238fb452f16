#pragma once

#include "core/image/picture.h"

namespace qs::core {

// Two pictures can be compared: both whole, of one size and number of channels, all values finite.
[[nodiscard]] Status checkComparable(const Picture& a, const Picture& b);

// A range of values (1 for 0..1, 2 for -1..1, 255 for bytes) is finite and positive.
[[nodiscard]] Status checkRange(double range);

}  // namespace qs::core
