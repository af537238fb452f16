#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

// Rows of numbers that kernels may stumble over.
namespace qs::tests {

struct RowSizes {
    std::int64_t rows;
    std::int64_t length;
};
// A long row, which all threads of a block share; short ones, which are not whole in their threads.
inline constexpr RowSizes kRowSizes[] = {{1, 8208}, {7, 100}, {16, 1024}};

// Denormal: of 16 bits. Tiny: near the least normal number, with a zero.
enum class RowKind { Normal, Zero, Huge, Tiny, Denormal, NotANumber, Infinite };
inline constexpr std::int64_t kRowKinds = 7;
// Rows have the kinds in turn, from `first` on.
[[nodiscard]] RowKind rowKind(std::int64_t row, std::int64_t first);
// The first so many that show each kind in some row.
[[nodiscard]] std::int64_t turnsOf(const RowSizes& sizes);

// Factors of normal numbers.
struct RowScales {
    double huge;
    double tiny;
    double denormal;
};
[[nodiscard]] at::Tensor hardRows(const RowSizes& sizes, std::int64_t first,
                                  const RowScales& scales, at::ScalarType type);

// That `half` computes half of the largest magnitude of `rows`, of which all others are below 7:
// at both ends, and with no number between. Writes into `rows`.
void expectHalfOfLargest(at::Tensor rows, const std::function<double()>& half);

[[nodiscard]] at::Tensor wide(const at::Tensor& x);  // in double precision
// Equal, no number in both, or no farther apart than allowed.
void expectWithin(const at::Tensor& found, const at::Tensor& expected, const at::Tensor& allowed);

}  // namespace qs::tests
