#pragma once

#include "core/base/npy.h"
#include "core/base/result.h"

#include <cstdint>

namespace qs::core::vitok {

// Pictures [B, 3, H, W] -> tokens [B, (H/P)·(W/P), 3·P²]. Tokens are row-major over the grid;
// inside a token the order is channel, row, column (index c·P² + y·P + x). H and W must be
// multiples of P.
[[nodiscard]] Result<FloatArray> patchify(const FloatArray& pictures, std::int64_t patch);

// The inverse, for a grid of `rows` x `columns` tokens.
[[nodiscard]] Result<FloatArray> unpatchify(const FloatArray& tokens, std::int64_t patch,
                                            std::int64_t rows, std::int64_t columns);

}  // namespace qs::core::vitok
