#pragma once

#include "widgets/models/cell_columns.h"

#include <cstddef>

namespace qs::widgets {

// Equal for equal rows of the table, different (but for chance in 2^64) if anything shown has
// changed.
[[nodiscard]] std::size_t cellFingerprint(const core::CellSummary& summary,
                                          const CellContext& context);

}  // namespace qs::widgets
