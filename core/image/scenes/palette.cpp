#include "core/image/scenes/scenes.h"

namespace qs::core::scenes {

Palette randomPalette(Random& random)
{
    const double hue = random.uniform();
    const double spread = random.between(0.06, 0.16);
    // Opposite, a third away, or near: strong, lively or calm pictures.
    constexpr std::array kAccents{0.5, 0.36, 0.62, 0.14, 0.86};
    const double accent = hue + kAccents[static_cast<std::size_t>(random.below(5))];
    const auto colour = [&](double exactHue, Range saturation, Range value) {
        return randomColour(random, {exactHue, exactHue}, saturation, value);
    };
    // The entries of a braced list are evaluated from left to right.
    return {colour(hue - spread, {0.35, 0.8}, {0.12, 0.28}), colour(hue, {0.35, 0.75}, {0.38, 0.6}),
            colour(accent, {0.45, 0.85}, {0.7, 0.95}),
            colour(hue + spread, {0.2, 0.55}, {0.65, 0.9}),
            colour(accent + spread, {0.05, 0.25}, {0.88, 1.0})};
}

Rgb randomColour(Random& random, Range hue, Range saturation, Range value)
{
    const double exactHue = random.between(hue.low, hue.high);
    const double exactSaturation = random.between(saturation.low, saturation.high);
    return hsv(exactHue, exactSaturation, random.between(value.low, value.high));
}

Rgb sample(const Palette& palette, double t)
{
    const double position = unit(t) * static_cast<double>(palette.size() - 1);
    const auto first = std::min(static_cast<std::size_t>(position), palette.size() - 2);
    const double within = position - static_cast<double>(first);
    return mix(palette[first], palette[first + 1], within * within * (3.0 - 2.0 * within));
}

}  // namespace qs::core::scenes
