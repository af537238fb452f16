#pragma once

#include <cstdint>
#include <span>

namespace qs::core {

// Where each range of code points of one category begins, times 32, plus the category as in
// LetterKind. In ranges of the categories 30 and 31 capital and small letters take turns: the
// capital ones are even, or odd. Sorted; the first begins at 0. Made of Unicode 14.
[[nodiscard]] std::span<const std::uint32_t> letterRanges();

}  // namespace qs::core
