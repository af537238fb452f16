#pragma once

#include <array>
#include <cstdint>

namespace qs::core {

enum class Colormap {
    Magma,  // for errors: dark = none; luminance rises evenly, so it also reads in print and grey
    BlueWhiteRed,  // for signed differences: white = none
};

using RgbBytes = std::array<std::uint8_t, 3>;

// Shown where there is no number; neither map contains a green.
inline constexpr RgbBytes kNotANumberColour{0, 200, 83};

// Colour of a value 0..1, limited to that range; NaN gives kNotANumberColour.
[[nodiscard]] RgbBytes mapToRgb(double value, Colormap colormap);

}  // namespace qs::core
