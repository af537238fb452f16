#pragma once

#include "core/engine/cell_weights.h"

namespace qs::engine {

// All that is timed of a cell whose workload is to quantize: a sample loads the weights, calibrates
// and quantizes them, with nothing left of the sample before, and takes nothing from a cache.
// Warm-up and samples are those of the settings: the first one pays for what is made once in a
// process. Progress is that inside a sample. Leaves the weights of the last sample, which the
// demand's result tells of, and memory peaks over all of them.
[[nodiscard]] core::Status sampleQuantizing(const WeightsDemand& demand, CellWeights& weights);

}  // namespace qs::engine
