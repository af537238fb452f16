#include "core/image/scenes/noise.h"
#include "core/image/scenes/scenes.h"

// Gratings, gradients and edges: what a lens or a display would be tested with.
namespace qs::core::scenes {

namespace {

// Rings that get finer outwards, up to the finest the pixels can carry at the edge of the picture.
Rgb zonePlate(Point p, Point centre, double pixels, Rgb phase)
{
    const double r = length(p - centre);
    const double rings = pixels * r * r * 0.5;
    return {0.5 + 0.5 * cosine(rings + phase.r), 0.5 + 0.5 * cosine(rings + phase.g),
            0.5 + 0.5 * cosine(rings + phase.b)};
}

void drawZonePlate(Canvas& canvas, Random& random)
{
    const Point centre{random.between(0.3, 0.7), random.between(0.3, 0.7)};
    const Rgb phase{random.uniform(), random.uniform(), random.uniform()};
    const double colourful = random.between(0.2, 1.0);
    canvas.fill([&](Point p) {
        const Rgb plain = zonePlate(p, centre, canvas.size(), {});
        return mix(plain, zonePlate(p, centre, canvas.size(), phase), colourful);
    });
}

// A field of patches, each a wave under a soft window.
void drawWaveletField(Canvas& canvas, Random& random)
{
    const int cells = 4 + random.below(3);
    const Palette palette = randomPalette(random);
    canvas.fill([&](Point p) { return mix(grey(0.45), palette[1], 0.25 + 0.3 * p.y); });
    for (int i = 0; i < cells * cells; ++i) {
        const Point centre{(i % cells + 0.5) / cells, (i / cells + 0.5) / cells};
        const double turns = random.uniform();
        // Two to sixteen periods in the window, as far as the pixels allow.
        const double most = std::min(16.0, 0.4 * canvas.size() / cells);
        const double waves = cells * lerp(2.0, most, random.uniform() * random.uniform());
        const Rgb bright = random.chance(0.5) ? grey(1.0) : sample(palette, random.uniform());
        const Rgb dark = random.chance(0.5) ? grey(0.0) : palette[0];
        const bool square = random.chance(0.3);
        const double half = 0.46 / cells;
        canvas.paint(centre, half, half, [&](Point p) {
            const Point local = turned(p - centre, turns);
            const double wave = sine(local.x * waves);
            const double level = square ? smooth(-0.15, 0.15, wave) : 0.5 + 0.5 * wave;
            const double r = length(p - centre) / half;
            return Paint{mix(dark, bright, level), smooth(1.0, square ? 0.95 : 0.35, r)};
        });
    }
}

void drawStar(Canvas& canvas, Point centre, double radius, double spokes, Rgb ink)
{
    canvas.paint(centre, radius, radius, [&](Point p) {
        const Point local = p - centre;
        const double r = length(local);
        const double width = r * kTurn / spokes;  // of one period
        const double edge = std::min(1.0, 2.0 * canvas.pixel() / std::max(width, 1e-9));
        const double level =
            smooth(-edge * 2.0, edge * 2.0, sine(angleOf(local.x, local.y) * spokes));
        return Paint{mix(grey(1.0), ink, level), canvas.coverage(r - radius)};
    });
}

void drawLinePairs(Canvas& canvas, Point corner, double width, double height, bool upright, Rgb ink)
{
    const Point centre = corner + Point{width / 2.0, height / 2.0};
    const double most = (upright ? width : height) * canvas.size() * 0.5;
    canvas.paint(centre, width / 2.0, height / 2.0, [&](Point p) {
        const double t = upright ? (p.x - corner.x) / width : (p.y - corner.y) / height;
        const double pairs = 0.5 * most * t * t;  // finer along the bar
        return Paint{mix(grey(1.0), ink, 0.5 + 0.5 * sine(pairs)), 1.0};
    });
}

void drawTestChart(Canvas& canvas, Random& random)
{
    const Palette palette = randomPalette(random);
    canvas.fill([&](Point) { return grey(0.82); });
    const Rgb ink = palette[0];
    drawStar(canvas, {0.5, 0.5}, 0.27, 36.0 + 12.0 * random.below(5), ink);
    for (const Point corner :
         {Point{0.14, 0.14}, Point{0.86, 0.14}, Point{0.14, 0.86}, Point{0.86, 0.86}})
        drawStar(canvas, corner, 0.11, 24.0, sample(palette, random.uniform()));
    drawLinePairs(canvas, {0.28, 0.05}, 0.44, 0.08, true, ink);
    drawLinePairs(canvas, {0.28, 0.87}, 0.44, 0.08, true, palette[1]);
    drawLinePairs(canvas, {0.05, 0.28}, 0.08, 0.44, false, palette[2]);
    drawLinePairs(canvas, {0.87, 0.28}, 0.08, 0.44, false, ink);
    for (int i = 0; i < 12; ++i) {
        const Point centre{0.305 + 0.0355 * i, 0.175};
        canvas.paint(centre, 0.0177, 0.022, [&](Point) { return Paint{grey(i / 11.0), 1.0}; });
        canvas.paint(centre + Point{0.0, 0.65}, 0.0177, 0.022, [&](Point) {
            return Paint{hsv(i / 12.0, 0.8, 0.9), 1.0};
        });
    }
}

// Colours at a few places, blended everywhere by distance.
void drawColourField(Canvas& canvas, Random& random, double contrast)
{
    struct Spot {
        Point at;
        Rgb colour;
    };
    const Palette palette = randomPalette(random);
    const Rgb middle = sample(palette, 0.5);
    std::array<Spot, 7> spots;
    for (Spot& spot : spots)
        spot = {{random.uniform(), random.uniform()},
                mix(middle, sample(palette, random.uniform()), contrast)};
    canvas.fill([&](Point p) {
        Rgb sum;
        double weights = 0.0;
        for (const Spot& spot : spots) {
            const Point offset = p - spot.at;
            const double squared = offset.x * offset.x + offset.y * offset.y + 0.02;
            const double weight = 1.0 / (squared * squared);
            sum = sum + spot.colour * weight;
            weights += weight;
        }
        return sum * (1.0 / weights);
    });
}

// Dark slopes of a few levels with pale discs whose rims melt away: banding shows at once.
void drawNightSlopes(Canvas& canvas, Random& random)
{
    const double hue = random.uniform();
    const double turns = random.uniform();
    canvas.fill([&](Point p) {
        const double t = 0.5 + turned(p - Point{0.5, 0.5}, turns).x;
        return hsv(hue + 0.12 * t, 0.55, 0.1 + 0.16 * t);
    });
    for (int i = 0; i < 9; ++i) {
        const double radius = random.between(0.12, 0.45);
        const Point centre{random.uniform(), random.uniform()};
        const Rgb colour = randomColour(random, {hue - 0.1, hue + 0.25}, {0.2, 0.7}, {0.3, 0.85});
        canvas.glow(centre, radius, radius, colour, random.between(0.2, 0.7));
    }
}

void drawWedges(Canvas& canvas, Random& random)
{
    const double hue = random.uniform();
    canvas.fill([&](Point p) {
        const int row = static_cast<int>(p.y * 8.0);
        const double steps = row % 2 == 0 ? 256.0 : 8.0 * (row + 1);
        const double level = std::floor(p.x * steps) / (steps - 1.0);
        const double bent = row < 4 ? level : level * level;
        return row % 4 < 2 ? grey(bent)
                           : hsv(hue + row * 0.13, 1.0 - 0.6 * level, 0.15 + 0.85 * bent);
    });
    canvas.glow({0.5, 0.5}, 0.35, 0.35, hsv(hue + 0.5, 0.4, 0.9), 0.8);
}

void drawPolygons(Canvas& canvas, Random& random, const Palette& palette)
{
    for (int i = 0; i < 26; ++i) {
        const Point centre{random.uniform(), random.uniform()};
        const double half = random.between(0.05, 0.22);
        const double aspect = random.between(0.1, 1.0);
        const double turns = random.uniform();
        const Rgb colour =
            random.chance(0.25) ? grey(random.below(2)) : sample(palette, random.uniform());
        const bool checked = random.chance(0.4);
        const double squares = random.between(4.0, 22.0);
        canvas.paint(centre, half * 1.5, half * 1.5, [&](Point p) {
            const Point local = turned(p - centre, turns);
            const double alpha = canvas.coverage(distanceToBox(local, half, half * aspect));
            const double wave =
                sine(local.x / half * squares * 0.25) * sine(local.y / half * squares * 0.25);
            const double soft = squares * canvas.pixel() / half;
            const Rgb ink =
                checked ? mix(grey(1.0) * 0.95, colour, smooth(-soft, soft, wave)) : colour;
            return Paint{ink, alpha};
        });
    }
}

}  // namespace

void drawGratings(Canvas& canvas, Random& random)
{
    switch (random.below(3)) {
    case 0:
        return drawZonePlate(canvas, random);
    case 1:
        return drawWaveletField(canvas, random);
    default:
        return drawTestChart(canvas, random);
    }
}

void drawGradients(Canvas& canvas, Random& random)
{
    switch (random.below(4)) {
    case 0:
        return drawColourField(canvas, random, 1.0);
    case 1:
        return drawColourField(canvas, random, 0.3);
    case 2:
        return drawNightSlopes(canvas, random);
    default:
        return drawWedges(canvas, random);
    }
}

void drawEdges(Canvas& canvas, Random& random)
{
    const Palette palette = randomPalette(random);
    canvas.fill([&](Point p) { return mix(palette[4], palette[3], p.x); });
    drawPolygons(canvas, random, palette);
    // A fan of lines from hair-thin to bold, through one point.
    const Point hub{random.uniform(), random.uniform()};
    const int lines = 30 + random.below(30);
    for (int i = 0; i < lines; ++i) {
        const double turns = static_cast<double>(i) / lines;
        const Point direction{cosine(turns), sine(turns)};
        const Point end = hub + direction * random.between(0.25, 0.7);
        const Rgb ink = random.chance(0.7) ? grey(0.05) : palette[2];
        canvas.segment(hub + direction * 0.06, end, random.between(0.001, 0.008), ink);
    }
    for (int i = 0; i < 14; ++i) {
        const double radius = 0.01 + 0.022 * i;
        canvas.paint(hub, radius + 0.01, radius + 0.01, [&](Point p) {
            const double d = std::abs(length(p - hub) - radius) - 0.0012 * (1 + i % 4);
            return Paint{i % 2 == 0 ? palette[0] : palette[1], canvas.coverage(d)};
        });
    }
}

}  // namespace qs::core::scenes
