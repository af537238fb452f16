#pragma once

namespace qs::engine {

// Whether products of 8-bit integers give the exact sums on this processor: without instructions
// that add four of them in 32 bits (VNNI) oneDNN adds pairs in 16, which saturates. Asked by
// multiplying the largest codes once.

// Of aten::_int_mm.
[[nodiscard]] bool multipliesInt8Exactly();
// Of oneDNN's convolution; false as well where this PyTorch has none.
[[nodiscard]] bool convolvesInt8Exactly();

}  // namespace qs::engine
