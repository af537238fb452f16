#include "widgets/plot/pareto_drawing.h"

#include "widgets/plot/qcustomplot.h"

#include <QCoreApplication>

namespace qs::widgets {

QString frontierName()
{
    return QCoreApplication::translate("ParetoSeries", "Pareto frontier");
}

void drawFrontier(QCustomPlot& plot, const CurveSet& set, const CurveLook& look)
{
    if (set.frontier.empty())
        return;
    auto* line = new QCPCurve(plot.xAxis, plot.yAxis);  // owned by the plot
    QColor color = look.theme.text;
    color.setAlphaF(0.55F);
    line->setPen(QPen(color, look.theme.lineWidth));
    line->setSelectable(QCP::stNone);
    line->setName(frontierName());
    // In steps: between two cells nothing was measured that would be better than both.
    for (std::size_t i = 0; i < set.frontier.size(); ++i) {
        const QPointF& point = set.frontier[i];
        if (i > 0)
            line->addData(point.x(), set.frontier[i - 1].y());
        line->addData(point.x(), point.y());
    }
    line->addToLegend();
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
        entry->setName(rule.name);
        entry->addToLegend();
    }
}

}  // namespace qs::widgets
