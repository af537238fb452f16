#pragma once

#include "core/analysis/cell_summary.h"
#include "core/analysis/counted_rounds.h"

namespace qs::core {

// Fills status, times, memory and evidence of a summary from the rounds of cell number `index`.
void fillTimes(const PlannedCell& cell, const CountedRounds& rounds, std::size_t index,
               CellSummary& summary);

}  // namespace qs::core
