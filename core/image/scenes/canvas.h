#pragma once

#include "core/image/picture.h"
#include "core/image/scenes/exact_math.h"

#include <stop_token>
#include <utility>
#include <vector>

namespace qs::core::scenes {

struct Point {
    double x = 0.0;
    double y = 0.0;
};

[[nodiscard]] Point operator+(Point a, Point b);
[[nodiscard]] Point operator-(Point a, Point b);
[[nodiscard]] Point operator*(Point a, double factor);
[[nodiscard]] double length(Point a);
// Turned about the origin; positive is clockwise on the screen.
[[nodiscard]] Point turned(Point a, double turns);

// sRGB-encoded, 0..1; drawing may leave that range, the finished picture does not.
struct Rgb {
    double r = 0.0;
    double g = 0.0;
    double b = 0.0;
};

[[nodiscard]] Rgb operator+(Rgb a, Rgb b);
[[nodiscard]] Rgb operator*(Rgb a, double factor);
[[nodiscard]] Rgb mix(Rgb a, Rgb b, double t);
// Hue in turns, saturation and value 0..1.
[[nodiscard]] Rgb hsv(double hue, double saturation, double value);
[[nodiscard]] Rgb grey(double value);

struct Paint {
    Rgb colour;
    double alpha = 1.0;
};

// A square drawing surface. Coordinates run from 0 to 1, right and down. Once a stop is asked for,
// nothing more is drawn: what paints gets through with the rest in no time, and the picture is
// unfinished.
class Canvas final
{
public:
    explicit Canvas(int size, std::stop_token stop = {});

    [[nodiscard]] int size() const { return m_size; }
    [[nodiscard]] const std::stop_token& stop() const { return m_stop; }
    [[nodiscard]] double pixel() const { return 1.0 / m_size; }
    [[nodiscard]] Rgb& at(int x, int y);
    // How much of a pixel lies inside an edge at this signed distance (negative inside).
    [[nodiscard]] double coverage(double distance) const { return unit(0.5 - distance * m_size); }

    // Calls shade(Point) -> Paint for every pixel centre of the box around `centre`, and blends.
    template <typename Shade>
    void paint(Point centre, double reachX, double reachY, const Shade& shade)
    {
        const int left = toPixel(centre.x - reachX);
        const int right = toPixel(centre.x + reachX);
        const int bottom = toPixel(centre.y + reachY);
        for (int y = toPixel(centre.y - reachY); y <= bottom && !m_stop.stop_requested(); ++y) {
            for (int x = left; x <= right; ++x) {
                const Paint paint = shade(centreOf(x, y));
                Rgb& target = at(x, y);
                target = mix(target, paint.colour, unit(paint.alpha));
            }
        }
    }
    // Calls colour(Point) -> Rgb for every pixel centre.
    template <typename Colour>
    void fill(const Colour& colour)
    {
        for (int y = 0; y < m_size && !m_stop.stop_requested(); ++y) {
            for (int x = 0; x < m_size; ++x)
                at(x, y) = colour(centreOf(x, y));
        }
    }

    // An ellipse with a sharp edge; colour(u, v) with u, v in -1..1 across it.
    template <typename Colour>
    void ellipse(Point centre, double radiusX, double radiusY, double turns, const Colour& colour)
    {
        const double reach = std::max(radiusX, radiusY) + pixel();
        paint(centre, reach, reach, [&](Point p) {
            const Point local = turned(p - centre, -turns);
            const Point scaled{local.x / radiusX, local.y / radiusY};
            const double slope = length({scaled.x / radiusX, scaled.y / radiusY});
            const double k = length(scaled);
            const double distance = slope > 0.0 ? k * (k - 1.0) / slope : -1.0;
            return Paint{colour(scaled.x, scaled.y), coverage(distance)};
        });
    }
    // An ellipse that fades from `alpha` in the middle to nothing at its edge.
    void glow(Point centre, double radiusX, double radiusY, Rgb colour, double alpha);
    // A line with round ends.
    void segment(Point from, Point to, double width, Rgb colour, double alpha = 1.0);
    // A quadratic curve in `steps` pieces whose width shrinks towards the end.
    void curve(Point from, Point bend, Point to, double width, Rgb colour, double alpha, int steps);

    // Clamped and rounded to multiples of 1/255.
    [[nodiscard]] Picture picture() const;

private:
    [[nodiscard]] int toPixel(double position) const;
    [[nodiscard]] Point centreOf(int x, int y) const
    {
        return {(x + 0.5) / m_size, (y + 0.5) / m_size};
    }

    int m_size;
    std::stop_token m_stop;
    std::vector<Rgb> m_pixels;
};

// Distance of `p` from the line between two points.
[[nodiscard]] double distanceToSegment(Point p, Point from, Point to);
// Signed distance from a rectangle around the origin.
[[nodiscard]] double distanceToBox(Point p, double halfWidth, double halfHeight);

}  // namespace qs::core::scenes
