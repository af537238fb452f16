#include "widgets/plot/curve_drawing.h"

#include "widgets/plot/curve_axes.h"
#include "widgets/plot/curve_marks.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/interval_bars.h"
#include "widgets/plot/legend_entries.h"
#include "widgets/plot/legend_layout.h"
#include "widgets/plot/pareto_drawing.h"
#include "widgets/plot/qcustomplot.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace qs::widgets {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// A line whose marks are drawn beside it, each once: filled or hollow. Its own style is that of the
// legend.
class UnmarkedLine final : public QCPGraph
{
public:
    using QCPGraph::QCPGraph;

protected:
    void drawScatterPlot(QCPPainter*, const QVector<QPointF>&,
                         const QCPScatterStyle&) const override
    {
    }
};

class Drawing final
{
public:
    Drawing(QCustomPlot& plot, const CurveSet& set, const CurveLook& look)
        : m_plot(plot), m_set(set), m_look(look)
    {
    }

    void draw()
    {
        // Each entry that leaves the legend has it laid out anew: only those that stay go in.
        m_plot.setAutoAddPlottableToLegend(false);
        m_plot.clearPlottables();
        m_plot.clearItems();
        styleAxes(m_plot, m_set, m_look);
        placeLegend(m_plot, m_look);
        drawRules(m_plot, m_set, m_look);
        drawFrontiers(m_plot, m_set, m_look);
        addBaseline();
        const std::vector<CurveStyle> styles = curveStyles(m_set, m_look.theme);
        const std::vector<LegendEntry> entries = legendEntries(m_set);
        addFactors(entries, styles, false);
        const std::vector<QString> names = namesOfCurves(entries);
        for (std::size_t i = 0; i < m_set.curves.size(); ++i) {
            if (!m_set.curves[i].empty())
                addCurve(m_set.curves[i], styles[i], names[i]);
        }
        addFactors(entries, styles, true);
        if (m_look.roofs)
            addRoofs(styles);
        markSelection(m_plot, m_set, m_look);
    }

private:
    void addSized(const Curve& curve, const CurveStyle& style, const QColor& color);
    void addRoofs(const std::vector<CurveStyle>& styles);
    void addBaseline();
    // A little to the left (way -1) or right (1) of a place.
    [[nodiscard]] double beside(double x, double way) const;
    // What the legend calls each curve; empty for those that it does not name.
    [[nodiscard]] std::vector<QString> namesOfCurves(const std::vector<LegendEntry>& entries) const;
    // `name` in the legend; empty: it has no entry there.
    void addCurve(const Curve& curve, const CurveStyle& style, const QString& name);
    // Entries that stand for several curves, those of runs or the others; nothing of them is drawn
    // in the axes.
    void addFactors(const std::vector<LegendEntry>& entries, const std::vector<CurveStyle>& styles,
                    bool runs);
    // At the points that are wanted; nothing for none.
    void addMarksOf(const Curve& curve, const QCPScatterStyle& style,
                    const std::function<bool(const CurvePoint&)>& wanted);
    void addIntervals(const Curve& curve, QCPGraph& line, const QColor& color);
    void addEnds(const Curve& curve, const QColor& color);
    QCPGraph* addMarks(const QColor& color);

    QCustomPlot& m_plot;
    const CurveSet& m_set;
    const CurveLook& m_look;
};

QCPGraph* Drawing::addMarks(const QColor& color)
{
    QCPGraph* graph = m_plot.addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setPen(QPen(color, m_look.theme.lineWidth));
    graph->setSelectable(QCP::stNone);
    return graph;
}

double Drawing::beside(double x, double way) const
{
    const bool numbers = m_set.categories.isEmpty();
    return logarithmicAcross(m_set, m_look) ? x * std::pow(1.15, way)
                                            : x + (numbers ? 0.05 * x : 0.4) * way;
}

void Drawing::addBaseline()
{
    if (m_set.baseline.empty())
        return;
    QColor color = m_look.theme.text;
    color.setAlphaF(0.35F);
    QCPGraph* graph = m_plot.addGraph();
    graph->setName(fittedName(m_look, m_set.baselineName));
    graph->addToLegend();
    // A broad band under the curves: it often coincides with one of them.
    graph->setPen(QPen(color, m_look.theme.lineWidth * 3.5, Qt::SolidLine, Qt::RoundCap));
    graph->setSelectable(QCP::stNone);
    // A disc at each of them: the cell itself may be in no curve, and one alone has no line.
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(Qt::NoPen), QBrush(color),
                                           m_look.theme.markerSize * 2.0));
    const bool level =
        std::all_of(m_set.baseline.begin(), m_set.baseline.end(), [this](const QPointF& point) {
            return point.y() == m_set.baseline.front().y();
        });
    if (level || !m_set.baselineIsLine || !m_set.categories.isEmpty() || m_set.scatter)
        graph->setLineStyle(QCPGraph::lsNone);
    for (const QPointF& point : m_set.baseline)
        graph->addData(point.x(), point.y());
    if (!level || m_set.scatter)
        return;
    // One for all: a rule that every point can be read against.
    QCPGraph* rule = m_plot.addGraph();
    rule->setPen(graph->pen());
    rule->setSelectable(QCP::stNone);
    rule->addData(beside(m_set.baseline.front().x(), -1.0), m_set.baseline.front().y());
    rule->addData(beside(m_set.baseline.back().x(), 1.0), m_set.baseline.front().y());
}

