#include "core/measure/nanoseconds.h"

#include <cmath>

namespace qs::core {

namespace {

// Divided, not multiplied by the inverse: the quotient is the double nearest to the decimal number.
double whole(double seconds, double perSecond)
{
    return std::round(seconds * perSecond) / perSecond;
}

}  // namespace

double wholeNanoseconds(double seconds)
{
    return whole(seconds, 1e9);
}

double wholeMicroseconds(double seconds)
{
    return whole(seconds, 1e6);
}

std::vector<double> wholeNanoseconds(std::vector<double> seconds)
{
    for (double& each : seconds)
        each = wholeNanoseconds(each);
    return seconds;
}

}  // namespace qs::core
