#include "widgets/plot/curve_plot.h"

#include "widgets/models/number_text.h"
#include "widgets/plot/curve_axes.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/focus_frame.h"
#include "widgets/plot/legend_entries.h"
#include "widgets/plot/legend_layout.h"
#include "widgets/plot/plot_canvas.h"

#include <QLabel>
#include <QScopedValueRollback>
#include <QStackedLayout>

#include <algorithm>
#include <utility>

namespace qs::widgets {

namespace {

constexpr int kFrame = 1;   // pixels for the frame that shows the focus
constexpr int kLeast = 20;  // pixels: QCustomPlot cannot paint on nothing
// Of the height: a legend below leaves them as much, or leaves itself.
constexpr double kLeastAxes = 0.25;
// A lower plot has no title on its horizontal axis.
constexpr int kLinesWithTitle = 9;

// Once everything is laid out: what the labels of the axes take is known only then.
bool legendLeaves(CurveLook& look, QCustomPlot& plot, int height)
{
    if (look.legend != LegendPlace::Below || plot.axisRect()->height() >= kLeastAxes * height)
        return false;
    look.legend = LegendPlace::None;
    return true;
}

}  // namespace

CurvePlot::CurvePlot(QWidget* parent)
    : QWidget(parent),
      m_plot(new PlotCanvas),
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
    if (std::none_of(m_set.curves.begin(), m_set.curves.end(),
                     [this](const Curve& curve) { return isOf(curve, m_chosen); }))
        m_chosen.clear();
    m_look.highlighted = m_chosen;
    redraw();
}

void CurvePlot::setSelectedCell(const QString& cellId)
{
    if (cellId == m_look.selectedCell)
        return;
    m_look.selectedCell = cellId;
    const QString highlighted = m_look.highlighted;
    // Another curve's cell was selected: the chosen one has had its time.
    const auto isSelected = [&](const CurvePoint& point) { return point.cellId == cellId; };
    if (!m_chosen.isEmpty() &&
        std::none_of(m_set.curves.begin(), m_set.curves.end(), [&](const Curve& curve) {
            return isOf(curve, m_chosen) &&
                   std::any_of(curve.points.begin(), curve.points.end(), isSelected);
        })) {
        m_chosen.clear();
        m_look.highlighted.clear();
    }
    if (highlighted != m_look.highlighted)
        return redraw();
    markSelection(*m_plot, m_set, m_look);
    if (isVisible())
        m_plot->layer(QString::fromLatin1(kSelectionLayer))->replot();
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
    for (const Curve& curve : m_set.curves) {
        if (!isOf(curve, key))
            continue;
        if (shown)
            m_look.hidden.remove(curve.key);
        else
            m_look.hidden.insert(curve.key);
    }
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

void CurvePlot::setAwaiting(bool awaiting)
{
    if (std::exchange(m_awaiting, awaiting) != awaiting)
        redraw();
}

void CurvePlot::setRoofsShown(bool shown)
{
    m_look.roofs = shown;
    redraw();
}

void CurvePlot::setZoomed(bool zoomed)
{
    if (!std::exchange(m_zoomed, zoomed) && !zoomed)
        return;
    Q_EMIT viewChanged(zoomed);
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
    m_plot->replotSoon();
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
    const auto before = std::pair(m_look.legend, m_look.legendEntries);
    chooseLegend(m_set, m_look, size());
    do {
        const bool nothing = m_set.empty() && !(m_awaiting && !m_set.planned.empty());
        m_pages->setCurrentWidget(nothing ? static_cast<QWidget*>(m_empty) : m_plot);
        {
            // A change of scale type corrects ranges that it cannot show; that is not the user's
            // doing either.
            const QScopedValueRollback<bool> guard(m_settingRange, true);
            drawCurves(*m_plot, m_set, m_look);
        }
        // The choice above the plot says what the axis is.
        if (height() < fontMetrics().lineSpacing() * kLinesWithTitle)
            m_plot->xAxis->setLabel({});
        if (!m_zoomed)
            showRange(fullRange(m_set, m_look));
        // The legend is new and has no place until it is laid out. A mouse event may come before
        // the queued repaint, and must find the entry under the pointer.
        layOutAxes(*m_plot, m_set);
        if (const double room = markRoom(*m_plot, m_look.theme);
            !m_zoomed && room != m_look.markRoom) {
            m_look.markRoom = room;
            showRange(fullRange(m_set, m_look));
            layOutAxes(*m_plot, m_set);
        }
        fitTitle(*m_plot);
    } while (legendLeaves(m_look, *m_plot, height()));
    if (before != std::pair(m_look.legend, m_look.legendEntries))
        Q_EMIT viewChanged(m_zoomed);
    m_plot->replotSoon();
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

QRect axesPlace(const CurvePlot& plot)
{
    const auto* canvas = plot.findChild<QCustomPlot*>();
    return canvas->axisRect()->rect().translated(canvas->pos());
}

QString unseenText(const CurvePlot& plot)
{
    QStringList texts;
    const int outside =
        plot.isZoomed() ? pointsOutside(plot.curves(), plot.look(), plot.visibleRange()) : 0;
    if (outside > 0)
        texts << countedText(outside, CurvePlot::tr("1 point outside."),
                             CurvePlot::tr("%1 points outside."));
    if (const int alike = curvesNotTold(plot.curves()); alike > 0)
        texts << countedText(
            alike, CurvePlot::tr("1 curve looks like another one; point at it for its name."),
            CurvePlot::tr("%1 curves look like others; point at them for their names."));
    return texts.join(QLatin1Char(' '));
}

void CurvePlot::paintEvent(QPaintEvent* event)
{
    QWidget::paintEvent(event);
    paintFocusFrame(*this);
}

}  // namespace qs::widgets

#include "moc_curve_plot.cpp"
