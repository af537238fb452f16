#pragma once

#include <cstdint>
#include <string>

// Numbers as text for logs, command line and files: always in the C locale, always with a unit.
namespace qs::core {

// Shortest text that reads back to the same double; "nan", "inf", "-inf" for the rest.
[[nodiscard]] std::string formatExact(double value);
// `digits` significant digits without exponent for everyday magnitudes: 0.0123, 12.3, 1230.
[[nodiscard]] std::string formatSignificant(double value, int digits);
// 1536 -> "1.50 KiB"
[[nodiscard]] std::string formatBytes(double bytes);
// 0.00153 -> "1.53 ms", 75 -> "1 min 15 s", 4000 -> "1 h 07 min"; `digits` below a minute
[[nodiscard]] std::string formatSeconds(double seconds, int digits = 3);
// 354548032 -> "354.5 M"
[[nodiscard]] std::string formatCount(double count);
// 27.3e9 -> "27.3 GFLOP"
[[nodiscard]] std::string formatFlops(double flops);
// 354548032 -> "354,548,032"
[[nodiscard]] std::string formatGrouped(std::int64_t value);

}  // namespace qs::core
