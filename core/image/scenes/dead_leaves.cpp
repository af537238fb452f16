#include "core/image/scenes/noise.h"
#include "core/image/scenes/scenes.h"

namespace qs::core::scenes {

namespace {

enum class Texture { Plain, Stripes, Dots, Grain };

struct Leaf {
    Point centre;
    double radius = 0.0;
    double aspect = 1.0;
    double turns = 0.0;
    int shape = 0;
    Texture texture = Texture::Plain;
    double textureScale = 1.0;
    Rgb light;
    Rgb dark;
};

// Signed distance from the edge of the leaf; `p` is relative to its centre, unturned.
double distance(const Leaf& leaf, Point p)
{
    const double r = leaf.radius;
    switch (leaf.shape) {
    case 0:
        return length(p) - r;
    case 1:
        return distanceToBox(p, r, r * leaf.aspect);
    case 2: {  // triangle: the intersection of three half planes
        const double sides = std::max(std::abs(p.x) * 0.866 + p.y * 0.5, -p.y);
        return sides - r * 0.5;
    }
    case 3: {  // pointed leaf: the intersection of two circles
        const double offset = r * 0.9;
        const double reach = std::sqrt(r * r + offset * offset);
        return length({p.x, std::abs(p.y) + offset}) - reach;
    }
    default:
        return std::abs(length(p) - r * 0.75) - r * 0.22;  // ring
    }
}

double textureAt(const Leaf& leaf, Point p, const Noise& noise)
{
    const Point q = p * leaf.textureScale;
    switch (leaf.texture) {
    case Texture::Plain:
        return 0.0;
    case Texture::Stripes:
        return 0.35 * smooth(-0.3, 0.3, sine(q.x));
    case Texture::Dots:
        return 0.4 * smooth(0.2, 0.5, sine(q.x) * sine(q.y));
    case Texture::Grain:
        return 0.5 * noise.fractal(q, 3);
    }
    return 0.0;
}

// Radii follow r^-3, which makes the picture look the same at every scale: the statistics of
// photographs.
double powerLawRadius(Random& random, double smallest, double largest)
{
    const double ratio = smallest / largest;
    return smallest / std::sqrt(1.0 - random.uniform() * (1.0 - ratio * ratio));
}

Leaf randomLeaf(Random& random, const Palette& palette)
{
    Leaf leaf;
    leaf.centre = {random.between(-0.1, 1.1), random.between(-0.1, 1.1)};
    leaf.radius = powerLawRadius(random, 0.013, 0.3);
    leaf.aspect = random.between(0.25, 1.0);
    leaf.turns = random.uniform();
    leaf.shape = random.below(5);
    leaf.texture = static_cast<Texture>(random.below(4));
    leaf.textureScale = random.between(12.0, 60.0);
    const Rgb base = random.chance(0.75) ? sample(palette, random.uniform())
                                         : randomColour(random, {0.0, 1.0}, {0.2, 0.9}, {0.2, 1.0});
    leaf.light = mix(base, grey(1.0), random.between(0.0, 0.25));
    leaf.dark = base * random.between(0.45, 0.8);
    return leaf;
}

void drawLeaf(Canvas& canvas, const Leaf& leaf, const Noise& noise)
{
    const double reach = leaf.radius * 1.5 + canvas.pixel();
    // A soft shadow first: it tells which leaf lies above.
    const double shadow = 0.012 + 0.1 * leaf.radius;
    if (leaf.radius > 0.03) {
        canvas.paint(leaf.centre, reach + shadow, reach + shadow, [&](Point p) {
            const Point offset{shadow * 0.5, shadow * 0.5};
            const double d = distance(leaf, turned(p - leaf.centre - offset, -leaf.turns));
            return Paint{grey(0.02), 0.45 * (1.0 - smooth(-shadow, shadow, d))};
        });
    }
    canvas.paint(leaf.centre, reach, reach, [&](Point p) {
        const Point local = turned(p - leaf.centre, -leaf.turns);
        const double shade = 0.5 + 0.5 * (p.x + p.y - leaf.centre.x - leaf.centre.y) / leaf.radius;
        const double tone = unit(0.6 * shade + textureAt(leaf, local, noise));
        return Paint{mix(leaf.light, leaf.dark, tone), canvas.coverage(distance(leaf, local))};
    });
}

}  // namespace

void drawDeadLeaves(Canvas& canvas, Random& random)
{
    const Palette palette = randomPalette(random);
    const Noise noise(random.next());
    canvas.fill([&](Point p) { return sample(palette, p.y); });
    constexpr int kLeaves = 2400;  // covers the ground about six times
    for (int i = 0; i < kLeaves; ++i)
        drawLeaf(canvas, randomLeaf(random, palette), noise);
}

}  // namespace qs::core::scenes
