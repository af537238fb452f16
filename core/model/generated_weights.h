#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace qs::core {

// Note [Generated weights]
// A counter-based generator: element i of a tensor depends on (seed, name, i) alone, so any slice
// can be made anywhere in any order, and a model of five billion parameters needs neither a file
// nor host memory.
//   h = mix(key + (i + 1) · 0x9e3779b97f4a7c15)      mix = the finaliser of splitmix64, key from
//   seed and name s = sum of the four 16-bit lanes of h, minus its mean 131070 value = s · factor,
//   factor = scale / sqrt(4 · (65536² - 1) / 12)
// The sum of four uniform lanes is close to normal (kurtosis 2.7, never beyond 3.5 deviations). s
// is an integer below 2^18, exact in float32, and there is one rounding: so the CPU and a GPU give
// the same bits.
[[nodiscard]] std::uint64_t generatorKey(std::int64_t seed, std::string_view name);
[[nodiscard]] float generatorFactor(double scale);

// The hash of element `index`, which everything is made from.
[[nodiscard]] std::uint64_t generatorHash(std::uint64_t key, std::uint64_t index);

// Elements first … first + out.size() - 1 of the tensor.
void generate(std::uint64_t key, float factor, std::uint64_t first, std::span<float> out);

// Constants of the mixing function, shared with the composition that runs on a device.
inline constexpr std::uint64_t kGeneratorStep = 0x9e3779b97f4a7c15U;
inline constexpr std::uint64_t kGeneratorMix1 = 0xbf58476d1ce4e5b9U;
inline constexpr std::uint64_t kGeneratorMix2 = 0x94d049bb133111ebU;
inline constexpr std::int64_t kGeneratorMean = 131070;

}  // namespace qs::core
