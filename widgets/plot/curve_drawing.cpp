#include "widgets/plot/curve_drawing.h"

#include "widgets/plot/axis_ticker.h"
#include "widgets/plot/qcustomplot.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qs::widgets {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

QCPScatterStyle::ScatterShape shapeOf(Marker marker)
{
    switch (marker) {
    case Marker::Circle:
        return QCPScatterStyle::ssCircle;
    case Marker::Square:
        return QCPScatterStyle::ssSquare;
    case Marker::Diamond:
        return QCPScatterStyle::ssDiamond;
    case Marker::Triangle:
        return QCPScatterStyle::ssTriangle;
    case Marker::TriangleDown:
        return QCPScatterStyle::ssTriangleInverted;
    }
    return QCPScatterStyle::ssCircle;
}

class Drawing final
{
public:
    Drawing(QCustomPlot& plot, const CurveSet& set, const CurveLook& look)
        : m_plot(plot), m_set(set), m_look(look)
    {
    }

    void draw()
    {
        m_plot.clearPlottables();
        styleAxes();
        placeLegend();
        if (m_look.baseline)
            addBaseline();
        const std::vector<CurveStyle> styles = curveStyles(m_set, m_look.theme);
        int named = 0;
        for (std::size_t i = 0; i < m_set.curves.size(); ++i) {
            const Curve& curve = m_set.curves[i];
            if (!curve.empty())
                addCurve(curve, styles[i], named++ < kMostLegendEntries);
        }
        addSelection();
    }

private:
    void styleAxes();
    void styleAxis(QCPAxis& axis, bool logarithmic, int base);
    void placeLegend();
    void addBaseline();
    void addCurve(const Curve& curve, const CurveStyle& style, bool named);
    void addHollow(const Curve& curve, const CurveStyle& style, const QColor& color);
    void addIntervals(const Curve& curve, QCPGraph& line, const QColor& color);
    void addEnds(const Curve& curve, const QColor& color);
    void addSelection();
    QCPGraph* addMarks(const QColor& color);

    QCustomPlot& m_plot;
    const CurveSet& m_set;
    const CurveLook& m_look;
};

void Drawing::styleAxis(QCPAxis& axis, bool logarithmic, int base)
{
    const PlotTheme& theme = m_look.theme;
    axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setTicker(QSharedPointer<AxisTicker>::create(logarithmic ? base : 0));
    axis.setBasePen(QPen(theme.axis, 1.0));
    axis.setTickPen(QPen(theme.axis, 1.0));
    axis.setSubTickPen(QPen(theme.axis, 1.0));
    axis.setTickLabelColor(theme.text);
    axis.setLabelColor(theme.text);
    axis.setTickLabelFont(theme.font);
    axis.setLabelFont(theme.font);
    axis.grid()->setPen(QPen(theme.grid, 1.0));
    axis.grid()->setZeroLinePen(QPen(theme.grid, 1.0));
    axis.grid()->setSubGridVisible(false);
}

void Drawing::styleAxes()
{
    m_plot.setBackground(m_look.theme.background);
    const bool numbers = m_set.categories.isEmpty();
    styleAxis(*m_plot.xAxis, numbers && m_look.logarithmicX,
              m_set.axis == QStringLiteral("batch") ? 2 : 10);
    styleAxis(*m_plot.yAxis, m_look.logarithmicY, 10);
    if (!numbers) {
        const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
        for (qsizetype i = 0; i < m_set.categories.size(); ++i)
            ticker->addTick(static_cast<double>(i), m_set.categories[i]);
        m_plot.xAxis->setTicker(ticker);
    }
    // Long names of schemes run into one another when they lie flat.
    constexpr int kMostFlatLetters = 48;
    const bool crowded = m_set.categories.join(QString()).size() > kMostFlatLetters;
    m_plot.xAxis->setTickLabelRotation(crowded ? 30.0 : 0.0);
    m_plot.xAxis->setLabel(m_set.xLabel);
    m_plot.yAxis->setLabel(m_set.yLabel);
}

