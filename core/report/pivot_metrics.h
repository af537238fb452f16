#pragma once

#include "core/analysis/pivot.h"
#include "core/sweep/metric.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace qs::core {

// A number of the cells of a pivot, as Markdown and HTML show it.
struct PivotMetric {
    std::string title;  // "Throughput (images/s)"
    Better better = Better::Higher;
    std::function<std::string(const CellSummary&)> text;  // empty: the cell has none
    std::function<std::optional<double>(const CellSummary&)> value;
};

// Throughput, speed-up with its verdict, how far the outputs are from the reference, and memory:
// those that some cell of the pivot has.
[[nodiscard]] std::vector<PivotMetric> pivotMetrics(const Analysis& analysis, const Pivot& pivot);

}  // namespace qs::core
