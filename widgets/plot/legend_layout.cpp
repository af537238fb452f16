#include "widgets/plot/legend_layout.h"

#include "widgets/plot/curve_range.h"
#include "widgets/plot/flow_legend.h"
#include "widgets/plot/legend_entries.h"
#include "widgets/plot/pareto_drawing.h"
#include "widgets/plot/qcustomplot.h"

#include <QFontMetrics>
#include <QSize>

#include <algorithm>
#include <vector>

namespace qs::widgets {

namespace {

constexpr int kRowSpacing = 1;
constexpr int kMargins = 20;  // of a legend, left and right

// All names that the legend may hold, in its order, with the first `most` curves where it names
// curves. Hidden curves included: they leave it in exports only.
QStringList entries(const CurveSet& set, const CurveLook& look, int most)
{
    QStringList names;
    for (const CurveRule& rule : set.rules)
        names << rule.name;
    for (const Frontier& frontier : frontiersOf(set, look))
        names << frontier.name;
    if (!set.baseline.empty())
        names << set.baselineName;
    int curves = 0;
    for (const LegendEntry& entry : legendEntries(set)) {
        if (entry.part != LegendPart::Curve || ++curves <= most)
            names << nameIn(look, entry);
    }
    for (const CurveRoof& roof : set.roofs) {
        if (look.roofs && !roofIsFar(set, roof))
            names << roof.name;
    }
    return names;
}

// Its entries leave with the curves; it is made once.
FlowLegend& legendOf(QCustomPlot& plot)
{
    if (auto* legend = dynamic_cast<FlowLegend*>(plot.legend))
        return *legend;
    delete plot.legend;
    auto* legend = new FlowLegend;  // owned by the layout that it comes into
    plot.legend = legend;
    return *legend;
}

// In a cell of its own with something elastic under it, or its entries would spread over the
// height.
void addBeside(QCustomPlot& plot, FlowLegend& legend, bool below)
{
    QCPLayoutGrid& layout = *plot.plotLayout();
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
}

}  // namespace

int legendRows(const QStringList& names, const CurveLook& look, int width)
{
    std::vector<int> widths;
    for (const QString& name : names)
        widths.push_back(flowEntryWidth(name, look.theme.font, look.legendIcon));
    return widths.empty() ? 0 : flowRows(widths, width - kMargins).back() + 1;
}

int legendWidth(const CurveSet& set, const CurveLook& look)
{
    int widest = 1;
    for (const QString& name : entries(set, look, kMostLegendEntries))
        widest = std::max(widest, flowEntryWidth(name, look.theme.font, look.legendIcon));
    return widest + kMargins;
}

int legendRows(const CurveSet& set, const CurveLook& look, int width)
{
    return legendRows(entries(set, look, look.legendEntries), look, width);
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
    // Once: of thousands of curves finding their names takes its time.
    QStringList names = entries(set, look, kMostLegendEntries);
    const auto others = entries(set, look, 0).size();
    auto most = std::min<qsizetype>(kMostLegendEntries, names.size() - others);
    while (most > 1 && legendRows(names, look, plot.width()) > rows) {
        names.removeLast();
        --most;
    }
    return std::max(1, static_cast<int>(most));
}

int legendEntriesBeside(const CurveSet& set, const CurveLook& look, int height)
{
    const auto others = static_cast<int>(entries(set, look, 0).size());
    return std::clamp(height / legendRowHeight(look) - others, 1, kMostLegendEntries);
}

void placeLegend(QCustomPlot& plot, const CurveLook& look)
{
    FlowLegend& legend = legendOf(plot);
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
    legend.setWrap(1);
    legend.setRowWidth(below ? plot.viewport().width() : 0);
    addBeside(plot, legend, below);
    legend.setLayer(QStringLiteral("legend"));
    legend.setVisible(true);
    legend.setFont(look.theme.font);
    legend.setTextColor(look.theme.text);
    legend.setBrush(Qt::NoBrush);
    legend.setBorderPen(Qt::NoPen);
    legend.setIconSize(look.legendIcon, legendRowHeight(look) - kRowSpacing);
    legend.setRowSpacing(kRowSpacing);
    legend.setMargins(below ? QMargins(kMargins / 2, 0, kMargins / 2, 0)
                            : QMargins(kMargins / 2, 5, kMargins / 2, 5));
}

}  // namespace qs::widgets
