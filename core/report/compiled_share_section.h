#pragma once

#include "core/analysis/analysis.h"
#include "core/report/plain_table.h"

namespace qs::core {

// Of cells of which the compiler has a part alone: how much of the work that is, beside what it
// gains.
[[nodiscard]] TableSection compiledShareSection(const Analysis& analysis);

}  // namespace qs::core
