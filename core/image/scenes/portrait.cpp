#include "core/image/scenes/noise.h"
#include "core/image/scenes/scenes.h"

namespace qs::core::scenes {

namespace {

struct Face {
    Point centre;
    double width = 0.0;  // half
    double height = 0.0;
    double lightX = 0.0;  // towards the light; the rest of the direction is fixed
    Rgb skin;
    Rgb hair;
    Rgb iris;
    Rgb cloth;
    bool longHair = false;
    bool glasses = false;
    bool beard = false;
};

Face randomFace(Random& random)
{
    Face face;
    face.centre = {random.between(0.47, 0.53), random.between(0.45, 0.48)};
    face.width = random.between(0.18, 0.205);
    face.height = random.between(0.245, 0.275);
    face.lightX = random.chance(0.5) ? -0.55 : 0.55;
    face.skin = mix(Rgb{0.36, 0.22, 0.15}, Rgb{0.98, 0.82, 0.7}, random.uniform());
    const std::array<Rgb, 6> hairs{Rgb{0.07, 0.05, 0.05}, Rgb{0.2, 0.11, 0.06},
                                   Rgb{0.42, 0.24, 0.1},  Rgb{0.72, 0.52, 0.24},
                                   Rgb{0.55, 0.2, 0.08},  Rgb{0.62, 0.6, 0.58}};
    face.hair = hairs[static_cast<std::size_t>(random.below(6))];
    face.iris = randomColour(random, {0.05, 0.62}, {0.35, 0.75}, {0.35, 0.7});
    face.cloth = randomColour(random, {0.0, 1.0}, {0.3, 0.8}, {0.3, 0.8});
    face.longHair = random.chance(0.5);
    face.glasses = random.chance(0.3);
    face.beard = !face.longHair && random.chance(0.45);
    return face;
}

// Skin under the light, at a point of a ball; shadows turn warm, as light scatters under the skin.
Rgb lit(const Face& face, double u, double v, double grain)
{
    const double depth = std::sqrt(std::max(0.0, 1.0 - unit(u * u + v * v)));
    const double lambert = std::max(0.0, 0.8 * (u * face.lightX - v * 0.45 + depth * 0.75));
    const double light = 0.42 + 0.72 * lambert + grain;
    const Rgb shadow{face.skin.r * 0.95, face.skin.g * 0.82, face.skin.b * 0.78};
    return mix(shadow, face.skin, unit(light)) * light;
}

void drawBackground(Canvas& canvas, Random& random)
{
    const Palette palette = randomPalette(random);
    const Rgb top = mix(palette[0], palette[1], 0.5);
    const Rgb bottom = mix(palette[3], palette[1], 0.4);
    canvas.fill(
        [&](Point p) { return mix(top, bottom, smooth(0.0, 1.1, p.y + 0.3 * p.x)) * 0.85; });
    for (int i = 0; i < 22; ++i) {
        const Point centre{random.uniform(), random.uniform()};
        const double radius = random.between(0.02, 0.08);
        const Rgb colour = mix(sample(palette, random.uniform()), grey(1.0), 0.3);
        const double alpha = random.between(0.08, 0.3);
        canvas.paint(centre, radius * 1.2, radius * 1.2, [&](Point p) {
            const double d = length(p - centre) / radius;
            return Paint{colour, alpha * (1.0 - smooth(0.85, 1.1, d)) * (0.6 + 0.4 * d * d)};
        });
    }
}

void drawBody(Canvas& canvas, Random& random, const Face& face)
{
    const double stripes = random.between(18.0, 60.0);
    const int pattern = random.below(3);
    const Noise noise(random.next());
    canvas.ellipse({face.centre.x, 1.07}, 0.46, 0.29, 0.0, [&](double u, double v) {
        const double light = 0.55 + 0.45 * std::sqrt(std::max(0.0, 1.0 - unit(u * u + v * v)));
        double tone = 0.12 * noise.fractal({u * 40.0, v * 40.0}, 2);
        if (pattern == 1)
            tone += 0.25 * smooth(-0.2, 0.2, sine(v * stripes * 0.3));
        if (pattern == 2)
            tone += 0.15 * sine(u * stripes + 0.5 * sine(v * stripes)) * sine(v * stripes);
        return face.cloth * (light + tone + 0.2 * u * face.lightX);
    });
    const Point neckTop{face.centre.x, face.centre.y + face.height * 0.7};
    const Point neckEnd{face.centre.x, face.centre.y + face.height + 0.13};
    canvas.paint((neckTop + neckEnd) * 0.5, 0.13, 0.25, [&](Point p) {
        const double d = distanceToSegment(p, neckTop, neckEnd) - 0.082;
        const double u = (p.x - face.centre.x) / 0.09;
        const double chin = 1.0 - 0.45 * smooth(0.14, 0.0, p.y - neckTop.y - 0.04);
        return Paint{lit(face, u, 0.3, 0.0) * chin, canvas.coverage(d)};
    });
}

void drawHead(Canvas& canvas, Random& random, const Face& face)
{
    const Noise noise(random.next());
    for (const double side : {-1.0, 1.0})
        canvas.ellipse({face.centre.x + side * face.width * 0.98, face.centre.y + 0.02}, 0.026,
                       0.05, 0.02 * side, [&](double u, double v) {
                           return lit(face, side * 0.6 + 0.3 * u, v * 0.5, -0.06);
                       });
    const double reach = face.height * 1.1;
    canvas.paint(face.centre, reach, reach, [&](Point p) {
        const double v = (p.y - face.centre.y) / face.height;
        const double narrow = face.width * (1.0 - 0.2 * std::max(0.0, v) * std::max(0.0, v));
        const double u = (p.x - face.centre.x) / narrow;
        const double d = (length({u, v}) - 1.0) * face.width;
        const double pores = 0.035 * noise.fractal(p * 90.0, 3);
        return Paint{lit(face, u, v, pores), canvas.coverage(d)};
    });
    const Rgb blush{face.skin.r, face.skin.g * 0.62, face.skin.b * 0.58};
    for (const double side : {-1.0, 1.0})
        canvas.glow({face.centre.x + side * 0.09, face.centre.y + 0.075}, 0.07, 0.05, blush, 0.4);
    canvas.glow({face.centre.x + face.lightX * 0.1, face.centre.y - face.height * 0.5}, 0.1, 0.07,
                mix(face.skin, grey(1.0), 0.7), 0.4);
}

void drawEye(Canvas& canvas, Random& random, const Face& face, Point at, double side)
{
    const Rgb lid = face.skin * 0.45;
    canvas.glow({at.x, at.y - 0.004}, 0.062, 0.042, lid, 0.55);
    canvas.ellipse(at, 0.034, 0.0165, 0.015 * side,
                   [](double, double v) { return grey(0.93 + 0.05 * v); });
    canvas.ellipse(at, 0.0165, 0.0165, 0.0, [&](double u, double v) {
        const double ray = 0.12 * sine(9.0 * angleOf(u, v));
        const double r = length({u, v});
        return r < 0.42 ? grey(0.03) : face.iris * (0.65 + 0.5 * r * (1.0 - 0.6 * r * r) + ray);
    });
    canvas.ellipse({at.x + face.lightX * 0.009, at.y - 0.006}, 0.0042, 0.0042, 0.0,
                   [](double, double) { return grey(1.0); });
    canvas.curve({at.x - 0.037, at.y + 0.004}, {at.x, at.y - 0.034}, {at.x + 0.037, at.y + 0.004},
                 0.008, face.hair * 0.4, 0.95, 8);
    for (int i = 0; i < 46; ++i) {
        const double t = i / 45.0;
        const Point root{at.x + side * lerp(-0.038, 0.046, t),
                         at.y - 0.043 - 0.016 * sine(t * 0.5) + random.between(-0.004, 0.004)};
        canvas.curve(root, root + Point{side * 0.008, -0.008}, root + Point{side * 0.018, -0.003},
                     0.0035, face.hair * random.between(0.5, 1.0), 0.85, 3);
    }
    if (face.glasses) {
        canvas.paint(at, 0.075, 0.075, [&](Point p) {
            const double d = std::abs(distanceToBox(p - at, 0.03, 0.018) - 0.03) - 0.0045;
            return Paint{Rgb{0.1, 0.08, 0.08}, canvas.coverage(d)};
        });
    }
}

void drawFeatures(Canvas& canvas, Random& random, const Face& face)
{
    const Point c = face.centre;
    for (const double side : {-1.0, 1.0})
        drawEye(canvas, random, face, {c.x + side * 0.078, c.y - 0.012}, side);
    if (face.glasses)
        canvas.segment({c.x - 0.022, c.y - 0.014}, {c.x + 0.022, c.y - 0.014}, 0.007,
                       {0.1, 0.08, 0.08});
    const Rgb shade = face.skin * 0.55;
    const double dark = face.lightX > 0.0 ? -1.0 : 1.0;
    canvas.curve({c.x + dark * 0.02, c.y}, {c.x + dark * 0.028, c.y + 0.05},
                 {c.x + dark * 0.038, c.y + 0.088}, 0.02, shade, 0.28, 10);
    canvas.glow({c.x - dark * 0.004, c.y + 0.05}, 0.018, 0.055, mix(face.skin, grey(1.0), 0.6),
                0.5);
    canvas.glow({c.x, c.y + 0.105}, 0.05, 0.022, shade, 0.6);
    for (const double side : {-1.0, 1.0})
        canvas.glow({c.x + side * 0.017, c.y + 0.097}, 0.014, 0.008, face.skin * 0.2, 1.0);
    const double mouth = c.y + random.between(0.145, 0.155);
    const double smile = random.between(-0.004, 0.014);
    const Rgb lip{unit(face.skin.r * 0.86), face.skin.g * 0.5, face.skin.b * 0.5};
    canvas.curve({c.x - 0.06, mouth - smile}, {c.x - 0.012, mouth - 0.02},
                 {c.x + 0.06, mouth - smile}, 0.018, lip * 0.85, 0.8, 14);
    canvas.curve({c.x + 0.058, mouth - smile}, {c.x, mouth + 0.03}, {c.x - 0.058, mouth - smile},
                 0.02, lip, 0.8, 14);
    canvas.curve({c.x - 0.062, mouth - smile}, {c.x, mouth + 0.008 + smile},
                 {c.x + 0.062, mouth - smile}, 0.007, lip * 0.35, 0.9, 14);
    canvas.glow({c.x, mouth + 0.045}, 0.05, 0.016, shade, 0.4);
}

void drawBeard(Canvas& canvas, Random& random, const Face& face)
{
    for (int i = 0; i < 1500; ++i) {
        const double angle = random.between(-0.02, 0.52);
        const double depth = random.between(0.72, 1.03);
        const Point root{face.centre.x + cosine(angle) * face.width * depth,
                         face.centre.y + 0.03 + sine(angle) * (face.height - 0.03) * depth};
        if (std::abs(root.x - face.centre.x) < 0.075 && root.y < face.centre.y + 0.185)
            continue;  // leaves the mouth free
        const Point tip = root + Point{random.between(-0.012, 0.012), random.between(0.012, 0.035)};
        canvas.curve(root, (root + tip) * 0.5 + Point{0.004, 0.0}, tip, 0.0035,
                     face.hair * random.between(0.5, 1.35), 0.75, 3);
    }
}

// Strands from a parting over the skull and down; `back` paints what lies behind the head.
void drawHair(Canvas& canvas, Random& random, const Face& face, bool back)
{
    const Point c = face.centre;
    if (back) {
        const double drop = face.longHair ? 0.24 : 0.0;
        canvas.ellipse(
            {c.x, c.y - 0.012 + drop * 0.5}, face.width * 1.13, face.height * 1.0 + drop * 0.55,
            0.0, [&](double u, double) { return face.hair * (0.55 + 0.25 * u * face.lightX); });
    }
    const double parting = c.x + (face.lightX > 0.0 ? 0.05 : -0.05);
    const int strands = back ? 500 : 1300;
    for (int i = 0; i < strands; ++i) {
        const double side = random.chance(0.5) ? -1.0 : 1.0;
        const double spread = random.uniform();
        const Point root{parting + random.between(-0.02, 0.02),
                         c.y - face.height * random.between(0.9, 1.06)};
        const double fall =
            back && face.longHair ? random.between(0.35, 0.62) : random.between(0.02, 0.2);
        const Point bend{c.x + side * face.width * lerp(0.6, 1.5, spread),
                         c.y - face.height * lerp(0.95, 1.12, random.uniform())};
        const Point tip{c.x + side * face.width * lerp(0.92, 1.2, spread) +
                            random.between(-0.015, 0.015),
                        c.y - face.height * 0.55 + fall * lerp(0.5, 1.0, spread)};
        const double gloss = random.uniform();
        const Rgb colour = face.hair * lerp(0.5, 1.3, gloss) + grey(0.12 * gloss * gloss * gloss);
        canvas.curve(root, bend, tip, 0.006, colour, 0.8, 12);
    }
}

}  // namespace

void drawPortrait(Canvas& canvas, Random& random)
{
    const Face face = randomFace(random);
    drawBackground(canvas, random);
    drawHair(canvas, random, face, true);
    drawBody(canvas, random, face);
    drawHead(canvas, random, face);
    drawFeatures(canvas, random, face);
    if (face.beard)
        drawBeard(canvas, random, face);
    drawHair(canvas, random, face, false);
}

}  // namespace qs::core::scenes
