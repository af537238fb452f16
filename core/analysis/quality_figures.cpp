#include "core/analysis/quality_figures.h"

#include "core/stats/moments.h"
#include "core/sweep/metric.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace qs::core {

namespace {

using Samples = std::map<int, const OutputQuality*>;

// Nothing where a mean would be one of other outputs than those of the other metrics.
std::optional<MetricFigure> figureOf(const OutputMetric& metric, const Samples& samples)
{
    Moments moments;
    MetricFigure figure;
    for (const auto& [sample, quality] : samples) {
        const auto value = quality->find(metric.name);
        if (!value)
            continue;
        const bool worse =
            metric.better == Better::Higher ? *value < figure.worst : *value > figure.worst;
        if (moments.count() == 0 || worse) {
            figure.worst = *value;
            figure.worstSample = sample;
        }
        moments.add(*value);
    }
    // What is infinite where outputs are equal is told of those that differ.
    if (moments.count() == 0 ||
        (std::isfinite(metric.identical) && moments.count() != samples.size()))
        return std::nullopt;
    figure.mean = moments.mean();
    figure.samples = moments.count();
    return figure;
}

void fillDistances(const OutputMetric& metric, const Samples& samples, QualityFigures& figures)
{
    for (const auto& [sample, quality] : samples) {
        const auto value = quality->find(metric.name);
        const double distance = quality->identical || !value ? 0.0 : metric.distance(*value);
        if (figures.distances.empty() || distance > figures.worstDistance) {
            figures.worstDistance = distance;
            figures.worstSample = sample;
        }
        figures.distances.push_back(distance);
    }
    if (const auto mean = figures.mean(metric.name); mean && !figures.identical)
        figures.distance = metric.distance(*mean);
}

QualityFigures figuresOf(const Samples& samples, OutputKind kind)
{
    QualityFigures figures;
    figures.identical = std::all_of(samples.begin(), samples.end(),
                                    [](const auto& each) { return each.second->identical; });
    for (const OutputMetric& metric : metricRegistry().outputMetrics()) {
        const auto figure = metric.appliesTo(kind) ? figureOf(metric, samples) : std::nullopt;
        if (figure)
            figures.metrics.emplace(metric.name, *figure);
    }
    for (const auto& [sample, quality] : samples)
        figures.samples.push_back(sample);
    fillDistances(metricRegistry().distanceOf(kind), samples, figures);
    if (const OutputMetric* finer = metricRegistry().finerDistanceOf(kind)) {
        if (const auto found = figures.metrics.find(finer->name); found != figures.metrics.end())
            figures.finer = FinerDistance{finer->distance(found->second.mean),
                                          finer->distance(found->second.worst)};
    }
    return figures;
}

}  // namespace

std::optional<double> QualityFigures::mean(std::string_view metric) const
{
    const auto found = metrics.find(metric);
    return found == metrics.end() ? std::nullopt : std::optional(found->second.mean);
}

std::optional<double> QualityFigures::worst(std::string_view metric) const
{
    const auto found = metrics.find(metric);
    return found == metrics.end() ? std::nullopt : std::optional(found->second.worst);
}

QualityIndex::QualityIndex(const std::vector<OutputQuality>& qualities)
{
    for (const OutputQuality& quality : qualities)
        m_byCell[quality.cellId].push_back(&quality);
}

std::optional<QualityFigures> QualityIndex::figures(const PlannedCell& cell,
                                                    const std::string& referenceId,
                                                    const std::string& environmentId) const
{
    const auto found = m_byCell.find(cell.id);
    if (found == m_byCell.end())
        return std::nullopt;
    const std::string distance = metricRegistry().distanceOf(cell.output).name;
    Samples samples;
    for (const OutputQuality* quality : found->second) {
        // Without its distance nothing is known of an output.
        if (quality->referenceId == referenceId && quality->environmentId == environmentId &&
            (quality->identical || quality->find(distance)))
            samples[quality->sample] = quality;
    }
    if (samples.empty())
        return std::nullopt;
    return figuresOf(samples, cell.output);
}

std::optional<double> QualityIndex::rightShare(const PlannedCell& cell,
                                               const std::string& environmentId) const
{
    return meanOf(kRightFigure, kLabelId, cell, environmentId);
}

std::optional<double> QualityIndex::textLoss(const PlannedCell& cell,
                                             const std::string& environmentId) const
{
    return meanOf(kLossFigure, kTextId, cell, environmentId);
}

std::optional<FromUncompiled> QualityIndex::fromUncompiled(const PlannedCell& cell,
                                                           const std::string& environmentId) const
{
    const Moments moments = momentsOver(kDifferenceFigure, kUncompiledId, cell, environmentId);
    if (moments.count() == 0)
        return std::nullopt;
    const auto mean = [&](std::string_view figure) {
        return meanOf(figure, kUncompiledId, cell, environmentId);
    };
    return FromUncompiled{.difference = moments.maximum(),
                          .equalTokens = mean("token_agreement"),
                          .equalTokensWithPrompt = mean("token_agreement_with_prompt")};
}

std::optional<double> QualityIndex::meanOf(std::string_view figure, std::string_view referenceId,
                                           const PlannedCell& cell,
                                           const std::string& environmentId) const
{
    const Moments moments = momentsOver(figure, referenceId, cell, environmentId);
    return moments.count() > 0 ? std::optional(moments.mean()) : std::nullopt;
}

Moments QualityIndex::momentsOver(std::string_view figure, std::string_view referenceId,
                                  const PlannedCell& cell, const std::string& environmentId) const
{
    const auto found = m_byCell.find(cell.id);
    if (found == m_byCell.end())
        return {};
    std::map<int, double> samples;  // a sample that was judged twice counts as the second time
    for (const OutputQuality* quality : found->second) {
        const auto value = quality->find(figure);
        if (quality->referenceId == referenceId && quality->environmentId == environmentId && value)
            samples[quality->sample] = *value;
    }
    Moments moments;
    for (const auto& [sample, value] : samples)
        moments.add(value);
    return moments;
}

bool QualityIndex::comparedAnywhere(const std::string& cellId, const std::string& referenceId) const
{
    const auto found = m_byCell.find(cellId);
    return found != m_byCell.end() &&
           std::any_of(found->second.begin(), found->second.end(),
                       [&](const auto* quality) { return quality->referenceId == referenceId; });
}

}  // namespace qs::core
