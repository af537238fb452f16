#pragma once

namespace qs::engine {

// Whether oneDNN's convolution of 8-bit integers is in this PyTorch and gives the exact sums on
// this processor: without instructions that add four products of 8 bits in 32 (VNNI) it adds pairs
// in 16 bits, which saturates. Asked by convolving once.
[[nodiscard]] bool convolvesInt8Exactly();

}  // namespace qs::engine
