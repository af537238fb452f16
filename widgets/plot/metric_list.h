#pragma once

#include "core/analysis/analysis.h"
#include "core/sweep/metric.h"

#include <vector>

class QComboBox;
class QVariant;

namespace qs::widgets {

// What a metric tells of, in the order of lists.
enum class MetricGroup { Speed, Memory, Quality, WorkShares, Cost, Compiling };

[[nodiscard]] MetricGroup groupOf(const core::Metric& metric);

// A list of metrics scrolls where it is long: by itself it would cover the screen.
void prepareMetricList(QComboBox& box);
// The entries are those metrics, in groups with headings that cannot be chosen if there is more
// than one group; within a group in the order given. `wanted`, a name, is chosen if it is among
// them, else the first.
void fillMetricList(QComboBox& box, const std::vector<const core::Metric*>& metrics,
                    const QVariant& wanted, const core::Analysis& analysis);
// Whether it has these entries already.
[[nodiscard]] bool hasMetrics(const QComboBox& box, const std::vector<const core::Metric*>& metrics,
                              const core::Analysis& analysis);

}  // namespace qs::widgets
