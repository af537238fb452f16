#pragma once

namespace qs::core {

// I_x(a, b), the cumulative beta distribution: continued fraction (DLMF 8.17.22) by Lentz's method,
// relative error about 1e-14 for the arguments of this program. a, b > 0; x from 0 to 1.
[[nodiscard]] double regularizedIncompleteBeta(double a, double b, double x);

}  // namespace qs::core