void Drawing::placeLegend()
{
    QCPLegend& legend = *m_plot.legend;
    QCPLayoutGrid& layout = *m_plot.plotLayout();
    if (legend.layout() != nullptr)
        legend.layout()->take(&legend);
    for (const QPoint& cell : {QPoint(1, 0), QPoint(0, 1)}) {
        if (layout.hasElement(cell.y(), cell.x()))
            layout.remove(layout.element(cell.y(), cell.x()));
    }
    layout.simplify();
    const bool below = m_look.legend == LegendPlace::Below;
    legend.setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
    // Rows of as many entries as fit side by side; one below the other on the right.
    const QFontMetrics metrics(m_look.theme.font);
    int widest = 1;
    for (const Curve& curve : m_set.curves)
        widest = std::max(widest, metrics.horizontalAdvance(curve.name));
    constexpr int kIconAndGaps = 50;
    const int fitting = std::max(1, (m_plot.viewport().width() - 20) / (widest + kIconAndGaps));
    legend.setWrap(below ? fitting : 1);
    // In a cell of its own with something elastic under it, or its entries would spread over the
    // height.
    auto* side = new QCPLayoutGrid;  // owned by the layout
    layout.addElement(below ? 1 : 0, below ? 0 : 1, side);
    side->addElement(0, 0, &legend);
    side->addElement(1, 0, new QCPLayoutElement(&m_plot));
    side->setRowStretchFactor(0, 0.001);
    side->setRowSpacing(0);
    if (below)
        layout.setRowStretchFactor(1, 0.001);
    else
        layout.setColumnStretchFactor(1, 0.001);
    legend.setVisible(true);
    legend.setFont(m_look.theme.font);
    legend.setTextColor(m_look.theme.text);
    legend.setBrush(Qt::NoBrush);
    legend.setBorderPen(Qt::NoPen);
    // An entry is clipped to the height of its icon: a lower one would cut the tails of letters.
    legend.setIconSize(28, metrics.height() + 3);
    legend.setRowSpacing(1);
}

QCPGraph* Drawing::addMarks(const QColor& color)
{
    QCPGraph* graph = m_plot.addGraph();
    graph->removeFromLegend();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setPen(QPen(color, m_look.theme.lineWidth));
    graph->setSelectable(QCP::stNone);
    return graph;
}

void Drawing::addBaseline()
{
    if (m_set.baseline.empty())
        return;
    QCPGraph* graph = m_plot.addGraph();
    graph->setName(m_set.baselineName);
    QColor color = m_look.theme.text;
    color.setAlphaF(0.35F);
    // A broad band under the curves: it often coincides with one of them.
    graph->setPen(QPen(color, m_look.theme.lineWidth * 3.5, Qt::SolidLine, Qt::RoundCap));
    graph->setSelectable(QCP::stNone);
    for (const QPointF& point : m_set.baseline)
        graph->addData(point.x(), point.y());
}

void Drawing::addCurve(const Curve& curve, const CurveStyle& style, bool named)
{
    const bool hidden = m_look.hidden.contains(curve.key);
    const bool faded = !m_look.highlighted.isEmpty() && m_look.highlighted != curve.key;
    QColor color = style.color;
    if (faded)
        color.setAlphaF(0.18F);
    QCPGraph* line = m_plot.addGraph();
    line->setName(curve.name);
    line->setProperty(kCurveKeyProperty, curve.key);
    line->setVisible(!hidden);
    line->setSelectable(QCP::stNone);
    line->setPen(QPen(color, m_look.theme.lineWidth, style.line, Qt::FlatCap));
    // Markers have a solid outline of their own, whatever the dashes of the line.
    line->setScatterStyle(QCPScatterStyle(shapeOf(style.marker),
                                          QPen(color, m_look.theme.lineWidth), QBrush(color),
                                          m_look.theme.markerSize));
    for (const CurvePoint& point : curve.points)
        line->addData(point.x, point.y);
    if (!named)
        line->removeFromLegend();
    else if (hidden)
        m_plot.legend->itemWithPlottable(line)->setTextColor(m_look.theme.axis);
    if (hidden)
        return;
    addIntervals(curve, *line, color);
    addHollow(curve, style, color);
    addEnds(curve, color);
}

void Drawing::addIntervals(const Curve& curve, QCPGraph& line, const QColor& color)
{
    auto* bars = new QCPErrorBars(m_plot.xAxis, m_plot.yAxis);  // owned by the plot
    bars->removeFromLegend();
    bars->setDataPlottable(&line);
    bars->setSelectable(QCP::stNone);
    bars->setPen(QPen(color, m_look.theme.lineWidth * 0.75));
    bars->setWhiskerWidth(m_look.theme.markerSize);
    bars->setSymbolGap(m_look.theme.markerSize);
    const auto finite = [](double value) { return std::isfinite(value) ? value : kNone; };
    for (const CurvePoint& point : curve.points) {
        if (point.interval)
            bars->addData(finite(point.y - point.interval->lower),
                          finite(point.interval->upper - point.y));
        else
            bars->addData(kNone, kNone);
    }
}

