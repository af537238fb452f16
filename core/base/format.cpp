#include "core/base/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace qs::core {

namespace {

struct Scale {
    double factor;
    std::string_view unit;
};

template <std::size_t N>
std::string scaled(double value, const std::array<Scale, N>& scales)
{
    for (const Scale& scale : scales) {
        if (std::abs(value) >= scale.factor)
            return formatSignificant(value / scale.factor, 4) + " " + std::string(scale.unit);
    }
    return formatSignificant(value, 4) + " " + std::string(scales.back().unit);
}

}  // namespace

std::string formatExact(double value)
{
    return fmt::format("{}", value);
}

std::string formatSignificant(double value, int digits)
{
    if (!std::isfinite(value))
        return fmt::format("{}", value);
    if (value == 0.0)
        return "0";
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (magnitude < -5 || magnitude > 14)
        return fmt::format("{:.{}e}", value, digits - 1);
    if (magnitude < digits)
        return fmt::format("{:.{}f}", value, digits - 1 - magnitude);
    // Large numbers keep only `digits` significant figures as well: 123456 at 3 digits is 123000.
    const double step = std::pow(10.0, magnitude - digits + 1);
    return fmt::format("{:.0f}", std::round(value / step) * step);
}

std::string formatBytes(double bytes)
{
    static constexpr std::array<Scale, 5> kScales{{{1099511627776.0, "TiB"},
                                                   {1073741824.0, "GiB"},
                                                   {1048576.0, "MiB"},
                                                   {1024.0, "KiB"},
                                                   {1.0, "B"}}};
    return scaled(bytes, kScales);
}

std::string formatSeconds(double seconds, int digits)
{
    if (!std::isfinite(seconds))
        return fmt::format("{} s", seconds);
    if (seconds >= 3600.0) {
        const auto minutes = static_cast<std::int64_t>(std::llround(seconds / 60.0));
        return fmt::format("{} h {:02d} min", minutes / 60, minutes % 60);
    }
    if (seconds >= 60.0) {
        const auto whole = static_cast<std::int64_t>(std::llround(seconds));
        return fmt::format("{} min {:02d} s", whole / 60, whole % 60);
    }
    static constexpr std::array<Scale, 4> kScales{
        {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
    if (seconds == 0.0)
        return "0 s";
    for (const Scale& scale : kScales) {
        if (std::abs(seconds) >= scale.factor)
            return formatSignificant(seconds / scale.factor, digits) + " " +
                   std::string(scale.unit);
    }
    return formatSignificant(seconds * 1e9, digits) + " ns";
}

std::string formatCount(double count)
{
    static constexpr std::array<Scale, 3> kScales{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
    if (std::abs(count) < 1e3)
        return formatSignificant(count, 4);
    return scaled(count, kScales);
}

std::string formatFlops(double flops)
{
    static constexpr std::array<Scale, 5> kScales{
        {{1e15, "PFLOP"}, {1e12, "TFLOP"}, {1e9, "GFLOP"}, {1e6, "MFLOP"}, {1.0, "FLOP"}}};
    return scaled(flops, kScales);
}

std::string formatGrouped(std::int64_t value)
{
    const std::string digits = fmt::format("{}", value);
    const std::size_t sign = value < 0 ? 1 : 0;
    std::string text = digits.substr(0, sign);
    for (std::size_t i = sign; i < digits.size(); ++i) {
        if (i > sign && (digits.size() - i) % 3 == 0)
            text += ',';
        text += digits[i];
    }
    return text;
}

}  // namespace qs::core
