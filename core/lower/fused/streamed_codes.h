#pragma once

#include "core/lower/fused/code_chain.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qs::core {

// Note [Streamed codes]
// Where all codes that a warp multiplies at once have one scale and one zero,
// w = factor · code + summand, the codes themselves are multiplied, which are exact in 16 bits, and
// their sum is scaled as a float:
//     sum of w · x = factor · sum of code · x + summand · sum of x.
// That takes half the instructions of widening each weight, and leaves out its rounding to 16 bits,
// so that the result is nearer to the exact one than the composition's. The sums of x are those of
// a block; with an infinite x the result is no number. Codes of eight bits are two of four: the
// upper ones count sixteen times. Those of float8 are moved to where a number of 16 bits has its
// parts, and multiplied by what its exponent is off, which is exact as well. A product with few
// rows takes as long as reading its weights, and a register that waits for memory is one that
// cannot count. So codes are copied into shared memory well ahead of the warp that takes them, a
// line of the cache of each of its 16 rows at a time: on an H200 one row of 4096 numbers with
// 32,000 of four bits took 19 µs so, 27 µs with codes read into registers.

inline constexpr std::int64_t kSpansAtOnce = 2;  // that are copied: a line of the cache

// Codes that are streamed, as the text of their kernel has them.
struct StreamedCodes {
    CodeChain chain;
    std::int64_t pitch = 0;         // bytes from one row of codes to the next
    std::int64_t operandPitch = 0;  // elements from one row of an operand to the next
    std::int64_t group = 0;         // codes that have an element of each; 0: the whole row

    [[nodiscard]] std::int64_t span() const;  // codes of a row that a warp multiplies at once
    [[nodiscard]] std::size_t operands() const;
    // Spans that a warp takes are a multiple of this.
    [[nodiscard]] std::int64_t step() const;
    // Of each operand, copied at once by a warp that takes so many spans; 0: they cannot be.
    [[nodiscard]] std::int64_t operandBytes(std::int64_t spans) const;
};

// Nothing for codes that are neither, or whose operands lie in another way.
[[nodiscard]] std::optional<StreamedCodes>
streamedCodes(const Graph& group, const InputStrides& strides, const SkinnyProduct& skinny);

// C text: constants and functions for streamedFrame.
[[nodiscard]] std::string streamedText(const StreamedCodes& codes, ProductType type);
// What all kernels of streamed codes have in common.
[[nodiscard]] std::string_view streamedFrame();

}  // namespace qs::core
