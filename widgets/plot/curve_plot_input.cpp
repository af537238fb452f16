// The mouse and the keyboard on a plot.
#include "widgets/plot/curve_plot.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plot/curve_walk.h"
#include "widgets/plot/legend_entries.h"
#include "widgets/plot/plot_canvas.h"

#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace qs::widgets {

namespace {

constexpr double kReachPixels = 12.0;  // how near to a point counts as on it
constexpr double kHiddenPixels = 3.0;  // from point to point: one hides the other
constexpr double kStillPixels = 4.0;   // a press that moves less is a click

double distance(const QPointF& a, const QPointF& b)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

// Pushed back from where the metric cannot be, but for room to see what stands at its end.
QCPRange reachable(const QCPRange& range, const MetricLimits& limits)
{
    constexpr double kRoom = 0.1;
    const double room = range.size() * kRoom;
    QCPRange moved = range;
    if (moved.upper > limits.upper + room)
        moved -= moved.upper - (limits.upper + room);
    if (moved.lower < limits.lower - room)
        moved += limits.lower - room - moved.lower;
    return moved;
}

// Of the curve whose entry of the legend lies there; empty elsewhere.
QString legendKeyAt(const QCustomPlot& plot, const QPointF& position)
{
    auto* item = qobject_cast<QCPPlottableLegendItem*>(plot.layoutElementAt(position));
    return item == nullptr ? QString() : item->plottable()->property(kCurveKeyProperty).toString();
}

QString legendTip(const CurveSet& set, const QString& key)
{
    QString tip = CurvePlot::tr(
        "Click: highlight this curve and select its cell\nCtrl + click: hide or show it");
    for (const LegendEntry& entry : legendEntries(set)) {
        if (entry.key != key)
            continue;
        if (entry.part == LegendPart::Compile)
            tip.prepend(entry.name + QLatin1Char('\n'));  // a short legend has less of it
        if (!entry.changed.isEmpty())
            tip.prepend(CurvePlot::tr("Changed: %1.").arg(entry.changed) + QLatin1Char('\n'));
    }
    return tip;
}

}  // namespace

void CurvePlot::connectMouse()
{
    connect(m_plot, &QCustomPlot::mousePress, this,
            [this](QMouseEvent* event) { m_pressed = event->position(); });
    connect(m_plot, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        if (event->button() == Qt::LeftButton &&
            distance(m_pressed, event->position()) < kStillPixels)
            click(event->position(), event->modifiers());
    });
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        hover(event->position(), event->globalPosition().toPoint());
    });
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
        if (legendKeyAt(*m_plot, event->position()).isEmpty())
            resetZoom();
    });
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
                [this, axis](const QCPRange& range) {
                    // Only the user's wheel and drag: the plot follows the data until then.
                    if (m_settingRange)
                        return;
                    const QScopedValueRollback<bool> guard(m_settingRange, true);
                    axis->setRange(
                        reachable(range, axis == m_plot->yAxis ? m_set.yLimits : m_set.xLimits));
                    setZoomed(true);
                });
    }
}

std::vector<CurvePlot::Hit> CurvePlot::hitsAt(const QPointF& position) const
{
    std::vector<Hit> hits;
    const auto consider = [&](const auto& place, const QString& toolTip) {
        const QPointF at(m_plot->xAxis->coordToPixel(place.x),
                         m_plot->yAxis->coordToPixel(place.y));
        if (const double away = distance(at, position); away < kReachPixels)
            hits.push_back({place.cellId, toolTip, at, away});
    };
    if (!m_plot->axisRect()->rect().contains(position.toPoint()))
        return {};
    for (const Curve& curve : m_set.curves) {
        if (m_look.hidden.contains(curve.key))
            continue;
        for (const CurveEnd& end : curve.ends)
            consider(end, end.toolTip);
        for (const CurvePoint& point : curve.points)
            consider(point, {});
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const Hit& a, const Hit& b) { return a.away < b.away; });
    // What lies under the nearest cannot be told from it; the rest is beside.
    if (!hits.empty()) {
        const QPointF nearest = hits.front().at;
        hits.erase(std::remove_if(
                       hits.begin(), hits.end(),
                       [&](const Hit& each) { return distance(each.at, nearest) > kHiddenPixels; }),
                   hits.end());
    }
    return hits;
}

