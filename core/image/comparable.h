#pragma once

#include "core/image/picture.h"

#include <span>
#include <string_view>

namespace qs::core {

// An error that counts the NaN and infinite values of `what`, if there are any. A score of such
// values would itself be NaN and sort anywhere.
[[nodiscard]] Status checkFinite(std::span<const float> values, std::string_view what);

// Two pictures can be compared: both whole, of one size and number of channels, all values finite.
[[nodiscard]] Status checkComparable(const Picture& a, const Picture& b);

// A range of values (1 for 0..1, 2 for -1..1, 255 for bytes) is finite and positive.
[[nodiscard]] Status checkRange(double range);

} // namespace qs::core
