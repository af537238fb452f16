#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/image/pixel_map.h"

#include <span>

namespace qs::core {

// How far one set of values is from a reference. All sums in double precision.
struct Difference {
    bool identical = false; // every value equal; then psnr is +infinity
    double psnrDb = 0.0;    // 10·log10(range² / mse). Files write the flag, never an infinity
    double meanSquaredError = 0.0;
    double maxAbsolute = 0.0;
    double meanAbsolute = 0.0;
    double cosineSimilarity = 1.0; // -1..1; both all zero: 1, only one of them: 0
    double relativeL2 =
        0.0; // |a - reference| / |reference|; +infinity if only the reference is zero
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

} // namespace qs::core
