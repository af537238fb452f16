#pragma once

namespace qs::core {

// Derivatives of ln Γ, the first, second and fourth; x > 0. Carried up by their recurrences to
// where the asymptotic series (DLMF 5.11.2, 5.15.8) reach the precision of a double.
[[nodiscard]] double digamma(double x);
[[nodiscard]] double trigamma(double x);
[[nodiscard]] double pentagamma(double x);

// The x with trigamma(x) = value > 0, by Newton's method on 1 / trigamma, which is nearly straight
// (Smyth 2004, appendix).
[[nodiscard]] double inverseTrigamma(double value);

}  // namespace qs::core
