#pragma once

#include "core/analysis/cell_summary.h"

#include <vector>

namespace qs::core {

// A pass on a GPU of which so much is gaps is bound by the host that launches it.
inline constexpr double kHostBoundGaps = 0.2;
[[nodiscard]] bool isHostBound(const CellSummary& summary);

// Whose launches may be what a comparison with the speed baseline shows.
enum class HostBoundSide { Neither, Cell, Baseline };
[[nodiscard]] HostBoundSide hostBoundSide(const Analysis& analysis, const CellSummary& summary);

// What the profile deserves to be said of: a pass that waits for the host, products of kernels
// that were written for an older chip (of cells on compute capability 9.0 and newer).
void noteTimeDivision(bool newChip, CellSummary& summary);

// Cells that differ in how they are compiled alone and ran the same kernels: compiling changed
// nothing. Recordings of one mode do so rightly.
void noteSameKernels(std::vector<CellSummary>& summaries);

}  // namespace qs::core
