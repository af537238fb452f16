#pragma once

#include "core/sweep/metric.h"

#include <vector>

namespace qs::core {

// Of how good the outputs of a cell are.
[[nodiscard]] std::vector<Metric> builtInQualityMetrics();
// Of how an output differs from that of the reference.
[[nodiscard]] std::vector<OutputMetric> builtInOutputMetrics();

}  // namespace qs::core
