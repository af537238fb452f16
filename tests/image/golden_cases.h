#pragma once

#include "core/image/picture.h"

#include <array>
#include <string>
#include <vector>

namespace qs::tests {

// One row of the golden table: a distortion of the reference picture, and what independent
// double-precision programs give for it. Order of the scores: Wang04, Skimage, Reflect101,
// Replicate.
struct GoldenCase {
    std::string name;
    core::Picture distorted;
    std::array<double, 4> ssim;
    double lowest;  // of the Wang04 map
    double psnrDb;
};

// 256 x 256, grey, integers 0..239: a ramp, a checkerboard and a disc.
[[nodiscard]] core::Picture goldenReference();
[[nodiscard]] std::vector<GoldenCase> goldenCases();

// Copy with `amplitude` times a fixed noise of -1..1 added.
[[nodiscard]] core::Picture withNoise(core::Picture picture, double amplitude);

}  // namespace qs::tests
