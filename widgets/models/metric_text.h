#pragma once

#include "core/analysis/cell_summary.h"
#include "core/sweep/metric.h"
#include "widgets/models/number_text.h"

#include <QString>

#include <optional>

namespace qs::widgets {

// What the cells of a run make; nothing if they make different things.
[[nodiscard]] std::optional<core::WorkUnit> workUnitOf(const core::Analysis& analysis);
// "images", "tokens", "samples"; "units" of different ones.
[[nodiscard]] QString unitsText(const std::optional<core::WorkUnit>& unit);
// "images/s"
[[nodiscard]] QString unitsPerSecond(const std::optional<core::WorkUnit>& unit);
// "image"
[[nodiscard]] QString unitText(const std::optional<core::WorkUnit>& unit);

// "Prompt tokens", "Batch size": an axis by its name in files.
[[nodiscard]] QString axisTitle(const QString& axis);
[[nodiscard]] QString metricTitle(const core::Metric& metric);
// The same; a metric of a stage has the name that the stage has in this run.
[[nodiscard]] QString metricTitle(const core::Metric& metric, const core::Analysis& analysis);
[[nodiscard]] QString metricAbout(const core::Metric& metric);
// In which tables and plots show it: "ms", "GiB", "images/s"; empty for a plain number.
[[nodiscard]] QString metricUnit(const core::Metric& metric,
                                 const std::optional<core::WorkUnit>& unit);
// In which they have the times of cells; quantizing takes minutes.
[[nodiscard]] TimeUnit passTimeUnit(bool quantizes);
// From the unit of the metric to that of tables and plots.
[[nodiscard]] double metricFactor(const core::Metric& metric);

}  // namespace qs::widgets
