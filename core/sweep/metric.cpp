#include "core/sweep/metric.h"

#include "core/base/checks.h"

#include <algorithm>
#include <utility>

namespace qs::core {

namespace {

bool holds(const std::vector<OutputKind>& kinds, OutputKind kind)
{
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

Metric cellMetric(const OutputMetric& output, bool worst)
{
    const std::string suffix = output.unit == MetricUnit::Decibel ? "_db"
                               : output.unit == MetricUnit::Nats  ? "_nats"
                                                                  : "";
    Metric metric{.name = worst ? worstOf(output.name) : meanOf(output.name),
                  .title = output.title + (worst ? " worst" : " mean"),
                  .about = worst ? "The same of the output that differs most." : output.about,
                  .unit = output.unit,
                  .better = output.better,
                  .digits = output.digits,
                  .plotted = !worst && output.inTables,
                  .comparesOutputs = true,
                  .needsTraining = output.needsTraining,
                  .rare = output.rare,
                  .outputs = output.outputs,
                  .outputMetric = output.name,
                  .worst = worst};
    metric.column = metric.name + suffix;
    return metric;
}

}  // namespace

bool Metric::appliesTo(OutputKind kind) const
{
    return outputs.empty() || holds(outputs, kind);
}

bool OutputMetric::appliesTo(OutputKind kind) const
{
    return holds(outputs, kind);
}

double OutputMetric::distance(double value) const
{
    return std::max(0.0, better == Better::Higher ? identical - value : value - identical);
}

std::string meanOf(std::string_view outputMetric)
{
    return std::string(outputMetric) + "_mean";
}

std::string worstOf(std::string_view outputMetric)
{
    return std::string(outputMetric) + "_worst";
}

void MetricRegistry::add(Metric metric)
{
    QS_ASSERT(find(metric.name) == nullptr);
    if (metric.column.empty())
        metric.column = metric.name;
    m_metrics.push_back(std::move(metric));
}

void MetricRegistry::add(OutputMetric metric)
{
    QS_ASSERT(findOutput(metric.name) == nullptr && !metric.outputs.empty());
    add(cellMetric(metric, false));
    add(cellMetric(metric, true));
    m_outputs.push_back(std::move(metric));
}

const Metric* MetricRegistry::find(std::string_view name) const
{
    const auto found = std::find_if(m_metrics.begin(), m_metrics.end(), [&](const Metric& metric) {
        return metric.name == name || metric.column == name;
    });
    return found == m_metrics.end() ? nullptr : &*found;
}

const OutputMetric* MetricRegistry::findOutput(std::string_view name) const
{
    const auto found =
        std::find_if(m_outputs.begin(), m_outputs.end(),
                     [&](const OutputMetric& metric) { return metric.name == name; });
    return found == m_outputs.end() ? nullptr : &*found;
}

const OutputMetric& MetricRegistry::distanceOf(OutputKind kind) const
{
    const auto found =
        std::find_if(m_outputs.begin(), m_outputs.end(),
                     [&](const OutputMetric& metric) { return holds(metric.isDistanceOf, kind); });
    QS_ASSERT(found != m_outputs.end());
    return *found;
}

const OutputMetric* MetricRegistry::finerDistanceOf(OutputKind kind) const
{
    const auto found =
        std::find_if(m_outputs.begin(), m_outputs.end(), [&](const OutputMetric& metric) {
            return holds(metric.isFinerDistanceOf, kind);
        });
    return found == m_outputs.end() ? nullptr : &*found;
}

const OutputMetric& MetricRegistry::likenessOf(OutputKind kind) const
{
    const auto found =
        std::find_if(m_outputs.begin(), m_outputs.end(), [&](const OutputMetric& metric) {
            return metric.identical == 1.0 && metric.better == Better::Higher &&
                   metric.appliesTo(kind);
        });
    QS_ASSERT(found != m_outputs.end());
    return *found;
}

MetricRegistry& metricRegistry()
{
    static MetricRegistry registry;
    return registry;
}

}  // namespace qs::core