void Drawing::addRoofs(const std::vector<CurveStyle>& styles)
{
    for (const CurveRoof& roof : m_set.roofs) {
        QColor color = m_look.theme.axis;
        for (std::size_t i = 0; i < m_set.curves.size(); ++i) {
            if (!roof.precision.isEmpty() && m_set.curves[i].precision == roof.precision)
                color = styles[i].color;
        }
        QCPGraph* graph = m_plot.addGraph();
        graph->setName(fittedName(m_look, roof.name));
        if (!roofIsFar(m_set, roof))
            graph->addToLegend();
        graph->setSelectable(QCP::stNone);
        graph->setPen(QPen(color, m_look.theme.lineWidth, Qt::CustomDashLine, Qt::FlatCap));
        QPen pen = graph->pen();
        pen.setDashPattern({7.0, 4.0});
        graph->setPen(pen);
        // A limit of a single place is a line all the same.
        graph->addData(beside(roof.points.front().x(), -1.0), roof.points.front().y());
        for (const QPointF& point : roof.points)
            graph->addData(point.x(), point.y());
        graph->addData(beside(roof.points.back().x(), 1.0), roof.points.back().y());
    }
}

std::vector<QString> Drawing::namesOfCurves(const std::vector<LegendEntry>& entries) const
{
    std::vector<QString> names(m_set.curves.size());
    int named = 0;
    for (const LegendEntry& entry : entries) {
        if (entry.part == LegendPart::Curve && named++ < m_look.legendEntries)
            names[entry.curve] = nameIn(m_look, entry);
    }
    return names;
}

void Drawing::addCurve(const Curve& curve, const CurveStyle& style, const QString& name)
{
    const bool named = !name.isEmpty();
    const bool hidden = m_look.hidden.contains(curve.key);
    const bool faded = !m_look.highlighted.isEmpty() && !isOf(curve, m_look.highlighted);
    QColor color = style.color;
    if (faded)
        color.setAlphaF(0.18F);
    auto* line = new UnmarkedLine(m_plot.xAxis, m_plot.yAxis);  // owned by the plot
    line->setName(named ? name : curve.name);
    line->setProperty(kCurveKeyProperty, curve.key);
    line->setVisible(!hidden);
    line->setSelectable(QCP::stNone);
    line->setPen(linePen(style, color, m_look.theme.lineWidth));
    // Nothing lies between one precision and the next.
    if (!m_set.categories.isEmpty() || m_set.scatter)
        line->setLineStyle(QCPGraph::lsNone);
    // Markers have a solid outline of their own, whatever the dashes of the line.
    line->setScatterStyle(markStyle(style.marker, QPen(color, m_look.theme.lineWidth),
                                    QBrush(color), m_look.theme.markerSize));
    for (const CurvePoint& point : curve.points)
        line->addData(point.x, point.y);
    if (named)
        line->addToLegend();
    if (named && hidden)
        m_plot.legend->itemWithPlottable(line)->setTextColor(m_look.theme.axis);
    if (hidden)
        return;
    // The marks of other runs have no inside, whatever their points are.
    const bool own = curve.run == 0;
    addMarksOf(curve, line->scatterStyle(),
               [own](const CurvePoint& point) { return point.settled || !own; });
    addIntervals(curve, *line, color);
    if (m_set.scatter)
        addSized(curve, style, color);
    QCPScatterStyle hollow = line->scatterStyle();
    hollow.setBrush(m_look.theme.background);
    addMarksOf(curve, hollow, [own](const CurvePoint& point) { return own && !point.settled; });
    addEnds(curve, color);
}

// Around the marks that all points have: an area that stands for the memory of the cell. Those of
// other runs are hollow.
void Drawing::addSized(const Curve& curve, const CurveStyle& style, const QColor& color)
{
    constexpr double kStep = 0.3;  // sizes nearer to one another look alike
    std::map<int, QCPGraph*> areas;
    const bool own = curve.run == 0;
    QColor ground = color;
    ground.setAlphaF(0.25F * color.alphaF());
    for (const CurvePoint& point : curve.points) {
        const int step = static_cast<int>(std::lround(point.size / kStep));
        QCPGraph*& area = areas[step];
        if (area == nullptr) {
            area = addMarks(color);
            area->setScatterStyle(
                markStyle(own ? style.marker : Marker::Circle, QPen(color, 1.0),
                          own ? QBrush(ground) : QBrush(Qt::NoBrush),
                          m_look.theme.markerSize * 1.6 * kStep * static_cast<double>(step)));
        }
        area->addData(point.x, point.y);
    }
}

