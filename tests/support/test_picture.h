#pragma once

#include "core/image/picture.h"

#include <cstdint>

namespace qs::tests {

// Waves, an edge and noise in three channels, size x size; values are multiples of 1/255 from 0 to
// 1. Equal arguments give equal pictures, another seed gives another one.
[[nodiscard]] core::Picture testPicture(std::uint32_t seed, int size);

}  // namespace qs::tests
