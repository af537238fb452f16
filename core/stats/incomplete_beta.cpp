#include "core/stats/incomplete_beta.h"

#include "core/base/checks.h"

#include <cmath>

namespace qs::core {

namespace {

constexpr double kTiny = 1e-300;  // keeps Lentz's method away from divisions by zero
constexpr double kPrecision = 1e-15;
constexpr int kMaximumTerms = 100'000;

double awayFromZero(double value)
{
    return std::abs(value) < kTiny ? kTiny : value;
}

// The continued fraction; converges quickly for x < (a + 1) / (a + b + 2).
double continuedFraction(double a, double b, double x)
{
    double numerator = 1.0;
    double denominator = 1.0 / awayFromZero(1.0 - (a + b) * x / (a + 1.0));
    double fraction = denominator;
    for (int m = 1; m <= kMaximumTerms; ++m) {
        const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        denominator = 1.0 / awayFromZero(1.0 + even * denominator);
        numerator = awayFromZero(1.0 + even / numerator);
        fraction *= numerator * denominator;

        const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        denominator = 1.0 / awayFromZero(1.0 + odd * denominator);
        numerator = awayFromZero(1.0 + odd / numerator);
        const double step = numerator * denominator;
        fraction *= step;
        if (std::abs(step - 1.0) < kPrecision)
            break;
    }
    return fraction;
}

}  // namespace

double regularizedIncompleteBeta(double a, double b, double x)
{
    QS_ASSERT(a > 0.0 && b > 0.0 && x >= 0.0 && x <= 1.0);
    if (x == 0.0 || x == 1.0)
        return x;
    const double logarithm =
        std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
    const double factor = std::exp(logarithm);
    if (x < (a + 1.0) / (a + b + 2.0))
        return factor * continuedFraction(a, b, x) / a;
    return 1.0 - factor * continuedFraction(b, a, 1.0 - x) / b;
}

}  // namespace qs::core
