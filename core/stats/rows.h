#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace qs::core {

// An error that counts the NaN and infinite values of `what`, if there are any. A score of such
// values would itself be NaN and sort anywhere.
[[nodiscard]] Status checkFinite(std::span<const float> values, std::string_view what);

// Whether two tables of `width` columns can be compared: equal sizes, at least one row, whole rows,
// finite numbers. InvalidArgument with what is wrong.
[[nodiscard]] Status checkRows(std::span<const float> values, std::span<const float> reference,
                               std::size_t width);

}  // namespace qs::core
