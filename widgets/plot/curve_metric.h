#pragma once

#include "core/analysis/analysis.h"
#include "core/sweep/metric.h"

#include <QString>

#include <limits>
#include <optional>
#include <vector>

namespace qs::widgets {

// Metrics that say something about these cells, those first that one usually looks at. Of the
// memory figures the one that every measured cell has.
[[nodiscard]] std::vector<const core::Metric*> plottedMetrics(const core::Analysis& analysis);
// Whether it tells how outputs differ, not how fast or large something is.
[[nodiscard]] bool isQuality(const core::Metric& metric);

// What a metric can be, in the unit of the plot: an SSIM is at most 1, a time at least 0.
struct MetricLimits {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
};
[[nodiscard]] MetricLimits metricLimits(const core::Metric& metric);

// Reads one metric of cells that are shown together, in the unit of the plot.
class MetricReader final
{
public:
    MetricReader(const core::Metric& metric, const core::Analysis& analysis);

    // "Throughput (images/s)", "SSIM mean".
    [[nodiscard]] QString label() const;
    // "images/s"; empty without one.
    [[nodiscard]] const QString& unit() const { return m_unit; }
    // Nothing if the cell has no such number. Never infinite.
    [[nodiscard]] std::optional<double> value(const core::CellSummary& cell) const;
    // 95 % interval; its upper end may be infinite.
    [[nodiscard]] std::optional<core::Interval> interval(const core::CellSummary& cell) const;
    // Three repeats behind a number that varies from repeat to repeat; outputs do not.
    [[nodiscard]] bool settled(const core::CellSummary& cell) const;

private:
    const core::Metric& m_metric;
    QString m_title;
    QString m_unit;
    double m_factor = 1.0;  // from the unit of the metric to that of the plot
};

}  // namespace qs::widgets
