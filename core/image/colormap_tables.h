#pragma once

#include <array>
#include <cstdint>

namespace qs::core {

using ColormapTable = std::array<std::array<std::uint8_t, 3>, 256>;

extern const ColormapTable kMagmaTable;
extern const ColormapTable kBlueWhiteRedTable;

}  // namespace qs::core