void Drawing::addHollow(const Curve& curve, const CurveStyle& style, const QColor& color)
{
    QCPGraph* hollow = addMarks(color);
    hollow->setScatterStyle(
        QCPScatterStyle(shapeOf(style.marker), QPen(color, m_look.theme.lineWidth),
                        QBrush(m_look.theme.background), m_look.theme.markerSize));
    for (const CurvePoint& point : curve.points) {
        if (!point.settled)
            hollow->addData(point.x, point.y);
    }
}

void Drawing::addEnds(const Curve& curve, const QColor& color)
{
    if (curve.ends.empty())
        return;
    QCPGraph* ends = addMarks(color);
    ends->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross,
                                          QPen(color, m_look.theme.lineWidth * 1.4), Qt::NoBrush,
                                          m_look.theme.markerSize * 1.3));
    for (const CurveEnd& end : curve.ends)
        ends->addData(end.x, end.y);
}

void Drawing::addSelection()
{
    QCPGraph* ring = addMarks(m_look.theme.emphasis);
    ring->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle,
                                          QPen(m_look.theme.emphasis, m_look.theme.lineWidth * 1.6),
                                          Qt::NoBrush, m_look.theme.markerSize * 2.3));
    const auto mark = [&](const auto& place) {
        if (place.cellId == m_look.selectedCell)
            ring->addData(place.x, place.y);
    };
    for (const Curve& curve : m_set.curves) {
        if (m_look.selectedCell.isEmpty() || m_look.hidden.contains(curve.key))
            continue;
        std::for_each(curve.points.begin(), curve.points.end(), mark);
        std::for_each(curve.ends.begin(), curve.ends.end(), mark);
    }
}

// Grows a range by what lies in it.
class Extent final
{
public:
    explicit Extent(bool logarithmic) : m_logarithmic(logarithmic) {}

    void add(double value)
    {
        if (!std::isfinite(value) || (m_logarithmic && value <= 0.0))
            return;
        m_lower = std::min(m_lower, value);
        m_upper = std::max(m_upper, value);
    }
    [[nodiscard]] bool empty() const { return m_lower > m_upper; }

    // With a margin of `share` on both sides; a single value gets room around it.
    [[nodiscard]] QCPRange padded(double share) const
    {
        if (empty())
            return m_logarithmic ? QCPRange(1.0, 10.0) : QCPRange(0.0, 1.0);
        if (m_logarithmic) {
            const double factor = std::max(std::pow(m_upper / m_lower, share), 1.15);
            return {m_lower / factor, m_upper * factor};
        }
        const double room = m_upper > m_lower ? (m_upper - m_lower) * share
                                              : std::max(std::abs(m_upper) * share, 1e-6);
        return {m_lower - room, m_upper + room};
    }

private:
    bool m_logarithmic;
    double m_lower = std::numeric_limits<double>::infinity();
    double m_upper = -std::numeric_limits<double>::infinity();
};

}  // namespace

void drawCurves(QCustomPlot& plot, const CurveSet& set, const CurveLook& look)
{
    Drawing(plot, set, look).draw();
}

QRectF fullRange(const CurveSet& set, const CurveLook& look)
{
    const bool numbers = set.categories.isEmpty();
    Extent across(numbers && look.logarithmicX);
    Extent up(look.logarithmicY);
    for (const Curve& curve : set.curves) {
        if (look.hidden.contains(curve.key))
            continue;
        for (const CurvePoint& point : curve.points) {
            across.add(point.x);
            up.add(point.y);
            if (point.interval) {
                up.add(point.interval->lower);
                up.add(point.interval->upper);
            }
        }
        for (const CurveEnd& end : curve.ends) {
            across.add(end.x);
            up.add(end.y);
        }
    }
    for (const QPointF& point : set.baseline) {
        if (look.baseline)
            up.add(point.y());
    }
    // A ratio of heights can be read off only from zero; SSIM and PSNR would be squeezed to a line.
    if (!look.logarithmicY && !isQuality(set.metric) && !up.empty())
        up.add(0.0);
    QCPRange x = across.padded(0.05);
    QCPRange y = up.padded(0.06);
    if (!numbers)
        x = QCPRange(-0.5, static_cast<double>(set.categories.size()) - 0.5);
    if (!look.logarithmicY && !isQuality(set.metric))
        y.lower = std::max(y.lower, 0.0);
    return {x.lower, y.lower, x.size(), y.size()};
}

QStringList legendKeys(const CurveSet& set)
{
    QStringList keys;
    for (const Curve& curve : set.curves) {
        if (!curve.empty() && keys.size() < kMostLegendEntries)
            keys << curve.key;
    }
    return keys;
}

}  // namespace qs::widgets
