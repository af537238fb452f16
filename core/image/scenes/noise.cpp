#include "core/image/scenes/noise.h"

namespace qs::core::scenes {

double Noise::corner(double latticeX, double latticeY, Point p) const
{
    const auto column = static_cast<std::uint64_t>(static_cast<std::int64_t>(latticeX));
    const auto row = static_cast<std::uint64_t>(static_cast<std::int64_t>(latticeY));
    const std::uint64_t hash =
        scramble(m_seed ^ (column * 0x9E3779B97F4A7C15ULL) ^ (row * 0xC2B2AE3D27D4EB4FULL));
    // Two 32-bit halves, each -1..1.
    const double gradientX = static_cast<double>(hash & 0xFFFFFFFFU) * 0x1p-31 - 1.0;
    const double gradientY = static_cast<double>(hash >> 32U) * 0x1p-31 - 1.0;
    return gradientX * (p.x - latticeX) + gradientY * (p.y - latticeY);
}

double Noise::at(Point p) const
{
    const double x = std::floor(p.x);
    const double y = std::floor(p.y);
    const auto fade = [](double t) { return t * t * t * (t * (t * 6.0 - 15.0) + 10.0); };
    const double u = fade(p.x - x);
    const double v = fade(p.y - y);
    const double top = lerp(corner(x, y, p), corner(x + 1.0, y, p), u);
    const double bottom = lerp(corner(x, y + 1.0, p), corner(x + 1.0, y + 1.0, p), u);
    return 1.3 * lerp(top, bottom, v);
}

double Noise::fractal(Point p, int octaves) const
{
    double sum = 0.0;
    double strength = 1.0;
    for (int i = 0; i < octaves; ++i) {
        sum += strength * at(p);
        strength *= 0.5;
        p = turned(p, 0.1) * 2.0 + Point{17.3, 9.1};  // turned, so that the lattices do not line up
    }
    return sum;
}

double Noise::ridged(Point p, int octaves) const
{
    double sum = 0.0;
    double strength = 0.5;
    for (int i = 0; i < octaves; ++i) {
        const double crease = 1.0 - std::min(1.0, 2.0 * std::abs(at(p)));
        sum += strength * crease * crease;
        strength *= 0.5;
        p = turned(p, 0.1) * 2.0 + Point{17.3, 9.1};
    }
    return sum;
}

}  // namespace qs::core::scenes
