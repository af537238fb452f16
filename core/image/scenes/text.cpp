#include "core/image/scenes/noise.h"
#include "core/image/scenes/scenes.h"
#include "core/image/scenes/stroke_font.h"

#include <string>

namespace qs::core::scenes {

namespace {

constexpr std::array kWords{
    "SCALE", "TOKEN",  "LAYER",  "ROUND", "ERROR", "PIXEL",  "BATCH",  "NORM",   "QUANT", "RANGE",
    "FIELD", "VECTOR", "SIGNAL", "NOISE", "FLOOR", "MODEL",  "IMAGE",  "KERNEL", "WAVE",  "JUMP",
    "QUICK", "BROWN",  "FOX",    "LAZY",  "DOG",   "SPHINX", "QUARTZ", "VOW",    "OF",    "THE",
    "AND",   "BY",     "TO",     "IN",    "ZERO",  "BIT",    "HAZE",   "VEX",    "JUDGE", "MY"};

std::string randomWord(Random& random)
{
    if (random.chance(0.16)) {
        std::string number = std::to_string(random.below(10000));
        if (random.chance(0.5))
            number.insert(number.size() - 1, ".");
        return number;
    }
    return kWords[static_cast<std::size_t>(random.below(static_cast<int>(kWords.size())))];
}

// Words until the line is `width` wide.
std::string randomLine(Random& random, double height, double width)
{
    std::string line = randomWord(random);
    while (true) {
        const std::string gap = random.chance(0.12) ? ", " : " ";
        const std::string longer = line + gap + randomWord(random);
        if (lineWidth(longer, height) > width)
            return line;
        line = longer;
    }
}

constexpr double kFoot = 0.97;  // where the page ends

struct Ink {
    Rgb body;
    Rgb accent;
};

double drawHeadline(Canvas& canvas, Random& random, const Palette& palette, const Ink& ink,
                    double y)
{
    const double height = random.between(0.075, 0.11);
    const bool banner = random.chance(0.6);
    if (banner) {
        canvas.paint({0.5, y + height * 0.95}, 0.5, height * 0.95, [&](Point p) {
            return Paint{mix(palette[1], palette[2], p.x), 1.0};
        });
    }
    const std::string line = randomLine(random, height, 0.9);
    drawLine(canvas, line, {0.05, y + height * 1.45}, height, random.between(0.12, 0.2),
             banner ? grey(1.0) : ink.accent, 0.0);
    return y + height * 2.2;
}

// Lines of one size in one or two columns, as far as they fit above `end`.
double drawParagraph(Canvas& canvas, Random& random, const Ink& ink, double y, double height,
                     double end)
{
    const int columns = height < 0.035 ? 1 + random.below(2) : 1;
    const int lines = 2 + random.below(height < 0.03 ? 6 : 2);
    const double width = columns == 2 ? 0.43 : 0.9;
    const double slant = random.chance(0.25) ? 0.2 : 0.0;
    const double weight = random.between(0.09, 0.17);
    const int fitting = static_cast<int>((end - y) / (1.65 * height));
    for (int line = 0; line < std::min(lines, fitting); ++line) {
        for (int column = 0; column < columns; ++column) {
            const double part = line == lines - 1 ? width * random.between(0.3, 0.9) : width;
            const Rgb colour = random.chance(0.08) ? ink.accent : ink.body;
            drawLine(canvas, randomLine(random, height, part),
                     {0.05 + 0.47 * column, y + height * (1.0 + 1.65 * line)}, height, weight,
                     colour, slant);
        }
    }
    return y + height * (1.65 * lines + 0.9);
}

// A bar chart with labels, as papers have them.
void drawFigure(Canvas& canvas, Random& random, const Palette& palette, const Ink& ink, double y,
                double height)
{
    const int bars = 6 + random.below(8);
    for (int i = 0; i < bars; ++i) {
        const double tall = height * random.between(0.15, 0.85);
        const double half = 0.33 / bars;
        const Point centre{0.1 + 0.85 * (i + 0.5) / bars, y + height - tall / 2.0 - 0.1 * height};
        const Rgb colour = sample(palette, 0.25 + 0.6 * i / bars);
        canvas.paint(centre, half, tall / 2.0, [&](Point p) {
            const Point local = p - centre;
            return Paint{colour, canvas.coverage(distanceToBox(local, half, tall / 2.0))};
        });
        drawLine(canvas, std::to_string(random.below(100)),
                 {centre.x - 0.012, centre.y - tall / 2.0 - 0.008}, 0.018, 0.13, ink.body, 0.0);
    }
    canvas.segment({0.07, y + height * 0.9}, {0.96, y + height * 0.9}, 0.004, ink.body);
    canvas.segment({0.07, y}, {0.07, y + height * 0.9}, 0.004, ink.body);
}

}  // namespace

void drawText(Canvas& canvas, Random& random)
{
    const Palette palette = randomPalette(random);
    const Noise noise(random.next());
    const bool night = random.chance(0.35);
    const Rgb paper = night ? palette[0] * 0.6 : mix(palette[4], grey(1.0), 0.6);
    const Ink ink{night ? mix(palette[4], grey(1.0), 0.5) : mix(palette[0], grey(0.0), 0.6),
                  night ? palette[2] : palette[1]};
    canvas.fill([&](Point p) {
        return paper * (0.97 + 0.03 * noise.fractal(p * 6.0, 5) - 0.05 * p.x * p.y);
    });
    double y = drawHeadline(canvas, random, palette, ink, 0.03);
    const double figure = random.chance(0.6) ? random.between(0.2, 0.28) : 0.0;
    const std::array<double, 7> heights{0.05, 0.036, 0.028, 0.022, 0.028, 0.017, 0.022};
    for (std::size_t i = 0; y < kFoot - figure; i = (i + 1) % heights.size())
        y = drawParagraph(canvas, random, ink, y, heights[i] * random.between(0.85, 1.15),
                          kFoot - figure);
    if (figure > 0.0) {
        const double top = kFoot - figure;
        canvas.paint({0.5, top + figure / 2.0 + 0.015}, 0.5, figure / 2.0 + 0.015, [&](Point) {
            return Paint{mix(paper, palette[3], 0.12), 1.0};
        });
        drawFigure(canvas, random, palette, ink, top + 0.02, figure - 0.02);
    }
}

}  // namespace qs::core::scenes
