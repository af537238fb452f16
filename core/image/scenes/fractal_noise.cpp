#include "core/image/scenes/noise.h"
#include "core/image/scenes/scenes.h"

namespace qs::core::scenes {

namespace {

// Noise that is looked up at a place moved by noise: folds and swirls instead of blobs.
double warped(const Noise& noise, Point p, double strength)
{
    const Point moved{noise.fractal(p + Point{3.1, 8.4}, 4),
                      noise.fractal(p + Point{11.7, 2.9}, 4)};
    return noise.fractal(p + moved * strength, 6);
}

void drawClouds(Canvas& canvas, Random& random, const Palette& palette)
{
    const Noise noise(random.next());
    const double scale = random.between(2.5, 5.0);
    const double strength = random.between(0.8, 2.2);
    canvas.fill([&](Point p) {
        const double value = warped(noise, p * scale, strength);
        const double fine = noise.fractal(p * (scale * 9.0), 3);
        return sample(palette, 0.5 + 0.6 * value) * (1.0 + 0.12 * fine);
    });
}

void drawMarble(Canvas& canvas, Random& random, const Palette& palette)
{
    const Noise noise(random.next());
    const double bands = random.between(3.0, 7.0);
    const double turns = random.uniform();
    canvas.fill([&](Point p) {
        const Point q = turned(p, turns);
        const double vein = sine(q.x * bands + 1.1 * noise.fractal(p * 3.0, 7));
        const double crack = noise.ridged(p * 5.0 + Point{4.0, 4.0}, 5);
        const Rgb stone = sample(palette, 0.5 + 0.45 * vein);
        return mix(stone, palette[0], 0.8 * smooth(0.62, 0.85, crack));
    });
}

// A height field seen from above, lit from one side.
void drawRelief(Canvas& canvas, Random& random, const Palette& palette)
{
    const Noise noise(random.next());
    const double scale = random.between(3.0, 6.0);
    const double step = 0.003;
    const auto height = [&](Point p) {
        return noise.ridged(p * scale, 5) + 0.3 * noise.fractal(p * (scale * 0.5), 3);
    };
    canvas.fill([&](Point p) {
        const double here = height(p);
        const double slopeX = (height(p + Point{step, 0.0}) - here) / step;
        const double slopeY = (height(p + Point{0.0, step}) - here) / step;
        const double light = 0.85 - 0.05 * (slopeX + slopeY);
        return sample(palette, here * 1.1) * std::clamp(light, 0.2, 1.5);
    });
}

}  // namespace

void drawFractalNoise(Canvas& canvas, Random& random)
{
    const Palette palette = randomPalette(random);
    switch (random.below(3)) {
    case 0:
        return drawClouds(canvas, random, palette);
    case 1:
        return drawMarble(canvas, random, palette);
    default:
        return drawRelief(canvas, random, palette);
    }
}

}  // namespace qs::core::scenes
