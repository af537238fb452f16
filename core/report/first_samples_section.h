#pragma once

#include "core/analysis/analysis.h"
#include "core/report/plain_table.h"

namespace qs::core {

// What a first sample takes more than those that count; no lines where it is nothing to speak of.
[[nodiscard]] TableSection firstSamplesSection(const Analysis& analysis);

}  // namespace qs::core
