#pragma once

#include "core/base/npy.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>

namespace qs::core::vitok {

// Pictures [B, 3, H, W] -> tokens [B, (H/P)·(W/P), 3·P²]. Tokens are row-major over the grid;
// inside a token the order is channel, row, column (index c·P² + y·P + x). H and W must be
// multiples of P.
[[nodiscard]] Result<FloatArray> patchify(const FloatArray& pictures, std::int64_t patch);

// The inverse, for a grid of `rows` x `columns` tokens.
[[nodiscard]] Result<FloatArray> unpatchify(const FloatArray& tokens, std::int64_t patch,
                                            std::int64_t rows, std::int64_t columns);

// Images [B, 3, H, W] with mid grey on the right and below, up to a whole number of patches.
[[nodiscard]] FloatArray withWholePatches(const FloatArray& images, std::int64_t patch);

// The first `count` entries of a dimension; all of them where there are no more.
[[nodiscard]] FloatArray firstEntries(const FloatArray& array, std::size_t dimension,
                                      std::int64_t count);

}  // namespace qs::core::vitok
