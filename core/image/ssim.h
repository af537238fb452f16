#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/image/pixel_map.h"

#include <array>
#include <stop_token>
#include <string>
#include <string_view>

namespace qs::core {

// The structural similarity of Wang, Bovik, Sheikh and Simoncelli (2004), and the ways in which
// widespread programs differ from it. The same pair of pictures scores up to 0.04 apart, so no
// number is shown without its name. All use K1 = 0.01, K2 = 0.03 and the mean over channels.
enum class SsimVariant {
    Wang04,      // Gaussian 11x11, sigma 1.5, population variances, only positions whose window is
                 // inside
    Skimage,     // uniform 7x7, sample variances (x 49/48), only positions whose window is inside
    Reflect101,  // as Wang04, borders mirrored without the edge pixel, all positions (torchmetrics,
                 // OpenCV)
    Replicate,   // as Wang04, edge pixels repeated, all positions (MATLAB's ssim)
};

inline constexpr std::array kSsimVariants{SsimVariant::Wang04, SsimVariant::Skimage,
                                          SsimVariant::Reflect101, SsimVariant::Replicate};

// The full text, e.g. "SSIM[Wang04 gauss11 σ1.5 valid L=1 mean-RGB]" (UTF-8).
[[nodiscard]] std::string name(SsimVariant variant, double range = 1.0);
// The smallest width and height for which the variant is defined: 11, or 7 for Skimage.
[[nodiscard]] int smallestSide(SsimVariant variant);

struct SsimResult {
    double mean = 0.0;    // over all positions and channels
    double lowest = 0.0;  // of the map
    int lowestX = 0;  // where, in pixels of the picture; the first in reading order among equals
    int lowestY = 0;
    // Mean over channels at each position, -1..1. Uncropped variants: the picture's size, offset 0.
    // Wang04: 5 pixels less on each side, offset 5. Skimage: 3 less, offset 3.
    PixelMap map;
};

// Compares in double precision. Values may have any finite level; `range` is the distance between
// the lowest and the highest possible value (1 for 0..1, 2 for -1..1, 255 for bytes), never taken
// from the data. Errors: different sizes, sides below smallestSide, NaN or infinite values, a range
// that is not positive; Cancelled when stopped.
[[nodiscard]] Result<SsimResult> ssim(const Picture& a, const Picture& b, SsimVariant variant,
                                      double range, const std::stop_token& stop = {});

// The mean that torchmetrics gives of outputs from -1 to 1, not clamped: Reflect101 with a range
// of 2. Errors as above.
[[nodiscard]] Result<double> torchmetricsSsim(const Picture& a, const Picture& b,
                                              const std::stop_token& stop = {});

}  // namespace qs::core
