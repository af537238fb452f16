#pragma once

#include "core/analysis/analysis.h"
#include "core/report/plain_table.h"

namespace qs::core {

// What cells that read satellite tiles do a second, and how long one device would take for the land
// of the world; no lines for other models.
[[nodiscard]] TableSection ratesSection(const Analysis& analysis);
// The largest batch that fits and the one of the highest throughput, of each mode that was measured
// at several.
[[nodiscard]] TableSection batchLimitsSection(const Analysis& analysis);

}  // namespace qs::core
