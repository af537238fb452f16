#include "core/image/scenes/canvas.h"

namespace qs::core::scenes {

Point operator+(Point a, Point b)
{
    return {a.x + b.x, a.y + b.y};
}

Point operator-(Point a, Point b)
{
    return {a.x - b.x, a.y - b.y};
}

Point operator*(Point a, double factor)
{
    return {a.x * factor, a.y * factor};
}

double length(Point a)
{
    return std::sqrt(a.x * a.x + a.y * a.y);
}

Point turned(Point a, double turns)
{
    const double c = cosine(turns);
    const double s = sine(turns);
    return {c * a.x - s * a.y, s * a.x + c * a.y};
}

Rgb operator+(Rgb a, Rgb b)
{
    return {a.r + b.r, a.g + b.g, a.b + b.b};
}

Rgb operator*(Rgb a, double factor)
{
    return {a.r * factor, a.g * factor, a.b * factor};
}

Rgb mix(Rgb a, Rgb b, double t)
{
    return {lerp(a.r, b.r, t), lerp(a.g, b.g, t), lerp(a.b, b.b, t)};
}

Rgb hsv(double hue, double saturation, double value)
{
    const auto channel = [&](double shift) {
        const double position = hue + shift - std::floor(hue + shift);
        return value * (1.0 - saturation * (1.0 - unit(std::abs(position * 6.0 - 3.0) - 1.0)));
    };
    return {channel(0.0), channel(2.0 / 3.0), channel(1.0 / 3.0)};
}

Rgb grey(double value)
{
    return {value, value, value};
}

Canvas::Canvas(int size, std::stop_token stop)
    : m_size(size),
      m_stop(std::move(stop)),
      m_pixels(static_cast<std::size_t>(size) * static_cast<std::size_t>(size))
{
}

Rgb& Canvas::at(int x, int y)
{
    return m_pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(m_size) +
                    static_cast<std::size_t>(x)];
}

int Canvas::toPixel(double position) const
{
    return static_cast<int>(std::clamp(std::floor(position * m_size), 0.0, m_size - 1.0));
}

void Canvas::glow(Point centre, double radiusX, double radiusY, Rgb colour, double alpha)
{
    paint(centre, radiusX, radiusY, [&](Point p) {
        const double u = (p.x - centre.x) / radiusX;
        const double v = (p.y - centre.y) / radiusY;
        const double fall = std::max(0.0, 1.0 - u * u - v * v);
        return Paint{colour, alpha * fall * fall};
    });
}

void Canvas::segment(Point from, Point to, double width, Rgb colour, double alpha)
{
    const double reach = width / 2.0 + pixel();
    const Point middle = (from + to) * 0.5;
    // Lines thinner than a pixel fade instead of breaking up.
    const double drawn = std::max(width, pixel());
    const double strength = alpha * width / drawn;
    paint(middle, std::abs(to.x - from.x) / 2.0 + reach, std::abs(to.y - from.y) / 2.0 + reach,
          [&](Point p) {
              const double distance = distanceToSegment(p, from, to) - drawn / 2.0;
              return Paint{colour, strength * coverage(distance)};
          });
}

void Canvas::curve(Point from, Point bend, Point to, double width, Rgb colour, double alpha,
                   int steps)
{
    Point last = from;
    for (int i = 1; i <= steps; ++i) {
        const double t = static_cast<double>(i) / steps;
        const Point next =
            from * ((1.0 - t) * (1.0 - t)) + bend * (2.0 * t * (1.0 - t)) + to * (t * t);
        segment(last, next, width * (1.0 - 0.7 * t), colour, alpha);
        last = next;
    }
}

Picture Canvas::picture() const
{
    Picture picture = makePicture(m_size, m_size, 3);
    if (m_stop.stop_requested())
        return picture;
    for (std::size_t i = 0; i < m_pixels.size(); ++i) {
        const Rgb& pixel = m_pixels[i];
        std::size_t channel = 3 * i;
        for (const double value : {pixel.r, pixel.g, pixel.b})
            picture.values[channel++] =
                static_cast<float>(std::floor(unit(value) * 255.0 + 0.5)) / 255.0F;
    }
    return picture;
}

double distanceToSegment(Point p, Point from, Point to)
{
    const Point along = to - from;
    const Point offset = p - from;
    const double squared = along.x * along.x + along.y * along.y;
    const double t =
        squared > 0.0 ? unit((offset.x * along.x + offset.y * along.y) / squared) : 0.0;
    return length(offset - along * t);
}

double distanceToBox(Point p, double halfWidth, double halfHeight)
{
    const double dx = std::abs(p.x) - halfWidth;
    const double dy = std::abs(p.y) - halfHeight;
    return length({std::max(dx, 0.0), std::max(dy, 0.0)}) + std::min(std::max(dx, dy), 0.0);
}

}  // namespace qs::core::scenes
