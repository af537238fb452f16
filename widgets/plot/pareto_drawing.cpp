#include "widgets/plot/pareto_drawing.h"

#include "widgets/plot/legend_entries.h"
#include "widgets/plot/qcustomplot.h"

#include <QCoreApplication>

namespace qs::widgets {

namespace {

// In steps: between two cells nothing was measured that would be better than both.
void drawSteps(QCustomPlot& plot, const Frontier& frontier, const CurveLook& look)
{
    auto* line = new QCPCurve(plot.xAxis, plot.yAxis);  // owned by the plot
    QColor color = look.theme.text;
    color.setAlphaF(0.55F);
    QPen pen(color, look.theme.lineWidth);
    // Told apart from one another by the length of the dashes, from limits by their steps.
    if (frontier.run > 0)
        pen.setDashPattern({2.0 + 3.0 * frontier.run, 2.5});
    line->setPen(pen);
    line->setSelectable(QCP::stNone);
    line->setName(fittedName(look, frontier.name));
    for (std::size_t i = 0; i < frontier.points.size(); ++i) {
        const QPointF& point = frontier.points[i];
        if (i > 0)
            line->addData(point.x(), frontier.points[i - 1].y());
        line->addData(point.x(), point.y());
    }
    line->addToLegend();
}

}  // namespace

std::vector<Frontier> frontiersOf(const CurveSet& set, const CurveLook& look)
{
    std::vector<Frontier> frontiers;
    const QString name = QCoreApplication::translate("ParetoSeries", "Pareto frontier");
    if (!set.frontier.empty())
        frontiers.push_back({.name = name, .run = 0, .points = set.frontier});
    for (qsizetype i = 0; i < set.otherRuns.size(); ++i) {
        const LaidRun& laid = set.otherRuns[i];
        const int run = static_cast<int>(i) + 1;
        if (!laid.frontier.empty() && !isRunHidden(set, look, run))
            frontiers.push_back({.name = QStringLiteral("%1, %2").arg(name, laid.name),
                                 .run = run,
                                 .points = laid.frontier});
    }
    return frontiers;
}

void drawFrontiers(QCustomPlot& plot, const CurveSet& set, const CurveLook& look)
{
    for (const Frontier& frontier : frontiersOf(set, look))
        drawSteps(plot, frontier, look);
}

void drawRules(QCustomPlot& plot, const CurveSet& set, const CurveLook& look)
{
    for (const CurveRule& rule : set.rules) {
        auto* line = new QCPItemStraightLine(&plot);  // owned by the plot
        const QPen pen(rule.wanted ? look.theme.text : look.theme.axis, look.theme.lineWidth,
                       rule.wanted ? Qt::DashDotLine : Qt::DotLine);
        line->setPen(pen);
        line->setSelectable(false);
        // Along the other axis by its length: a logarithmic one has no zero.
        for (QCPItemPosition* point : {line->point1, line->point2}) {
            const double along = point == line->point1 ? 0.0 : 1.0;
            if (rule.level) {
                point->setTypeX(QCPItemPosition::ptAxisRectRatio);
                point->setCoords(along, rule.at);
            } else {
                point->setTypeY(QCPItemPosition::ptAxisRectRatio);
                point->setCoords(rule.at, along);
            }
        }
        // The entry of the legend has to belong to a graph.
        QCPGraph* entry = plot.addGraph();
        entry->setPen(pen);
        entry->setSelectable(QCP::stNone);
        entry->setName(fittedName(look, rule.name));
        entry->addToLegend();
    }
}

}  // namespace qs::widgets
