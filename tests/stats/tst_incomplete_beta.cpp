#include "core/stats/incomplete_beta.h"

#include <gtest/gtest.h>

#include <cmath>

namespace qs::core {
namespace {

TEST(IncompleteBeta, HasItsClosedForms)
{
    for (const double x : {0.001, 0.1, 0.37, 0.5, 0.9, 0.999}) {
        EXPECT_NEAR(regularizedIncompleteBeta(1.0, 1.0, x), x, 1e-14);
        EXPECT_NEAR(regularizedIncompleteBeta(7.0, 1.0, x), std::pow(x, 7.0), 1e-14);
        EXPECT_NEAR(regularizedIncompleteBeta(1.0, 5.0, x), 1.0 - std::pow(1.0 - x, 5.0), 1e-14);
        // At least two successes in four trials.
        EXPECT_NEAR(regularizedIncompleteBeta(2.0, 3.0, x), x * x * (6.0 - 8.0 * x + 3.0 * x * x),
                    1e-14);
        // The arcsine distribution.
        EXPECT_NEAR(regularizedIncompleteBeta(0.5, 0.5, x), 2.0 / M_PI * std::asin(std::sqrt(x)),
                    1e-13);
    }
}

TEST(IncompleteBeta, IsSymmetric)
{
    for (const double a : {0.5, 3.0, 40.0, 1000.0}) {
        EXPECT_NEAR(regularizedIncompleteBeta(a, a, 0.5), 0.5, 1e-11);
        EXPECT_NEAR(regularizedIncompleteBeta(a, 2.5, 0.3) + regularizedIncompleteBeta(2.5, a, 0.7),
                    1.0, 1e-13);
    }
}

TEST(IncompleteBeta, EndsAtZeroAndOne)
{
    EXPECT_EQ(regularizedIncompleteBeta(2.0, 3.0, 0.0), 0.0);
    EXPECT_EQ(regularizedIncompleteBeta(2.0, 3.0, 1.0), 1.0);
}

TEST(IncompleteBetaDeathTest, RefusesArgumentsOutsideItsDomain)
{
    EXPECT_DEATH(static_cast<void>(regularizedIncompleteBeta(0.0, 1.0, 0.5)), "a > 0.0");
    EXPECT_DEATH(static_cast<void>(regularizedIncompleteBeta(1.0, 1.0, 1.5)), "x <= 1.0");
}

}  // namespace
}  // namespace qs::core
