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
// The legend goes under the plot if that is narrow, or if it would take more of its width.
constexpr int kNarrowLetters = 100;
constexpr double kLegendShare = 0.36;
// Of the height: a legend below that takes more has short names.
constexpr double kLongLegendShare = 0.2;
// Lines of text that the axes need with their own labels before a legend below them gets room.
constexpr int kLeastAxisLines = 11;

// All names that the legend may hold, in its order, with the first `most` curves where it names
// curves. Hidden curves included: they leave it in exports only.
QStringList entries(const CurveSet& set, const CurveLook& look, int most)
{
    QStringList names;
    for (const CurveRule& rule : set.rules)
        names << fittedName(look, rule.name);
    for (const Frontier& frontier : frontiersOf(set, look))
        names << fittedName(look, frontier.name);
    if (!set.baseline.empty())
        names << fittedName(look, set.baselineName);
    int curves = 0;
    for (const LegendEntry& entry : legendEntries(set)) {
        if (entry.part != LegendPart::Curve || ++curves <= most)
            names << nameIn(look, entry);
    }
    for (const CurveRoof& roof : set.roofs) {
        if (look.roofs && !roofIsFar(set, roof))
            names << fittedName(look, roof.name);
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

int legendRows(const CurveSet& set, const CurveLook& look, int width)
{
    return legendRows(entries(set, look, look.legendEntries), look, width);
}

int legendRowHeight(const CurveLook& look)
{
    // An entry is clipped to the height of its icon: a lower one would cut the tails of letters.
    return QFontMetrics(look.theme.font).height() + 3 + kRowSpacing;
}

namespace {

// Of the widest entry, and so of a legend on the right.
int legendWidth(const CurveSet& set, const CurveLook& look)
{
    int widest = 1;
    for (const QString& name : entries(set, look, kMostLegendEntries))
        widest = std::max(widest, flowEntryWidth(name, look.theme.font, look.legendIcon));
    return widest + kMargins;
}

// How many curves a legend below a plot of that size can name and leave the axes two thirds of it.
int legendEntriesBelow(const CurveSet& set, const CurveLook& look, const QSize& plot)
{
    constexpr double kShare = 1.0 / 3.0;
    const int rows = static_cast<int>(kShare * plot.height()) / legendRowHeight(look);
    // Once: of thousands of curves finding their names takes its time.
    QStringList names = entries(set, look, kMostLegendEntries);
    const QStringList others = entries(set, look, 0);
    // The curves stand together, and others behind them.
    const auto first = std::mismatch(others.begin(), others.end(), names.begin()).first;
    auto most = names.size() - others.size();
    while (most > 1 && legendRows(names, look, plot.width()) > rows) {
        --most;
        names.removeAt(first - others.begin() + most);
    }
    return std::max(1, static_cast<int>(most));
}

// How many curves one beside a plot of that height can name.
int legendEntriesBeside(const CurveSet& set, const CurveLook& look, int height)
{
    const auto others = static_cast<int>(entries(set, look, 0).size());
    return std::clamp(height / legendRowHeight(look) - others, 1, kMostLegendEntries);
}

// Whether it has room there. One without entries, before the first cell is measured, would still
// take its part.
bool fitsBeside(const CurveSet& set, CurveLook& look, const QSize& plot)
{
    look.legend = LegendPlace::Right;
    look.legendEntries = legendEntriesBeside(set, look, plot.height());
    const int rows = legendRows(set, look, 0);
    return rows > 0 && rows * legendRowHeight(look) <= plot.height();
}

bool fitsBelow(const CurveSet& set, CurveLook& look, const QSize& plot)
{
    look.legend = LegendPlace::Below;
    look.longestName = flowNameWidth(plot.width() - kMargins, look.legendIcon);
    const auto height = [&] { return legendRows(set, look, plot.width()) * legendRowHeight(look); };
    look.shortLegend = height() > kLongLegendShare * plot.height();
    look.legendEntries = legendEntriesBelow(set, look, plot);
    const int least = QFontMetrics(look.theme.font).lineSpacing() * kLeastAxisLines;
    return height() > 0 && plot.height() - height() >= least;
}

}  // namespace

void chooseLegend(const CurveSet& set, CurveLook& look, const QSize& plot)
{
    look.legendIcon = set.hasLines() ? kLineIcon : kMarkIcon;
    look.shortLegend = false;
    look.longestName = 0;
    const bool narrow =
        plot.width() < QFontMetrics(look.theme.font).averageCharWidth() * kNarrowLetters ||
        legendWidth(set, look) > plot.width() * kLegendShare;
    if ((narrow || !fitsBeside(set, look, plot)) && !fitsBelow(set, look, plot))
        look.legend = LegendPlace::None;
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
