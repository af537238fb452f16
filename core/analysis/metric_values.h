#pragma once

#include "core/analysis/cell_summary.h"
#include "core/sweep/metric.h"

#include <functional>
#include <optional>
#include <string_view>

namespace qs::core {

// Where the number of a metric comes from, for those that are not made of an output metric.
struct MetricSource {
    std::function<std::optional<double>(const CellSummary&)> value;
    std::function<std::optional<Interval>(const CellSummary&)> interval = {};  // of overRounds
};

// Nothing if the cell has no such number. Of identical outputs a PSNR is infinite.
[[nodiscard]] std::optional<double> valueOf(const Metric& metric, const CellSummary& summary);
// `metric` is the name of one.
[[nodiscard]] std::optional<double> valueOf(std::string_view metric, const CellSummary& summary);
// Over repeats, 95 %; its upper end may be infinite.
[[nodiscard]] std::optional<Interval> intervalOf(const Metric& metric, const CellSummary& summary);

// Adds a metric to metricRegistry() and the way to its value. At the start of a program.
void addMetric(Metric metric, MetricSource source);

// The output metrics, and the metrics, that say something about any of these cells.
[[nodiscard]] std::vector<const OutputMetric*> outputMetricsOf(const Analysis& analysis);
[[nodiscard]] std::vector<const Metric*> metricsOf(const Analysis& analysis);
// Of these, what labels or a text say about outputs: accuracy, loss. Some cell has each of them.
[[nodiscard]] std::vector<const Metric*> labelMetricsOf(const Analysis& analysis);
// Those that have a column of their own in files: there, figures of a stage are named after it.
[[nodiscard]] std::vector<const Metric*> fileMetricsOf(const Analysis& analysis);

}  // namespace qs::core
