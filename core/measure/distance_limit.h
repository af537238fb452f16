#pragma once

#include <optional>

namespace qs::core {

// Note [Distance limit]
// How far may a compiled stage be from the same operations, in the same schemes, run eagerly on the
// same inputs, as relative L2? As far as rounding explains it; beyond that something else was
// computed, the cell has the status `differs` and no time. What rounding does depends on the model,
// so the yardstick is how far bf16 is from fp32 in it: where the run knows that before the cell
// begins (its fp32 golden run and its quality reference come first), the limit follows from it.
//   Working types alone: kMostTimesBf16 times that distance. Both programs round at other places,
// each about as far from fp32; measured: 0.93 to 0.98 times (ViTok 350M on an H100, RoPE alone on
// an H200).
//   Activations that become codes: rounding moves a value across the border between two codes, and
// then it is off by a whole step. With steps of s (1/8 for e4m3) and noise d that happens to d / s
// of the values, which is sqrt(d / s) * s = sqrt(d * s) in relative L2. The limit is kMostTimesBf16
// times that, or times d where d is the larger. Measured with d = 0.8 %: 1.4 % of int8dq and 2.1 %
// of float8dq-row, allowed 9.5 % (ViTok 350M on an H100).
//   Not below the floors: a single rounding to bf16 is up to 2^-8, and a stage within the model may
// be farther off than the outputs that d is known of. Not above kMostDistance, where outputs have
// little in common.
//   Where d is not known: 5 %, and 15 % with codes. Measured with RoPE alone compiled in eight
// untrained Llama blocks (te-llama:w256_d8_h8_k2_f688_v1024, CPU): 9.4 % of float8-delayed, 8.0 %
// of float8dq-tensor, 1.4 % of bf16.

inline constexpr double kMostTimesBf16 = 3.0;
inline constexpr double kCodeStep = 0.125;
inline constexpr double kLeastLimit = 0.005;
inline constexpr double kLeastLimitOfCodes = 0.05;
inline constexpr double kMostDistance = 0.5;
inline constexpr double kUnknownLimit = 0.05;
inline constexpr double kUnknownLimitOfCodes = 0.15;

// `codes`: activations of the stage are quantized. `bf16FromFp32`: relative L2, above 0.
[[nodiscard]] double distanceLimit(bool codes, const std::optional<double>& bf16FromFp32);

}  // namespace qs::core
