#include "widgets/plot/curve_plot.h"

#include "widgets/models/plain_tip.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/curve_walk.h"
#include "widgets/plot/focus_frame.h"
#include "widgets/plot/legend_layout.h"
#include "widgets/plot/qcustomplot.h"

#include <QKeyEvent>
#include <QLabel>
#include <QScopedValueRollback>
#include <QStackedLayout>
#include <QToolTip>

#include <cmath>
#include <utility>

namespace qs::widgets {

namespace {

constexpr double kReachPixels = 12.0;  // how near to a point counts as on it
constexpr int kFrame = 1;              // pixels for the frame that shows the focus
constexpr int kLeast = 20;             // pixels: QCustomPlot cannot paint on nothing
constexpr double kStillPixels = 4.0;   // a press that moves less is a click
// The legend goes under the plot if that is narrow, or if it would take more of its width.
constexpr int kNarrowLetters = 100;
constexpr double kLegendShare = 0.36;

double distance(const QPointF& a, const QPointF& b)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

// Of the curve whose entry of the legend lies there; empty elsewhere.
QString legendKeyAt(const QCustomPlot& plot, const QPointF& position)
{
    auto* item = qobject_cast<QCPPlottableLegendItem*>(plot.layoutElementAt(position));
    return item == nullptr ? QString() : item->plottable()->property(kCurveKeyProperty).toString();
}

}  // namespace

CurvePlot::CurvePlot(QWidget* parent)
    : QWidget(parent),
      m_plot(new QCustomPlot),
      m_empty(new QLabel),
      m_pages(new QStackedLayout(this))
{
    setObjectName(QStringLiteral("curvePlot"));
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMouseTracking(true);
    m_plot->setMinimumSize(kLeast, kLeast);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setLocale(QLocale());
    m_empty->setObjectName(QStringLiteral("curveEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setAutoFillBackground(true);
    m_empty->setBackgroundRole(QPalette::Base);
    m_empty->setForegroundRole(QPalette::Text);
    m_pages->addWidget(m_plot);
    m_pages->addWidget(m_empty);
    m_pages->setCurrentWidget(m_empty);
    setContentsMargins(kFrame, kFrame, kFrame, kFrame);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    connectMouse();
    applyTheme();
}

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
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
            // Only the user's wheel and drag: the plot follows the data until then.
            if (!m_settingRange)
                setZoomed(true);
        });
    }
}

QSize CurvePlot::sizeHint() const
{
    const int letter = fontMetrics().averageCharWidth();
    return {letter * 90, letter * 50};
}

void CurvePlot::setCurves(CurveSet set)
{
    if (set.metric != m_set.metric || set.axis != m_set.axis)
        setZoomed(false);
    m_set = std::move(set);
    if (curveOf(m_set, m_chosen) == nullptr)
        m_chosen.clear();
    m_look.highlighted = m_chosen;
    redraw();
}

void CurvePlot::setSelectedCell(const QString& cellId)
{
    if (cellId == m_look.selectedCell)
        return;
    m_look.selectedCell = cellId;
    // Another curve's cell was selected: the chosen one has had its time.
    const Curve* chosen = curveOf(m_set, m_chosen);
    const auto isSelected = [&](const CurvePoint& point) { return point.cellId == cellId; };
    if (chosen != nullptr &&
        std::none_of(chosen->points.begin(), chosen->points.end(), isSelected)) {
        m_chosen.clear();
        m_look.highlighted.clear();
    }
    redraw();
}

void CurvePlot::setLogarithmic(bool x, bool y)
{
    if (x == m_look.logarithmicX && y == m_look.logarithmicY)
        return;
    m_look.logarithmicX = x;
    m_look.logarithmicY = y;
    setZoomed(false);  // a linear range may reach below zero, where no logarithm is
    redraw();
}

void CurvePlot::setCurveShown(const QString& key, bool shown)
{
    if (shown)
        m_look.hidden.remove(key);
    else
        m_look.hidden.insert(key);
    redraw();
}

void CurvePlot::setHighlighted(const QString& key)
{
    if (key == m_look.highlighted)
        return;
    m_look.highlighted = key;
    redraw();
}

void CurvePlot::setEmptyText(const QString& text)
{
    m_empty->setText(text);
}

void CurvePlot::setRoofsShown(bool shown)
{
    m_look.roofs = shown;
    redraw();
}

void CurvePlot::setZoomed(bool zoomed)
{
    if (zoomed == m_zoomed)
        return;
    m_zoomed = zoomed;
    Q_EMIT zoomChanged(zoomed);
}

void CurvePlot::resetZoom()
{
    setZoomed(false);
    redraw();
}

