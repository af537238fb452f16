#include "core/stats/polygamma.h"

#include "core/base/checks.h"

#include <cmath>

namespace qs::core {

namespace {

constexpr double kFarEnough = 20.0;

}  // namespace

double digamma(double x)
{
    QS_ASSERT(x > 0.0);
    double below = 0.0;
    for (; x < kFarEnough; x += 1.0)
        below += 1.0 / x;
    const double square = 1.0 / (x * x);
    const double series =
        square * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square / 240.0)));
    return std::log(x) - 0.5 / x - series - below;
}

double trigamma(double x)
{
    QS_ASSERT(x > 0.0);
    double below = 0.0;
    for (; x < kFarEnough; x += 1.0)
        below += 1.0 / (x * x);
    const double square = 1.0 / (x * x);
    const double series =
        square * (1.0 / 6.0 -
                  square * (1.0 / 30.0 -
                            square * (1.0 / 42.0 - square * (1.0 / 30.0 - square * 5.0 / 66.0))));
    return 1.0 / x + 0.5 * square + series / x + below;
}

double pentagamma(double x)
{
    QS_ASSERT(x > 0.0);
    double below = 0.0;
    for (; x < kFarEnough; x += 1.0)
        below += 6.0 / (x * x * x * x);
    // The second derivative of the series of trigamma, term by term.
    const double inverse = 1.0 / x;
    const double square = inverse * inverse;
    const double series =
        square * (2.0 - square * (1.0 - square * (4.0 / 3.0 - square * (3.0 - square * 10.0))));
    return square * inverse * (2.0 + 3.0 * inverse + series) + below;
}

double inverseTrigamma(double value)
{
    QS_ASSERT(value > 0.0);
    // Where the next term of either series is lost in rounding.
    if (value > 1e7)
        return 1.0 / std::sqrt(value);
    if (value < 1e-6)
        return 1.0 / value;
    double x = 0.5 + 1.0 / value;
    for (int step = 0; step < 50; ++step) {
        // The derivative of trigamma is not needed to more digits than make it converge.
        const double width = 1e-5 * x;
        const double derivative = (trigamma(x + width) - trigamma(x - width)) / (2.0 * width);
        const double now = trigamma(x);
        const double change = now * (1.0 - now / value) / derivative;
        x += change;
        if (-change / x < 1e-10)
            break;
    }
    return x;
}

}  // namespace qs::core
