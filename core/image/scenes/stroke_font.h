#pragma once

#include "core/image/scenes/canvas.h"

#include <string_view>

namespace qs::core::scenes {

// Draws one line of text with strokes; capitals, digits and . , - : ! ? + / ( ) are known, the rest
// is a gap. `origin` is the left end of the base line, `height` that of a capital, `weight` the
// width of a stroke as part of the height. Returns the x where the next letter would begin.
double drawLine(Canvas& canvas, std::string_view text, Point origin, double height, double weight,
                Rgb colour, double slant);

// How wide drawLine would draw it.
[[nodiscard]] double lineWidth(std::string_view text, double height);

}  // namespace qs::core::scenes
