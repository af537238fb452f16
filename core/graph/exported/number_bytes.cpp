#include "core/graph/exported/number_bytes.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace qs::core {

namespace {

// A floating type of at most 32 bits.
struct FloatFormat {
    int exponentBits;
    int mantissaBits;
    // Whether the highest exponent holds infinity; float8_e4m3fn has NaN alone.
    bool infinity;
};

std::uint64_t floatBits(double number, const FloatFormat& format)
{
    const std::uint64_t sign = std::signbit(number) ? 1U : 0U;
    const std::uint64_t signBit = sign << (format.exponentBits + format.mantissaBits);
    const std::uint64_t highest = (std::uint64_t{1} << format.exponentBits) - 1;
    const std::uint64_t infinite = highest << format.mantissaBits;
    const std::uint64_t ones = (std::uint64_t{1} << format.mantissaBits) - 1;
    const std::uint64_t notANumber =
        format.infinity ? infinite | (std::uint64_t{1} << (format.mantissaBits - 1))
                        : infinite | ones;
    if (std::isnan(number))
        return notANumber;
    if (number == 0.0)
        return signBit;
    const int bias = (1 << (format.exponentBits - 1)) - 1;
    int exponent = 0;
    static_cast<void>(std::frexp(number, &exponent));
    // Steps of the last bit where the number lies; those of the smallest normal numbers below it.
    const int step = std::max(exponent - 1, 1 - bias) - format.mantissaBits;
    const double steps = std::isinf(number) ? number : std::nearbyint(std::ldexp(number, -step));
    // Counted in steps, bit patterns of positive numbers are consecutive whole numbers.
    const double pattern =
        std::abs(steps) +
        std::ldexp(static_cast<double>(step + format.mantissaBits + bias - 1), format.mantissaBits);
    const auto limit = static_cast<double>(format.infinity ? infinite : infinite | ones);
    if (std::isinf(number) || pattern >= limit)
        return signBit | (format.infinity ? infinite : notANumber);
    return signBit | static_cast<std::uint64_t>(pattern);
}

std::uint64_t bitsOf(DType dtype, double number)
{
    switch (dtype) {
    case DType::Float64:
        return std::bit_cast<std::uint64_t>(number);
    case DType::Float32:
        return floatBits(number, {8, 23, true});
    case DType::Float16:
        return floatBits(number, {5, 10, true});
    case DType::BFloat16:
        return floatBits(number, {8, 7, true});
    case DType::Float8E4M3:
        return floatBits(number, {4, 3, false});
    case DType::Bool:
        return number != 0.0 ? 1 : 0;
    case DType::Int8:
    case DType::UInt8:
    case DType::Int32:
    case DType::Int64:
        break;
    }
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
}

}  // namespace

std::string numberBytes(DType dtype, std::span<const double> numbers)
{
    const std::int64_t width = byteSize(dtype);
    std::string bytes;
    bytes.reserve(numbers.size() * static_cast<std::size_t>(width));
    for (const double number : numbers) {
        const std::uint64_t bits = bitsOf(dtype, number);
        for (std::int64_t i = 0; i < width; ++i)
            bytes += static_cast<char>((bits >> (8 * i)) & 0xffU);
    }
    return bytes;
}

}  // namespace qs::core
