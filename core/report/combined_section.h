#pragma once

#include "core/analysis/analysis.h"
#include "core/base/json.h"

#include <string>

// Whether compiling and quantizing add up; empty if the run lacks the cells for it. See Note
// [Combined gains] in core/analysis/combined_gains.h.
namespace qs::core {

[[nodiscard]] std::string combinedSection(const Analysis& analysis);
[[nodiscard]] std::string htmlCombined(const Analysis& analysis);
[[nodiscard]] Json combinedJson(const Analysis& analysis);

}  // namespace qs::core
