#pragma once

#include "core/analysis/counted_rounds.h"
#include "core/stats/bootstrap.h"

#include <vector>

namespace qs::core {

// The samples of the timed rounds, for rounds that cannot be paired: some evenly spaced order
// statistics of each stand for all of them when they are resampled. Neighbouring samples repeat
// each other, so that all would make the interval too narrow, and thousands of samples ten thousand
// times are minutes.
[[nodiscard]] std::vector<RoundSamples> thinnedSamples(const std::vector<CountedRound>& rounds);

}  // namespace qs::core
