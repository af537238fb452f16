#include "tests/support/test_picture.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace qs::tests {

core::Picture testPicture(std::uint32_t seed, int size)
{
    core::Picture picture = core::makePicture(size, size, 3);
    std::minstd_rand random(seed);
    const auto number = [&random] { return static_cast<double>(random() % 10000) / 10000.0; };
    const double turn = 3.0 * number();
    const double waves = 20.0 + 60.0 * number();
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            const double u = (x * std::cos(turn) + y * std::sin(turn)) / size;
            const double v = (y * std::cos(turn) - x * std::sin(turn)) / size;
            const double edge = u > 0.3 ? 0.2 : -0.2;
            for (int channel = 0; channel < 3; ++channel) {
                const double wave = 0.25 * std::sin(waves * u * (1.0 + v) + channel);
                const double value = 0.5 + edge + wave + 0.2 * (number() - 0.5);
                picture.at(x, y, channel) =
                    static_cast<float>(std::lround(255.0 * std::clamp(value, 0.0, 1.0))) / 255.0F;
            }
        }
    }
    return picture;
}

}  // namespace qs::tests
