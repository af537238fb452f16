#include "core/measure/nanoseconds.h"

#include <cmath>

namespace qs::core {

double wholeNanoseconds(double seconds)
{
    constexpr double kPerSecond = 1e9;
    // Divided, not multiplied by 1e-9: the quotient is the double nearest to the decimal number.
    return std::round(seconds * kPerSecond) / kPerSecond;
}

std::vector<double> wholeNanoseconds(std::vector<double> seconds)
{
    for (double& each : seconds)
        each = wholeNanoseconds(each);
    return seconds;
}

}  // namespace qs::core
