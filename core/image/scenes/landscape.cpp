#include "core/image/scenes/noise.h"
#include "core/image/scenes/scenes.h"

namespace qs::core::scenes {

namespace {

constexpr int kRidges = 5;

struct Land {
    Noise noise;
    Rgb zenith{};
    Rgb horizon{};
    Rgb ground{};
    Point sun{};
    Rgb sunColour{};
    double water = 0.0;  // height of the shore; 1 and more: no water
    double cloudiness = 0.0;
};

Land randomLand(Random& random)
{
    Land land{Noise(random.next())};
    const int time = random.below(4);  // day, evening, night, autumn haze
    const std::array<Rgb, 4> zeniths{Rgb{0.16, 0.4, 0.78}, Rgb{0.25, 0.2, 0.45},
                                     Rgb{0.02, 0.04, 0.14}, Rgb{0.5, 0.6, 0.7}};
    const std::array<Rgb, 4> horizons{Rgb{0.78, 0.88, 0.95}, Rgb{0.98, 0.6, 0.3},
                                      Rgb{0.2, 0.26, 0.42}, Rgb{0.95, 0.88, 0.75}};
    const std::array<Rgb, 4> grounds{Rgb{0.1, 0.26, 0.1}, Rgb{0.12, 0.07, 0.12},
                                     Rgb{0.02, 0.04, 0.08}, Rgb{0.34, 0.19, 0.07}};
    const auto i = static_cast<std::size_t>(time);
    land.zenith = zeniths[i];
    land.horizon = horizons[i];
    land.ground = mix(grounds[i], hsv(random.uniform(), 0.5, 0.3), 0.15);
    land.sun = {random.between(0.15, 0.85), random.between(0.12, 0.42)};
    land.sunColour = time == 2 ? Rgb{0.92, 0.94, 0.88} : Rgb{1.0, 0.95, 0.75};
    land.water = random.chance(0.65) ? random.between(0.7, 0.8) : 2.0;
    land.cloudiness = random.between(-0.15, 0.3);
    return land;
}

Rgb sky(const Land& land, Point p)
{
    const double height = unit(p.y / 0.62);
    Rgb colour = mix(land.zenith, land.horizon, height * height);
    const double fromSun = length(p - land.sun);
    const double halo = unit(1.0 - fromSun / 0.5);
    colour = mix(colour, land.sunColour, 0.6 * halo * halo * halo);
    const Point stretched{p.x * 3.0, p.y * 9.0 / (0.35 + p.y)};
    const double cloud = land.noise.fractal(stretched, 6) + land.cloudiness;
    const double shade = land.noise.fractal(stretched + Point{0.12, -0.3}, 4);
    const Rgb lit = mix(mix(land.horizon, grey(1.0), 0.55), land.zenith, unit(0.45 + shade));
    colour = mix(colour, lit, 0.85 * smooth(0.05, 0.55, cloud) * smooth(0.75, 0.4, p.y));
    return mix(land.sunColour, colour, smooth(0.038, 0.044, fromSun));
}

double ridgeHeight(const Land& land, int ridge, double x)
{
    const double depth = static_cast<double>(ridge) / (kRidges - 1);
    const Point p{x * lerp(3.2, 1.6, depth) + 31.7 * ridge, 7.9 * ridge};
    const double rough =
        land.noise.ridged(p, 5) * lerp(0.3, 0.1, depth) + land.noise.fractal(p * 4.0, 4) * 0.02;
    return lerp(0.64, 0.9, depth) - rough;
}

Rgb scene(const Land& land, Point p, double pixels)
{
    Rgb colour = sky(land, p);
    for (int ridge = 0; ridge < kRidges; ++ridge) {
        const double top = ridgeHeight(land, ridge, p.x);
        const double inside = unit((p.y - top) * pixels + 0.5);
        if (inside <= 0.0)
            continue;
        const double depth = static_cast<double>(ridge + 1) / kRidges;
        const double grain = land.noise.fractal({p.x * 30.0 + 9.0 * depth, p.y * 44.0}, 5);
        const double slope = (ridgeHeight(land, ridge, p.x + 0.004) - top) * 30.0;
        const double light = land.sun.x > p.x ? -slope : slope;
        Rgb rock =
            land.ground * (1.15 + 0.9 * grain + 0.8 * std::clamp(light + 2.0 * grain, -0.7, 1.2));
        const double fog = smooth(0.0, 0.3, p.y - top) * 0.35;
        rock = mix(land.horizon, rock, depth * (0.95 - fog));
        colour = mix(colour, rock, inside);
    }
    return colour;
}

Rgb water(const Land& land, Point p, double pixels)
{
    const double below = p.y - land.water;
    const double near = 4.0 + 50.0 * (1.0 - unit(below / 0.3));
    const double ripple = land.noise.fractal({p.x * 14.0, below * near * 8.0}, 3);
    const Point mirrored{p.x + 0.02 * ripple, land.water - below * 1.6 - 0.015 * ripple};
    const Rgb reflection = scene(land, {mirrored.x, std::max(0.0, mirrored.y)}, pixels);
    return mix(reflection, land.zenith, 0.3) * (0.82 + 0.12 * ripple);
}

void drawTree(Canvas& canvas, Random& random, const Land& land, Point foot, double height)
{
    const Rgb dark = land.ground * random.between(0.3, 0.6);
    const Rgb light = land.ground * random.between(0.8, 1.5);
    canvas.segment(foot, foot - Point{0.0, height * 0.93}, height * 0.03, dark * 0.7);
    const int tiers = 15;
    for (int i = 0; i < tiers; ++i) {
        const double t = static_cast<double>(i) / tiers;
        const Point middle = foot - Point{0.0, height * lerp(0.1, 1.0, t)};
        const double reach = height * 0.23 * (1.04 - t) * random.between(0.7, 1.15);
        for (int twig = 0; twig < 8; ++twig) {
            const double side = twig % 2 == 0 ? 1.0 : -1.0;
            const Point tip = middle + Point{side * reach * random.between(0.4, 1.0),
                                             height * random.between(0.03, 0.1)};
            canvas.curve(middle, (middle + tip) * 0.5 - Point{0.0, height * 0.015}, tip,
                         height * 0.05, mix(dark, light, random.uniform()), 0.9, 3);
        }
    }
}

}  // namespace

void drawLandscape(Canvas& canvas, Random& random)
{
    const Land land = randomLand(random);
    const double pixels = canvas.size();
    canvas.fill([&](Point p) {
        return p.y < land.water ? scene(land, p, pixels) : water(land, p, pixels);
    });
    const int trees = 10 + random.below(30);
    for (int i = 0; i < trees; ++i) {
        const double x = random.between(-0.02, 1.02);
        const double depth = static_cast<double>(i) / trees;  // from far to near
        const double shore = std::min(land.water + 0.005, ridgeHeight(land, kRidges - 1, x) + 0.04);
        const double y = land.water < 1.0 ? shore : lerp(shore, 1.04, depth);
        drawTree(canvas, random, land, {x, y},
                 lerp(0.06, 0.3, depth * depth) * random.between(0.7, 1.2));
    }
}

}  // namespace qs::core::scenes
