#pragma once

#include "core/quant/scheme_spec.h"

#include <cstdint>

// What the schemes of 4 bits share: two codes to a byte, the even column in the upper half; groups
// of the columns of a row.
namespace qs::core {

// Of the codes 0 to 15.
inline constexpr double kMiddleNibble = 8.0;

// Whole numbers from 0 to 15 in a floating type, [out, …] -> bytes [out, columns / 2].
[[nodiscard]] ValueId packNibbles(GraphBuilder& b, ValueId codes);
// The inverse, as [out, columns] in that type.
[[nodiscard]] ValueId unpackNibbles(GraphBuilder& b, ValueId bytes, DType type);

[[nodiscard]] Parameter groupParameter(const char* description);
// tail=1: where the group does not divide the columns, the last group of a row is shorter.
[[nodiscard]] Parameter tailParameter();
[[nodiscard]] std::int64_t groupsOf(const Scheme& scheme, std::int64_t in);
[[nodiscard]] Alignment groupAlignment(const Scheme& scheme);

}  // namespace qs::core
