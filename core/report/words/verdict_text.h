#pragma once

#include "core/analysis/cell_summary.h"

#include <string>

namespace qs::core {

// "faster", "undecided so far"; empty before there are enough repeats.
[[nodiscard]] std::string verdictText(const SpeedClaim& claim);
// Of an open comparison: "leans slower; 2 more repeats would decide"; empty for a settled one.
[[nodiscard]] std::string outlookText(const SpeedClaim& claim);

}  // namespace qs::core
