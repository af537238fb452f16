#pragma once

#include "core/analysis/cell_summary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// Derived per (everything but batch): the largest batch that was ok while a larger one was not, and
// the batch of best throughput.
struct BatchLimits {
    std::string family;  // its name by what tells the cells of the run apart
    std::vector<std::string> cellIds;
    std::optional<std::int64_t> largestFitting;  // only when a larger batch ran out of memory
    std::optional<std::int64_t> bestThroughputBatch;
    double bestThroughput = 0.0;
    std::optional<Interval> bestThroughputInterval;
};
[[nodiscard]] std::vector<BatchLimits> batchLimits(const Analysis& analysis);

}  // namespace qs::core
