#pragma once

#include "core/record/analysis.h"
#include "core/record/counted_rounds.h"

namespace qs::core {

// Fills status, times, memory and evidence of a summary from the rounds of cell number `index`.
void fillTimes(const PlannedCell& cell, const CountedRounds& rounds, std::size_t index,
               CellSummary& summary);

}  // namespace qs::core
