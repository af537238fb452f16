#pragma once

#include "core/image/picture.h"

#include <cstddef>
#include <span>

namespace qs::core {

// The orientation (1..8) in the payload of a JPEG APP1 segment, starting with "Exif\0\0". Anything
// absent, damaged or out of range gives 1, as stored: an orientation is a hint, no reason to refuse
// a picture.
[[nodiscard]] int exifOrientation(std::span<const std::byte> segment);

// The picture as it is meant to be seen: mirrored and turned as Exif 2.3 defines the
// orientations 1..8.
[[nodiscard]] Picture applyOrientation(Picture picture, int orientation);

}  // namespace qs::core
