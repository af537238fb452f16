#pragma once

#include "core/analysis/pivot.h"
#include "core/report/plain_table.h"

namespace qs::core {

// Whether a column names the cells: where a line cannot lead to its row.
enum class AdviceCells { Linked, Named };

// What a run recommends, a line for each precision and compile mode: how much it gains, when to use
// it, and after how much work compiling has paid. Without lines for runs of more modes than anybody
// reads.
[[nodiscard]] PlainTable adviceTable(const Analysis& analysis, const Pivot& pivot,
                                     AdviceCells cells);

}  // namespace qs::core
