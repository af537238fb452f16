#include "widgets/plot/curve_series.h"

#include "core/analysis/shown_cells.h"
#include "core/analysis/time_notes.h"
#include "core/model/family_registry.h"
#include "core/sweep/axis_spec.h"
#include "core/sweep/cell_member.h"
#include "widgets/models/cell_text.h"
#include "widgets/models/metric_text.h"
#include "widgets/models/number_text.h"
#include "widgets/plot/swept_axes.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace qs::widgets {

namespace {

struct CurveSeriesWords {
    Q_DECLARE_TR_FUNCTIONS(CurveSeries)
};

constexpr double kBelowAll = 0.85;

QString wordsOf(const core::CellConfig& config, const std::string& axis)
{
    return axis == "compile"
               ? compileText(config.compile)
               : QString::fromStdString(core::memberWords(*core::findAxisSpec(axis), config));
}

bool outOfMemory(const core::CellSummary& cell)
{
    // A larger batch than one that did not fit is skipped; it ran out of memory all the same.
    return cell.status == core::CellStatus::Oom ||
           (cell.failure && cell.failure->kind == core::FailureKind::SmallerBatchOutOfMemory);
}

class SetBuilder final
{
public:
    SetBuilder(const core::Analysis& analysis, const core::Metric& metric, const QString& axis)
        : m_analysis(analysis),
          m_reader(metric, analysis),
          m_axis(axis.toStdString()),
          m_isNumber(core::isWholeNumberAxis(m_axis)),
          m_cells(core::shownCells(analysis)),
          m_varied(variedAxes(m_cells)),
          m_along(axis == QStringLiteral("model") ? sizesOfModels(m_cells)
                                                  : std::set<std::string>())
    {
        m_along.insert(m_axis);
        for (const core::AxisSpec& each : core::axisSpecs()) {
            const core::CellSummary* told =
                m_varied.contains(each.name) ? nullptr : firstTold(m_cells, each);
            m_shared.push_back(told == nullptr ? std::string()
                                               : each.text(told->cell->config) + '\n');
        }
        m_set.metric = &metric;
        m_set.axis = axis;
        m_set.xLabel = axisTitle(axis);
        m_set.yLabel = m_reader.label();
        m_set.yUnit = m_reader.unit();
        m_set.yLimits = metricLimits(metric);
    }

    CurveSet build(const QString& baseline);

private:
    [[nodiscard]] double place(const core::CellConfig& config);
    [[nodiscard]] std::string keyOf(const core::CellConfig& config) const;
    [[nodiscard]] QString nameOf(const core::CellConfig& config) const;
    // What differs in this run beside precision, compile mode and the axis.
    [[nodiscard]] QString restOf(const core::CellConfig& config) const;
    Curve* curveOf(const core::CellConfig& config);
    void add(const core::CellSummary& cell, double x);
    void settleEnds();
    void addBaseline();
    void noteHostBound();

