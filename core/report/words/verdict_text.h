#pragma once

#include "core/analysis/cell_summary.h"

#include <string>

namespace qs::core {

// What the distances of outputs are called where nothing is judged.
inline constexpr const char* kNumericDeviation = "numeric deviation (random weights or inputs)";

// "faster", "undecided so far"; empty before there are enough repeats.
[[nodiscard]] std::string verdictText(const SpeedClaim& claim);
// Of an open comparison: "leans slower"; empty where it leans to neither side, or is settled.
[[nodiscard]] std::string leaningText(const SpeedClaim& claim);
// The same and what would settle it: "leans slower; 2 more repeats would decide"; empty for a
// settled one.
[[nodiscard]] std::string outlookText(const SpeedClaim& claim);

}  // namespace qs::core
