#pragma once

#include "core/image/picture.h"

#include <stop_token>

namespace qs::core {

// What is asked to stop while it makes a picture returns one of the right size that is unfinished.

// The resampling filters of Pillow, with its definitions: when shrinking, the filter widens with
// the factor (antialias); bicubic has a = -0.5, Lanczos has 3 lobes, box has none.
enum class ResizeFilter { Box, Bicubic, Lanczos };

// Any size within the picture limits; so must be the new width with the old height (checked). Works
// in float and keeps values that overshoot 0..1 where the filter has negative lobes, as Pillow does
// in mode F.
[[nodiscard]] Picture resized(const Picture& picture, int width, int height, ResizeFilter filter,
                              const std::stop_token& stop = {});

inline constexpr int kLargestCrop = 4096;

// The crop of the ADM / DiT data loaders ("adm_center"): halve by box while the shorter side is at
// least twice `size`, bicubic until the shorter side is `size`, then the central size x size.
// Limited to 0..1 after each direction; Pillow on 8-bit pictures also rounds there, which is all
// that is left between the two (about one level for each step). `size` is 1 … kLargestCrop
// (checked).
[[nodiscard]] Picture centerCropAdm(Picture picture, int size, const std::stop_token& stop = {});

// The whole picture in a square of `size`, as the loaders of patch models take it: resizeToFit,
// then mid grey (0.5, the models' zero) to the right and below. `size` is 1 … kLargestCrop
// (checked).
[[nodiscard]] Picture paddedToSquare(Picture picture, int size, const std::stop_token& stop = {});

// Shrinks by Lanczos until the longer side is `longestSide`; a smaller picture is returned as it
// is. Limited to 0..1 after each direction.
[[nodiscard]] Picture resizeToFit(Picture picture, int longestSide,
                                  const std::stop_token& stop = {});

}  // namespace qs::core
