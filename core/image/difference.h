#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/image/pixel_map.h"
#include "core/stats/vector_distance.h"

#include <span>

namespace qs::core {

// How far one set of values is from a reference, on a scale.
struct Difference : VectorDistance {
    // 10·log10(range² / mse), +infinity if identical. Files write the flag, never an infinity
    double psnrDb = 0.0;
};

// `range`: distance between the lowest and the highest possible value, as for ssim. Errors:
// different sizes, no values, NaN or infinite values, a range that is not positive.
[[nodiscard]] Result<Difference> difference(std::span<const float> values,
                                            std::span<const float> reference, double range);
[[nodiscard]] Result<Difference> difference(const Picture& picture, const Picture& reference,
                                            double range);

// picture - reference at each pixel, mean over channels; same conditions.
[[nodiscard]] Result<PixelMap> signedDifferenceMap(const Picture& picture,
                                                   const Picture& reference);

}  // namespace qs::core
