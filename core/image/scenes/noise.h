#pragma once

#include "core/image/scenes/canvas.h"

#include <cstdint>

namespace qs::core::scenes {

// Gradient noise on the integer lattice, about -0.8..0.8, smooth to the second derivative.
class Noise final
{
public:
    explicit Noise(std::uint64_t seed) : m_seed(scramble(seed)) {}

    [[nodiscard]] double at(Point p) const;
    // Sum of `octaves` copies, each twice as fine and half as strong.
    [[nodiscard]] double fractal(Point p, int octaves) const;
    // As fractal, with the creases of |noise|: ridges, veins. 0..1.
    [[nodiscard]] double ridged(Point p, int octaves) const;

private:
    [[nodiscard]] double corner(double latticeX, double latticeY, Point p) const;

    std::uint64_t m_seed;
};

}  // namespace qs::core::scenes