    const core::Analysis& m_analysis;
    MetricReader m_reader;
    std::string m_axis;
    bool m_isNumber = false;
    std::vector<const core::CellSummary*> m_cells;
    std::set<std::string> m_varied;
    std::set<std::string> m_along;  // the axis, and what goes with its values
    // Of each axis, what its part of a key is for all cells alike, also for those that it is idle
    // in; empty where they differ.
    std::vector<std::string> m_shared;
    CurveSet m_set;
    QString m_baselineWords;
    std::unordered_map<std::string, std::size_t> m_index;  // of curves by key
    std::unordered_set<std::string> m_undrawn;             // keys of curves beyond kMostCurves
    QStringList m_rests;                                   // of the curves so far
    int m_identical = 0;
    int m_without = 0;  // measured cells that lack the metric
};

double SetBuilder::place(const core::CellConfig& config)
{
    const std::string text = core::memberText(config, m_axis);
    if (m_isNumber)
        return std::strtod(text.c_str(), nullptr);
    const QString value = QString::fromStdString(text);
    QString words = m_axis == "compile" ? compileText(config.compile) : value;
    for (const std::string& axis : m_along) {
        if (axis != m_axis)
            words += QStringLiteral(" · ") + wordsOf(config, axis);
    }
    if (!m_set.categories.contains(words))
        m_set.categories << words;
    return static_cast<double>(m_set.categories.indexOf(words));
}

std::string SetBuilder::keyOf(const core::CellConfig& config) const
{
    std::string key;
    for (std::size_t i = 0; i < m_shared.size(); ++i) {
        const core::AxisSpec& axis = core::axisSpecs()[i];
        if (m_along.contains(axis.name))
            continue;
        if (!m_shared[i].empty())
            key += m_shared[i];
        else
            key += (core::isIdle(axis, config) ? std::string() : axis.text(config)) + '\n';
    }
    return key;
}

// Precision and compile mode always (but for the axis itself), the rest where it differs in this
// run.
QString SetBuilder::nameOf(const core::CellConfig& config) const
{
    QStringList parts;
    for (const char* axis : {"precision", "compile"}) {
        if (m_axis != axis)
            parts << wordsOf(config, axis);
    }
    parts << restOf(config);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString SetBuilder::restOf(const core::CellConfig& config) const
{
    QStringList parts;
    for (const std::string& axis : core::axisNames()) {
        const bool named = axis == "precision" || axis == "compile" || m_along.contains(axis);
        if (!named && m_varied.contains(axis))
            parts << wordsOf(config, axis);
    }
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

// Null if there are enough of them already.
Curve* SetBuilder::curveOf(const core::CellConfig& config)
{
    const std::string key = keyOf(config);
    if (const auto found = m_index.find(key); found != m_index.end())
        return &m_set.curves[found->second];
    if (m_set.curves.size() >= kMostCurves) {
        m_undrawn.insert(key);
        return nullptr;
    }
    Curve curve;
    curve.key = QString::fromStdString(key);
    curve.name = nameOf(config);
    // The axis itself may be the precision: then every point of a curve has another one.
    if (m_axis != "precision")
        curve.precision = QString::fromStdString(core::precisionText(config));
    if (m_axis != "compile")
        curve.compile = QString::fromStdString(config.compile);
    curve.rest = restOf(config);
    if (!m_rests.contains(curve.rest))
        m_rests << curve.rest;
    curve.variant = static_cast<int>(m_rests.indexOf(curve.rest));
    m_index.emplace(key, m_set.curves.size());
    m_set.curves.push_back(std::move(curve));
    return &m_set.curves.back();
}

void SetBuilder::add(const core::CellSummary& cell, double x)
{
    Curve* const found = curveOf(cell.cell->config);
    if (found == nullptr)
        return;
    Curve& curve = *found;
    const QString id = QString::fromStdString(cell.cellId);
    if (const auto y = m_reader.value(cell))
        curve.points.push_back({id, x, *y, m_reader.interval(cell), m_reader.settled(cell)});
    else if (m_set.metric->comparesOutputs && cell.measured && cell.identical() &&
             (cell.cell->trained || !m_set.metric->needsTraining))
        ++m_identical;  // at infinity
    else if (cell.measured && cell.cell->referenceId != cell.cellId)
        ++m_without;
    if (outOfMemory(cell))
        curve.ends.push_back({id, x, 0.0,
                              CurveSeriesWords::tr("%1\nOut of memory: %2")
                                  .arg(cellTitle(*cell.cell), cellReason(cell))});
}

void SetBuilder::settleEnds()
{
    double lowest = 0.0;
    bool any = false;
    for (Curve& curve : m_set.curves) {
        std::sort(curve.points.begin(), curve.points.end(),
                  [](const auto& a, const auto& b) { return a.x < b.x; });
        std::sort(curve.ends.begin(), curve.ends.end(),
                  [](const auto& a, const auto& b) { return a.x < b.x; });
        // Everything beyond the first that did not fit says the same again.
        if (m_set.categories.isEmpty() && curve.ends.size() > 1)
            curve.ends.resize(1);
        for (const CurvePoint& point : curve.points) {
            lowest = any ? std::min(lowest, point.y) : point.y;
            any = true;
        }
    }
    for (Curve& curve : m_set.curves) {
        for (CurveEnd& end : curve.ends) {
            // Without a point before it there is no height of its own: below all others, beside no
            // number.
            end.y = isQuality(*m_set.metric) ? lowest : lowest * kBelowAll;
            for (const CurvePoint& point : curve.points) {
                if (point.x <= end.x)
                    end.y = point.y;
            }
        }
        if (!any)
            curve.ends.clear();  // without a single number there is no height to draw them at
    }
}

// Marks where the baselines stand, and one line through them if every place has one value. Where
// cells of several batches or sizes stand above the same place, each has a baseline of its own and
// a line would be wrong for most of them.
void SetBuilder::addBaseline()
{
    if (isQuality(*m_set.metric))
        return;  // a baseline of speed says nothing about pictures
    std::set<std::pair<double, double>> marks;
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const core::CellSummary* partner = m_analysis.find(m_cells[i]->baselineId);
        if (const auto y = partner == nullptr ? std::nullopt : m_reader.value(*partner))
            marks.emplace(m_set.planned[i], *y);
    }
    for (const auto& [x, y] : marks) {
        m_set.baselineIsLine =
            m_set.baselineIsLine && (m_set.baseline.empty() || m_set.baseline.back().x() != x);
        m_set.baseline.emplace_back(x, y);
    }
    m_set.baselineName = CurveSeriesWords::tr("baseline: %1").arg(m_baselineWords);
}

CurveSet SetBuilder::build(const QString& baseline)
{
    m_baselineWords = baselineText(m_analysis, baseline);
    for (const core::CellSummary* cell : m_cells) {
        m_set.planned.push_back(place(cell->cell->config));
        add(*cell, m_set.planned.back());
    }
    settleEnds();
    addBaseline();
    if (m_identical > 0)
        m_set.note = countedText(
            m_identical, CurveSeriesWords::tr("Not drawn: 1 cell identical to the reference."),
            CurveSeriesWords::tr("Not drawn: %1 cells identical to the reference."));
    const bool any = std::any_of(m_set.curves.begin(), m_set.curves.end(),
                                 [](const Curve& curve) { return !curve.points.empty(); });
    // Where no cell has it the empty plot says so.
    if (any && m_without > 0)
        m_set.note +=
            (m_set.note.isEmpty() ? QString() : QStringLiteral(" ")) +
            countedText(m_without, CurveSeriesWords::tr("Not drawn: 1 cell without this metric."),
                        CurveSeriesWords::tr("Not drawn: %1 cells without this metric."));
    if (!m_undrawn.empty())
        m_set.note +=
            (m_set.note.isEmpty() ? QString() : QStringLiteral(" ")) +
            CurveSeriesWords::tr("%1 of %2 curves are drawn, those of the first cells of the plan; "
                                 "see the table for all cells.")
                .arg(m_set.curves.size())
                .arg(m_set.curves.size() + m_undrawn.size());
    noteHostBound();
    return std::move(m_set);
}

// Nobody is to take launches for a property of a precision.
void SetBuilder::noteHostBound()
{
    const auto count = std::count_if(m_cells.begin(), m_cells.end(),
                                     [](const auto* cell) { return core::isHostBound(*cell); });
    if (count == 0 || isQuality(*m_set.metric))
        return;
    m_set.hostBound = static_cast<int>(count);
    m_set.note += (m_set.note.isEmpty() ? QString() : QStringLiteral(" ")) +
                  countedText(count, CurveSeriesWords::tr("1 cell is host-bound."),
                              CurveSeriesWords::tr("%1 cells are host-bound."));
}

}  // namespace

bool CurveSet::empty() const
{
    return std::all_of(curves.begin(), curves.end(),
                       [](const Curve& curve) { return curve.empty(); });
}

bool CurveSet::hasLines() const
{
    return std::any_of(curves.begin(), curves.end(),
                       [](const Curve& curve) { return curve.points.size() > 1; }) &&
           categories.isEmpty() && !scatter;
}

CurveSet makeCurves(const core::Analysis& analysis, const QString& baseline,
                    const core::Metric& metric, const QString& axis)
{
    return SetBuilder(analysis, metric, axis).build(baseline);
}

}  // namespace qs::widgets
