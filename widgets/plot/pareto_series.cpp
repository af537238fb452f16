#include "widgets/plot/pareto_series.h"

#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"
#include "widgets/plot/quality_rules.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

namespace qs::widgets {

namespace {

struct ParetoSeriesWords {
    Q_DECLARE_TR_FUNCTIONS(ParetoSeries)
};

bool betterOf(const core::Metric& metric, double a, double b)
{
    return metric.better == core::Better::Higher ? a > b : a < b;
}

// Of a measure of quality in the list: the distance that verdicts on these outputs are made of,
// then how far the numbers are apart, which says something of any weights.
int placeOf(const core::Metric& metric, const core::Analysis& analysis)
{
    const bool decides =
        std::any_of(analysis.cells.begin(), analysis.cells.end(), [&](const auto& cell) {
            return cell.cell != nullptr &&
                   metric.name ==
                       core::meanOf(core::metricRegistry().distanceOf(cell.cell->output).name);
        });
    if (decides)
        return 0;
    return metric.name == "relative_l2_mean" ? 1 : 2;
}

std::optional<std::int64_t> memoryOf(const core::CellSummary& cell)
{
    return cell.memory.allocatedPeak ? cell.memory.allocatedPeak : cell.memory.processPeak;
}

class Pareto final
{
public:
    Pareto(const core::Analysis& analysis, const core::Metric& metric, const core::Metric& quality)
        : m_analysis(analysis), m_metric(metric), m_quality(quality), m_reader(quality, analysis)
    {
    }

    void place(CurveSet& set, std::int64_t largest);
    void addFrontier(CurveSet& set) const;

private:
    // Of a reference the figure of equal outputs, as far as that is a number.
    [[nodiscard]] std::optional<double> qualityOf(const core::CellSummary& cell) const;
    [[nodiscard]] const core::OutputMetric* output() const
    {
        return core::metricRegistry().findOutput(m_quality.outputMetric);
    }

    const core::Analysis& m_analysis;
    const core::Metric& m_metric;
    const core::Metric& m_quality;
    MetricReader m_reader;
};

std::optional<double> Pareto::qualityOf(const core::CellSummary& cell) const
{
    if (const auto value = m_reader.value(cell))
        return value;
    const bool reference = cell.cell != nullptr && cell.cell->referenceId == cell.cellId;
    if ((!reference && !cell.identical()) || !cell.measured || output() == nullptr ||
        !std::isfinite(output()->identical))
        return std::nullopt;
    return output()->identical * metricFactor(m_quality);
}

void Pareto::place(CurveSet& set, std::int64_t largest)
{
    int without = 0;
    std::map<QString, QPointF> places;
    for (Curve& curve : set.curves) {
        std::vector<CurvePoint> points;
        for (CurvePoint& point : curve.points) {
            const core::CellSummary* cell = m_analysis.find(point.cellId.toStdString());
            const auto x = cell == nullptr ? std::nullopt : qualityOf(*cell);
            if (!x) {
                ++without;
                continue;
            }
            point.x = *x;
            // By area, and none too small to be hit.
            const auto memory = memoryOf(*cell);
            if (memory && largest > 0)
                point.size = 0.6 + 1.2 * std::sqrt(static_cast<double>(*memory) /
                                                   static_cast<double>(largest));
            places.emplace(point.cellId, QPointF(point.x, point.y));
            points.push_back(std::move(point));
        }
        curve.points = std::move(points);
        curve.ends.clear();
    }
    set.baseline.clear();
    for (const core::CellSummary& cell : m_analysis.cells) {
        const auto found = places.find(QString::fromStdString(cell.baselineId));
        if (found != places.end() && std::find(set.baseline.begin(), set.baseline.end(),
                                               found->second) == set.baseline.end())
            set.baseline.push_back(found->second);
    }
    set.baselineIsLine = false;
    set.note =
        without == 0
            ? QString()
            : countedText(
                  without,
                  ParetoSeriesWords::tr("Not drawn: 1 cell whose outputs were not compared."),
                  ParetoSeriesWords::tr("Not drawn: %1 cells whose outputs were not compared."));
}

// From the best quality on: each next point is worse in quality and has to be better in the other.
void Pareto::addFrontier(CurveSet& set) const
{
    std::vector<QPointF> points;
    for (const Curve& curve : set.curves) {
        for (const CurvePoint& point : curve.points)
            points.emplace_back(point.x, point.y);
    }
    std::sort(points.begin(), points.end(), [this](const QPointF& a, const QPointF& b) {
        return a.x() == b.x() ? betterOf(m_metric, a.y(), b.y())
                              : betterOf(m_quality, a.x(), b.x());
    });
    for (const QPointF& point : points) {
        if (set.frontier.empty() || betterOf(m_metric, point.y(), set.frontier.back().y()))
            set.frontier.push_back(point);
    }
}

}  // namespace

std::vector<const core::Metric*> qualityMetrics(const core::Analysis& analysis)
{
    std::vector<const core::Metric*> found;
    const bool trained =
        std::any_of(analysis.cells.begin(), analysis.cells.end(),
                    [](const auto& cell) { return cell.cell != nullptr && cell.cell->trained; });
    for (const core::Metric* metric : plottedMetrics(analysis)) {
        if (isQuality(*metric) && (trained || !metric->needsTraining))
            found.push_back(metric);
    }
    const auto hasNone = [&](const core::Metric* metric) {
        const MetricReader reader(*metric, analysis);
        return std::none_of(analysis.cells.begin(), analysis.cells.end(),
                            [&](const auto& cell) { return reader.value(cell).has_value(); });
    };
    // Before anything has been compared all of them are still to come.
    if (!std::all_of(found.begin(), found.end(), hasNone))
        std::erase_if(found, hasNone);
    std::stable_sort(found.begin(), found.end(), [&](const auto* a, const auto* b) {
        return placeOf(*a, analysis) < placeOf(*b, analysis);
    });
    return found;
}

std::int64_t mostMemory(const core::Analysis& analysis)
{
    std::int64_t most = 0;
    for (const core::CellSummary& cell : analysis.cells)
        most = std::max(most, memoryOf(cell).value_or(0));
    return most;
}

CurveSet makePareto(const core::Analysis& analysis, const QString& baseline,
                    const core::Metric& metric, const core::Metric& quality,
                    const core::AnswerQuestion& question, std::optional<std::int64_t> largest)
{
    CurveSet set = makeCurves(analysis, baseline, metric, QStringLiteral("batch"));
    set.scatter = true;
    set.axis = QStringLiteral("quality:") + QString::fromStdString(quality.name);
    set.categories.clear();
    set.planned.clear();
    set.xLabel = MetricReader(quality, analysis).label();
    set.xLimits = metricLimits(quality);
    Pareto pareto(analysis, metric, quality);
    pareto.place(set, largest.value_or(mostMemory(analysis)));
    pareto.addFrontier(set);
    set.rules = qualityRules(analysis, quality, question);
    return set;
}

}  // namespace qs::widgets
