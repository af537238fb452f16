#include "core/lower/fused/pair_type.h"

#include <fmt/format.h>

#include <cmath>

namespace qs::core {

namespace {

constexpr PairType kBFloat16{7, 127};
constexpr PairType kFloat16{10, 15};

}  // namespace

double PairType::base() const
{
    return std::ldexp(1.0, digits);
}

std::string PairType::both(double number) const
{
    int exponent = 0;
    const double mantissa = std::frexp(std::abs(number), &exponent);
    const auto rest = static_cast<unsigned>(std::ldexp(mantissa, digits + 1));
    const unsigned leading = 1U << unsigned(digits);
    const unsigned size = number == 0.0 ? 0U
                                        : (unsigned(exponent - 1 + bias) << unsigned(digits)) +
                                              (rest & (leading - 1));
    return fmt::format("{:#010x}u", (size | (std::signbit(number) ? 0x8000U : 0U)) * 0x10001U);
}

PairType pairTypeOf(ProductType type)
{
    return type == ProductType::BFloat16 ? kBFloat16 : kFloat16;
}

}  // namespace qs::core
