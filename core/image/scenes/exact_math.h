#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

// Arithmetic for the generated pictures. The sin, cos, exp and pow of different C libraries differ
// in the last bit; everything here is built from operations that IEEE 754 rounds exactly (+ - * /
// sqrt floor).
namespace qs::core::scenes {

inline constexpr double kTurn = 6.283185307179586;

[[nodiscard]] inline double lerp(double a, double b, double t)
{
    return a + (b - a) * t;
}

[[nodiscard]] inline double unit(double value)
{
    return std::clamp(value, 0.0, 1.0);
}

// 0 below `low`, 1 above `high`, smooth between.
[[nodiscard]] inline double smooth(double low, double high, double value)
{
    const double t = unit((value - low) / (high - low));
    return t * t * (3.0 - 2.0 * t);
}

// Sine of an angle in turns; Taylor series on a quarter turn, error below 4e-6.
[[nodiscard]] inline double sine(double turns)
{
    double t = turns - std::floor(turns + 0.5);
    if (t > 0.25)
        t = 0.5 - t;
    else if (t < -0.25)
        t = -0.5 - t;
    const double x = kTurn * t;
    const double s = x * x;
    return x * (1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0))));
}

[[nodiscard]] inline double cosine(double turns)
{
    return sine(turns + 0.25);
}

// Angle of (x, y) in turns, -0.5..0.5; error below 0.0007 turns, which no drawing shows.
[[nodiscard]] inline double angleOf(double x, double y)
{
    const double ax = std::abs(x);
    const double ay = std::abs(y);
    if (ax + ay == 0.0)
        return 0.0;
    const double z = std::min(ax, ay) / std::max(ax, ay);
    double turns = z * (0.125 + 0.0434 * (1.0 - z));
    turns = ay > ax ? 0.25 - turns : turns;
    turns = x < 0.0 ? 0.5 - turns : turns;
    return y < 0.0 ? -turns : turns;
}

// Scrambles all bits (the finaliser of splitmix64).
[[nodiscard]] inline std::uint64_t scramble(std::uint64_t value)
{
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31U);
}

// splitmix64: the same numbers on every machine, unlike the distributions of <random>.
class Random final
{
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    [[nodiscard]] std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15ULL;
        return scramble(m_state);
    }
    // 0 <= value < 1
    [[nodiscard]] double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
    [[nodiscard]] double between(double low, double high) { return lerp(low, high, uniform()); }
    // 0 … count - 1
    [[nodiscard]] int below(int count)
    {
        return static_cast<int>(next() % static_cast<std::uint64_t>(count));
    }
    [[nodiscard]] bool chance(double probability) { return uniform() < probability; }

private:
    std::uint64_t m_state;
};

}  // namespace qs::core::scenes
