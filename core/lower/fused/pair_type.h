#pragma once

#include "core/lower/fused/matrix_product.h"

#include <string>

namespace qs::core {

// Numbers of 16 bits, twice in a word. Under the exponent of `base`, whose last digit is worth one,
// a code of few bits is that number and the code.
struct PairType {
    int digits;  // behind the leading one
    int bias;    // of exponents

    [[nodiscard]] double base() const;
    // C text: a number that the type has, both times.
    [[nodiscard]] std::string both(double number) const;
};

[[nodiscard]] PairType pairTypeOf(ProductType type);

}  // namespace qs::core
