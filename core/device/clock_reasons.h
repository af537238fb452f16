#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qs::core {

// The bits of nvmlClocksEventReasons: why the SM clock is not at its maximum.
inline constexpr std::uint64_t kIdle = 0x1;
// A setting holds the clock: application clocks or, with some drivers, locked ones. A choice of
// somebody, steady, and therefore no slow-down.
inline constexpr std::uint64_t kClocksAreSet = 0x2;
inline constexpr std::uint64_t kPowerCap = 0x4;
inline constexpr std::uint64_t kHardwareSlowdown = 0x8;
inline constexpr std::uint64_t kSoftwareHeat = 0x20;
inline constexpr std::uint64_t kHardwareHeat = 0x40;
inline constexpr std::uint64_t kPowerBrake = 0x80;
inline constexpr std::uint64_t kHeat = kSoftwareHeat | kHardwareHeat;

// What slows a clock down, in words; empty if nothing does. Neither idleness nor a setting does.
[[nodiscard]] std::vector<std::string> slowdownReasons(std::uint64_t clockReasons);

}  // namespace qs::core
