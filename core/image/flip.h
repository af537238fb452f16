#pragma once

#include "core/base/result.h"
#include "core/image/picture.h"
#include "core/image/pixel_map.h"

#include <stop_token>

namespace qs::core {

// The viewing distance that FLIP's authors assume: 0.7 m from a 4K screen of 0.7 m, in pixels per
// degree of sight.
inline constexpr double kUsualPixelsPerDegree = 67.0;

struct FlipResult {
    double mean = 0.0;  // over all pixels, 0 (no visible difference) … 1
    PixelMap map;       // of the picture's size, 0 … 1
};

// The difference that a person sees when the two pictures alternate on a screen: LDR-FLIP of
// Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström and Fairchild (2020), with the constants of
// that paper. Colour differences are judged after the blur of the eye at this distance and raised
// by differences of edges and points. Values beyond 0..1 cannot be shown and are limited. Errors:
// different sizes, NaN or infinite values, a distance outside 1 … 1000 pixels per degree; Cancelled
// when stopped.
[[nodiscard]] Result<FlipResult> flip(const Picture& picture, const Picture& reference,
                                      double pixelsPerDegree = kUsualPixelsPerDegree,
                                      const std::stop_token& stop = {});

}  // namespace qs::core
