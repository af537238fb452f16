#pragma once

#include "core/analysis/analysis.h"

#include <QString>

#include <optional>
#include <vector>

namespace qs::widgets {

// What the vertical axis shows.
enum class CurveMetric { Throughput, PassTime, ImageTime, Memory, Ssim, Psnr };

[[nodiscard]] const std::vector<CurveMetric>& curveMetrics();
[[nodiscard]] QString metricName(CurveMetric metric);
[[nodiscard]] QString metricUnit(CurveMetric metric);  // empty for SSIM
[[nodiscard]] bool isQuality(CurveMetric metric);

// Reads one metric of cells that are shown together.
class MetricReader final
{
public:
    // The kind of memory figure depends on all cells: the one that every measured cell has.
    MetricReader(CurveMetric metric, const core::Analysis& analysis);

    // "Throughput (images/s)", "Memory, allocated peak (GiB)".
    [[nodiscard]] QString label() const;
    // In metricUnit(); nothing if the cell has no such number. Never infinite.
    [[nodiscard]] std::optional<double> value(const core::CellSummary& cell) const;
    // 95 % interval; its upper end may be infinite. Only times and rates have one.
    [[nodiscard]] std::optional<core::Interval> interval(const core::CellSummary& cell) const;
    // Three repeats behind a number that varies from repeat to repeat; outputs do not.
    [[nodiscard]] bool settled(const core::CellSummary& cell) const;

private:
    [[nodiscard]] std::optional<double> memory(const core::CellSummary& cell) const;

    CurveMetric m_metric;
    bool m_allocatedKnown = false;
};

}  // namespace qs::widgets