void CurvePlot::hover(const QPointF& position, const QPoint& global)
{
    const QString key = legendKeyAt(*m_plot, position);
    setHighlighted(key.isEmpty() ? m_chosen : key);
    if (!key.isEmpty()) {
        QToolTip::showText(global, plainTip(legendTip(m_set, key)), m_plot);
        return;
    }
    const std::vector<Hit> hits = hitsAt(position);
    if (hits.empty()) {
        const QRect axes = m_plot->axisRect()->rect();
        const bool beside =
            position.x() < axes.left() && position.y() > axes.top() && position.y() < axes.bottom();
        // No text hides the tip.
        QToolTip::showText(global, beside ? plainTip(m_set.yLabel) : QString(), m_plot);
        return;
    }
    QString text = hits.front().toolTip;
    if (text.isEmpty() && m_toolTips)
        text = m_toolTips(hits.front().cellId);
    // Their own tooltips begin with their names.
    for (std::size_t i = 1; i < hits.size() && m_toolTips; ++i)
        text += (i == 1 ? tr("\n\nAt the same place (click again): ") : QStringLiteral(", ")) +
                m_toolTips(hits[i].cellId).section(QLatin1Char('\n'), 0, 0);
    if (!text.isEmpty())
        QToolTip::showText(global, plainTip(text), m_plot);
}

void CurvePlot::click(const QPointF& position, Qt::KeyboardModifiers modifiers)
{
    if (const QString key = legendKeyAt(*m_plot, position); !key.isEmpty())
        clickLegend(key, modifiers);
    else if (const std::vector<Hit> hits = hitsAt(position); !hits.empty()) {
        // Again on the same place: the next of those that lie there.
        const auto selected = std::find_if(hits.begin(), hits.end(), [this](const Hit& hit) {
            return hit.cellId == m_look.selectedCell;
        });
        const auto next = selected == hits.end() ? hits.begin() : std::next(selected);
        Q_EMIT cellClicked((next == hits.end() ? hits.front() : *next).cellId);
    }
}

void CurvePlot::clickLegend(const QString& key, Qt::KeyboardModifiers modifiers)
{
    const bool hidden = widgets::isHidden(m_set, m_look, key);
    if (hidden || modifiers.testFlag(Qt::ControlModifier)) {
        setCurveShown(key, hidden);
        Q_EMIT curvesToggled();
        return;
    }
    if (m_chosen == key) {
        m_chosen.clear();
        setHighlighted(key);  // the pointer is still on it
        return;
    }
    m_chosen = key;
    setHighlighted(key);
    if (const QString cell = cellOfKey(m_set, key, m_look.selectedCell); !cell.isEmpty())
        Q_EMIT cellClicked(cell);
}

void CurvePlot::keyPressEvent(QKeyEvent* event)
{
    constexpr double kStep = 0.8;
    const auto walk = [this](int along, int across) {
        const QString cell = neighbourCell(m_set, m_look, along, across);
        if (!cell.isEmpty())
            Q_EMIT cellClicked(cell);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return walk(-1, 0);
    case Qt::Key_Right:
        return walk(1, 0);
    case Qt::Key_Up:
        return walk(0, 1);
    case Qt::Key_Down:
        return walk(0, -1);
    case Qt::Key_Plus:
        return zoomBy(kStep);
    case Qt::Key_Minus:
        return zoomBy(1.0 / kStep);
    case Qt::Key_Home:
        return resetZoom();
    default:
        QWidget::keyPressEvent(event);
    }
}

}  // namespace qs::widgets
