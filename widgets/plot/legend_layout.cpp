#include "widgets/plot/legend_layout.h"

#include "widgets/plot/curve_range.h"
#include "widgets/plot/legend_entries.h"
#include "widgets/plot/pareto_drawing.h"
#include "widgets/plot/qcustomplot.h"

#include <QFontMetrics>
#include <QSize>

#include <algorithm>

namespace qs::widgets {

namespace {

constexpr int kRowSpacing = 1;

// All names that the legend may hold, hidden curves included: they leave it in exports only.
QStringList entries(const CurveSet& set, const CurveLook& look)
{
    QStringList names;
    if (!set.baseline.empty())
        names << set.baselineName;
    for (const LegendEntry& entry : legendEntries(set))
        names << entry.name;
    for (const CurveRule& rule : set.rules)
        names << rule.name;
    for (const Frontier& frontier : frontiersOf(set, look))
        names << frontier.name;
    for (const CurveRoof& roof : set.roofs) {
        if (look.roofs && !roofIsFar(set, roof))
            names << roof.name;
    }
    return names;
}

// Entries that fit side by side.
int fitting(const CurveSet& set, const CurveLook& look, int width)
{
    return std::max(1, (width - 20) / legendWidth(set, look));
}

}  // namespace

int legendWidth(const CurveSet& set, const CurveLook& look)
{
    constexpr int kIconAndGaps = 50;
    const QFontMetrics metrics(look.theme.font);
    int widest = 1;
    for (const QString& name : entries(set, look))
        widest = std::max(widest, metrics.horizontalAdvance(name));
    return widest + kIconAndGaps;
}

int legendRows(const CurveSet& set, const CurveLook& look, int width)
{
    const int columns = fitting(set, look, width);
    const int count = std::min(static_cast<int>(entries(set, look).size()),
                               kMostLegendEntries + static_cast<int>(set.roofs.size()) + 1);
    return (count + columns - 1) / columns;
}

int legendRowHeight(const CurveLook& look)
{
    // An entry is clipped to the height of its icon: a lower one would cut the tails of letters.
    return QFontMetrics(look.theme.font).height() + 3 + kRowSpacing;
}

int legendEntriesBelow(const CurveSet& set, const CurveLook& look, const QSize& plot)
{
    constexpr double kShare = 0.4;
    const int rows = static_cast<int>(kShare * plot.height()) / legendRowHeight(look);
    const int others = 1 + static_cast<int>(set.roofs.size());
    return std::clamp(rows * fitting(set, look, plot.width()) - others, 1, kMostLegendEntries);
}

void placeLegend(QCustomPlot& plot, const CurveSet& set, const CurveLook& look)
{
    QCPLegend& legend = *plot.legend;
    QCPLayoutGrid& layout = *plot.plotLayout();
    if (legend.layout() != nullptr)
        legend.layout()->take(&legend);
    for (const QPoint& cell : {QPoint(1, 0), QPoint(0, 1)}) {
        if (layout.hasElement(cell.y(), cell.x()))
            layout.remove(layout.element(cell.y(), cell.x()));
    }
    layout.simplify();
    if (look.legend == LegendPlace::None) {
        // Somewhere it has to be.
        plot.axisRect()->insetLayout()->addElement(&legend, Qt::AlignTop);
        legend.setVisible(false);
        return;
    }
    const bool below = look.legend == LegendPlace::Below;
    legend.setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
    // Rows of as many entries as fit side by side; one below the other on the right.
    legend.setWrap(below ? fitting(set, look, plot.viewport().width()) : 1);
    // In a cell of its own with something elastic under it, or its entries would spread over the
    // height.
    auto* side = new QCPLayoutGrid;  // owned by the layout
    layout.addElement(below ? 1 : 0, below ? 0 : 1, side);
    side->addElement(0, 0, &legend);
    side->addElement(1, 0, new QCPLayoutElement(&plot));
    side->setRowStretchFactor(0, 0.001);
    side->setRowSpacing(0);
    if (below)
        layout.setRowStretchFactor(1, 0.001);
    else
        layout.setColumnStretchFactor(1, 0.001);
    legend.setVisible(true);
    legend.setFont(look.theme.font);
    legend.setTextColor(look.theme.text);
    legend.setBrush(Qt::NoBrush);
    legend.setBorderPen(Qt::NoPen);
    legend.setIconSize(28, legendRowHeight(look) - kRowSpacing);
    legend.setRowSpacing(kRowSpacing);
}

}  // namespace qs::widgets