void Drawing::addFactors(const std::vector<LegendEntry>& entries,
                         const std::vector<CurveStyle>& styles, bool runs)
{
    const bool rests = std::any_of(entries.begin(), entries.end(), [](const LegendEntry& entry) {
        return entry.part == LegendPart::Rest;
    });
    for (const LegendEntry& entry : entries) {
        if (entry.part == LegendPart::Curve || (entry.part == LegendPart::Run) != runs)
            continue;
        CurveStyle style = styles[entry.curve];
        // What all curves of the run have in common.
        if (entry.part == LegendPart::Run)
            style.dashes.clear();
        const bool precision = entry.part == LegendPart::Precision;
        const bool hidden = isHidden(m_set, m_look, entry.key);
        QColor color = precision ? style.color : m_look.theme.text;
        if (hidden)
            color = m_look.theme.grid;
        QCPGraph* graph = m_plot.addGraph();
        graph->setName(nameIn(m_look, entry));
        graph->setProperty(kCurveKeyProperty, entry.key);
        graph->setSelectable(QCP::stNone);
        // The precision is a colour, the compile mode a line with its mark, another run or what
        // else differs a mark, which a line then has none of.
        if (precision) {
            graph->setPen(QPen(color, m_look.theme.lineWidth * 3.0, Qt::SolidLine, Qt::FlatCap));
        } else {
            // No line in the legend that the axes do not have.
            const bool line = entry.part != LegendPart::Rest && m_set.hasLines();
            graph->setPen(line ? linePen(style, color, m_look.theme.lineWidth) : QPen(Qt::NoPen));
            if (entry.part != LegendPart::Compile || !rests)
                graph->setScatterStyle(markStyle(style.marker, QPen(color, m_look.theme.lineWidth),
                                                 QBrush(color), m_look.theme.markerSize));
        }
        graph->addToLegend();
        if (hidden)
            m_plot.legend->itemWithPlottable(graph)->setTextColor(m_look.theme.axis);
    }
}

void Drawing::addIntervals(const Curve& curve, QCPGraph& line, const QColor& color)
{
    auto* bars = new IntervalBars(m_plot.xAxis, m_plot.yAxis);  // owned by the plot
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

void Drawing::addMarksOf(const Curve& curve, const QCPScatterStyle& style,
                         const std::function<bool(const CurvePoint&)>& wanted)
{
    QVector<double> x;
    QVector<double> y;
    for (const CurvePoint& point : curve.points) {
        if (!wanted(point))
            continue;
        x << point.x;
        y << point.y;
    }
    if (x.isEmpty())
        return;
    QCPGraph* marks = addMarks(style.pen().color());
    marks->setScatterStyle(style);
    marks->setData(x, y);
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

QCPLayer& selectionLayer(QCustomPlot& plot)
{
    const QString name = QString::fromLatin1(kSelectionLayer);
    if (plot.layer(name) == nullptr) {
        plot.addLayer(name, plot.layer(QStringLiteral("main")));
        plot.layer(name)->setMode(QCPLayer::lmBuffered);
    }
    return *plot.layer(name);
}

}  // namespace

void markSelection(QCustomPlot& plot, const CurveSet& set, const CurveLook& look)
{
    // Another graph on the layer would have every layer painted again.
    QCPLayer& layer = selectionLayer(plot);
    const QList<QCPLayerable*> before = layer.children();
    QCPGraph* ring = before.isEmpty() ? plot.addGraph() : qobject_cast<QCPGraph*>(before.first());
    if (before.isEmpty()) {
        ring->setLayer(&layer);
        ring->setLineStyle(QCPGraph::lsNone);
        ring->setSelectable(QCP::stNone);
    }
    ring->data()->clear();
    ring->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle,
                                          QPen(look.theme.emphasis, look.theme.lineWidth * 1.6),
                                          Qt::NoBrush, look.theme.markerSize * 2.3));
    const auto mark = [&](const auto& place) {
        if (place.cellId == look.selectedCell)
            ring->addData(place.x, place.y);
    };
    for (const Curve& curve : set.curves) {
        if (look.selectedCell.isEmpty() || look.hidden.contains(curve.key))
            continue;
        std::for_each(curve.points.begin(), curve.points.end(), mark);
        std::for_each(curve.ends.begin(), curve.ends.end(), mark);
    }
}

void drawCurves(QCustomPlot& plot, const CurveSet& set, const CurveLook& look)
{
    Drawing(plot, set, look).draw();
}

}  // namespace qs::widgets