void CurvePlot::zoomBy(double factor)
{
    m_plot->xAxis->scaleRange(factor);
    m_plot->yAxis->scaleRange(factor);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QRectF CurvePlot::visibleRange() const
{
    const QCPRange x = m_plot->xAxis->range();
    const QCPRange y = m_plot->yAxis->range();
    return {x.lower, y.lower, x.size(), y.size()};
}

void CurvePlot::showRange(const QRectF& range)
{
    const QScopedValueRollback<bool> guard(m_settingRange, true);
    m_plot->xAxis->setRange(range.left(), range.right());
    m_plot->yAxis->setRange(range.top(), range.bottom());
}

void CurvePlot::redraw()
{
    const bool below = width() < fontMetrics().averageCharWidth() * kNarrowLetters ||
                       legendWidth(m_set, m_look) > width() * kLegendShare;
    m_look.legend = below ? LegendPlace::Below : LegendPlace::Right;
    m_look.legendEntries = below ? legendEntriesBelow(m_set, m_look, size()) : kMostLegendEntries;
    m_pages->setCurrentWidget(m_set.empty() ? static_cast<QWidget*>(m_empty) : m_plot);
    {
        // A change of scale type corrects ranges that it cannot show; that is not the user's doing
        // either.
        const QScopedValueRollback<bool> guard(m_settingRange, true);
        drawCurves(*m_plot, m_set, m_look);
    }
    if (!m_zoomed)
        showRange(fullRange(m_set, m_look));
    // The legend is new and has no place until it is laid out. A mouse event may come before the
    // queued repaint, and must find the entry under the pointer.
    for (const auto phase :
         {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        m_plot->plotLayout()->update(phase);
    // What is hidden may have no size to be painted on; it is painted when it is shown.
    if (isVisible())
        m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    redraw();
}

void CurvePlot::applyTheme()
{
    m_look.theme = screenTheme(palette(), font());
    redraw();
}

void CurvePlot::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyTheme();
    QWidget::changeEvent(event);
}

void CurvePlot::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    redraw();
}

std::optional<CurvePlot::Hit> CurvePlot::hitAt(const QPointF& position) const
{
    double nearest = kReachPixels;
    std::optional<Hit> hit;
    const auto consider = [&](const auto& place, const QString& toolTip) {
        const QPointF at(m_plot->xAxis->coordToPixel(place.x),
                         m_plot->yAxis->coordToPixel(place.y));
        if (const double away = distance(at, position); away < nearest) {
            nearest = away;
            hit = Hit{place.cellId, toolTip};
        }
    };
    if (!m_plot->axisRect()->rect().contains(position.toPoint()))
        return std::nullopt;
    for (const Curve& curve : m_set.curves) {
        if (m_look.hidden.contains(curve.key))
            continue;
        for (const CurveEnd& end : curve.ends)
            consider(end, end.toolTip);
        for (const CurvePoint& point : curve.points)
            consider(point, {});
    }
    return hit;
}

std::optional<QPoint> CurvePlot::positionOf(const QString& cellId) const
{
    std::optional<QPoint> position;
    const auto consider = [&](const auto& place) {
        if (place.cellId == cellId)
            position = m_plot->mapToParent(
                QPointF(m_plot->xAxis->coordToPixel(place.x), m_plot->yAxis->coordToPixel(place.y))
                    .toPoint());
    };
    for (const Curve& curve : m_set.curves) {
        std::for_each(curve.ends.begin(), curve.ends.end(), consider);
        std::for_each(curve.points.begin(), curve.points.end(), consider);
    }
    return position;
}

void CurvePlot::setToolTips(CellToolTip toolTips)
{
    m_toolTips = std::move(toolTips);
}

void CurvePlot::hover(const QPointF& position, const QPoint& global)
{
    const QString key = legendKeyAt(*m_plot, position);
    setHighlighted(key.isEmpty() ? m_chosen : key);
    if (!key.isEmpty()) {
        QToolTip::showText(
            global,
            tr("Click: highlight this curve and select its cell\nCtrl + click: hide or show it"),
            m_plot);
        return;
    }
    const auto hit = hitAt(position);
    if (!hit)
        QToolTip::hideText();
    else if (!hit->toolTip.isEmpty())
        QToolTip::showText(global, plainTip(hit->toolTip), m_plot);
    else if (m_toolTips)
        QToolTip::showText(global, plainTip(m_toolTips(hit->cellId)), m_plot);
}

void CurvePlot::click(const QPointF& position, Qt::KeyboardModifiers modifiers)
{
    if (const QString key = legendKeyAt(*m_plot, position); !key.isEmpty())
        clickLegend(key, modifiers);
    else if (const auto hit = hitAt(position))
        Q_EMIT cellClicked(hit->cellId);
}

void CurvePlot::clickLegend(const QString& key, Qt::KeyboardModifiers modifiers)
{
    const bool hidden = m_look.hidden.contains(key);
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
    const Curve* curve = curveOf(m_set, key);
    if (const QString cell =
            curve == nullptr ? QString() : cellToSelect(m_set, *curve, m_look.selectedCell);
        !cell.isEmpty())
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

void CurvePlot::paintEvent(QPaintEvent* event)
{
    QWidget::paintEvent(event);
    paintFocusFrame(*this);
}

}  // namespace qs::widgets
