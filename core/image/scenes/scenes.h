#pragma once

#include "core/image/scenes/canvas.h"

#include <array>

// One function per kind of picture: each paints the whole canvas and takes all its choices from
// `random`.
namespace qs::core::scenes {

void drawDeadLeaves(Canvas& canvas, Random& random);
void drawPortrait(Canvas& canvas, Random& random);
void drawLandscape(Canvas& canvas, Random& random);
void drawText(Canvas& canvas, Random& random);
void drawFractalNoise(Canvas& canvas, Random& random);
void drawSpheres(Canvas& canvas, Random& random);
void drawGratings(Canvas& canvas, Random& random);
void drawGradients(Canvas& canvas, Random& random);
void drawEdges(Canvas& canvas, Random& random);

// Five colours that go together: around one hue, with an opposite accent, from dark to light.
using Palette = std::array<Rgb, 5>;
[[nodiscard]] Palette randomPalette(Random& random);
struct Range {
    double low = 0.0;
    double high = 0.0;
};
// Hue, saturation and value are drawn in this order. (Arguments of one call may not each draw a
// number: compilers evaluate them in different orders.)
[[nodiscard]] Rgb randomColour(Random& random, Range hue, Range saturation, Range value);
// A colour between the entries; `t` is limited to 0..1.
[[nodiscard]] Rgb sample(const Palette& palette, double t);

}  // namespace qs::core::scenes
