#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"

#include <stop_token>
#include <string>

namespace qs::core {

// Five scales of windows of 11 pixels: the smallest picture still has one window on the coarsest.
inline constexpr int kSmallestMsSsimSide = 11 * 16;

// Multi-scale structural similarity of Wang, Simoncelli and Bovik (2003), 0 … 1: Gaussian 11x11,
// sigma 1.5, population variances, only positions whose window is inside; weights 0.0448, 0.2856,
// 0.3001, 0.2363, 0.1333; each scale is the 2x2 mean of the one before, an odd last row or column
// left out; negative terms count as 0; mean over channels. `range` as for ssim. Errors: different
// sizes, sides below kSmallestMsSsimSide, NaN or infinite values, a range that is not positive;
// Cancelled when stopped.
[[nodiscard]] Result<double> msSsim(const Picture& a, const Picture& b, double range,
                                    const std::stop_token& stop = {});

}  // namespace qs::core
