#pragma once

#include "core/sweep/metric.h"

#include <vector>

namespace qs::core {

[[nodiscard]] std::vector<Metric> builtInMetrics();
[[nodiscard]] std::vector<OutputMetric> builtInOutputMetrics();

}  // namespace qs::core
