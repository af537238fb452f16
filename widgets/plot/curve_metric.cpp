#include "widgets/plot/curve_metric.h"

#include "core/analysis/find_answer.h"
#include "core/analysis/metric_values.h"
#include "core/analysis/shown_cells.h"
#include "core/analysis/speed_baseline.h"
#include "widgets/models/metric_text.h"

#include <algorithm>
#include <cmath>

namespace qs::widgets {

std::vector<const core::Metric*> plottedMetrics(const core::Analysis& analysis)
{
    const char* otherMemory =
        core::allocatedPeakKnown(analysis) ? "process_peak" : "allocated_peak";
    std::vector<const core::Metric*> plotted;
    for (const core::Metric* metric : core::metricsOf(analysis)) {
        if (metric->name != otherMemory)
            plotted.push_back(metric);
    }
    std::stable_partition(plotted.begin(), plotted.end(), [](const core::Metric* metric) {
        return metric->plotted || metric->name == "speedup";
    });
    // Of what takes minutes one asks how long, not how much of it is done in a second.
    if (core::onlyQuantizes(analysis))
        std::stable_partition(plotted.begin(), plotted.end(),
                              [](const core::Metric* metric) { return metric->name == "latency"; });
    return plotted;
}

MetricLimits metricLimits(const core::Metric& metric)
{
    MetricLimits limits;
    const double factor = metricFactor(metric);
    const core::OutputMetric* output = core::metricRegistry().findOutput(metric.outputMetric);
    if (output == nullptr)
        limits.lower = 0.0;
    else if (std::isfinite(output->identical))
        (output->better == core::Better::Higher ? limits.upper : limits.lower) =
            output->identical * factor;
    if (metric.unit == core::MetricUnit::Fraction)
        limits.lower = 0.0;
    if (metric.name == "reconstruction_ssim")
        limits.upper = 1.0;
    return limits;
}

bool isQuality(const core::Metric& metric)
{
    return metric.comparesOutputs || metric.needsTraining;
}

MetricReader::MetricReader(const core::Metric& metric, const core::Analysis& analysis)
    : m_metric(metric),
      m_title(metricTitle(metric, analysis)),
      m_unit(metricUnit(metric, workUnitOf(analysis))),
      m_factor(metricFactor(metric))
{
    if (metric.unit == core::MetricUnit::Seconds) {
        const TimeUnit unit = passTimeUnit(core::onlyQuantizes(analysis));
        m_unit = unit.name;
        m_factor = unit.perSecond;
    }
}

QString MetricReader::label() const
{
    return m_unit.isEmpty() ? m_title : QStringLiteral("%1 (%2)").arg(m_title, m_unit);
}

std::optional<double> MetricReader::value(const core::CellSummary& cell) const
{
    if (!cell.measured)
        return std::nullopt;
    const auto value = core::valueOf(m_metric, cell);
    return value && std::isfinite(*value) ? std::optional(*value * m_factor) : std::nullopt;
}

std::optional<core::Interval> MetricReader::interval(const core::CellSummary& cell) const
{
    const auto interval = core::intervalOf(m_metric, cell);
    if (!interval)
        return std::nullopt;
    return core::Interval{.lower = interval->lower * m_factor, .upper = interval->upper * m_factor};
}

bool MetricReader::settled(const core::CellSummary& cell) const
{
    return isQuality(m_metric) || cell.roundsOk >= static_cast<int>(core::kRoundsForInterval);
}

}  // namespace qs::widgets
