#pragma once

#include "core/analysis/cell_summary.h"

#include <string>

namespace qs::core {

// "80 of 85 cells measured, up to 3 repeats each, 240 rows, from … to …."
[[nodiscard]] std::string countsText(const Analysis& analysis);
// What the times, intervals and verdicts of a report are.
[[nodiscard]] std::string explanationText(const Analysis& analysis);

}  // namespace qs::core
