#pragma once

#include "core/analysis/analysis.h"
#include "core/base/json.h"
#include "core/report/plain_table.h"

// Whether compiling and quantizing add up; no lines if the run lacks the cells for it. See Note
// [Combined gains] in core/analysis/combined_gains.h.
namespace qs::core {

[[nodiscard]] TableSection combinedSection(const Analysis& analysis);
[[nodiscard]] Json combinedJson(const Analysis& analysis);

}  // namespace qs::core
