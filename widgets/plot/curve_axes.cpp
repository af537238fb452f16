#include "widgets/plot/curve_axes.h"

#include "widgets/plot/axis_ticker.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/qcustomplot.h"

#include <optional>

namespace qs::widgets {

namespace {

// `base` of a logarithmic axis, 0 of a linear one.
void styleAxis(QCPAxis& axis, const PlotTheme& theme, int base, const MetricLimits& limits)
{
    axis.setScaleType(base > 0 ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    const auto ticker = QSharedPointer<AxisTicker>::create(base);
    ticker->setLimits(limits.lower, limits.upper);
    axis.setTicker(ticker);
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

}  // namespace

void styleAxes(QCustomPlot& plot, const CurveSet& set, const CurveLook& look)
{
    plot.setBackground(look.theme.background);
    const bool numbers = set.categories.isEmpty();
    const int across = set.axis == QStringLiteral("batch") ? 2 : 10;
    styleAxis(*plot.xAxis, look.theme, logarithmicAcross(set, look) ? across : 0, set.xLimits);
    styleAxis(*plot.yAxis, look.theme, look.logarithmicY ? 10 : 0, set.yLimits);
    if (!numbers) {
        const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
        for (qsizetype i = 0; i < set.categories.size(); ++i)
            ticker->addTick(static_cast<double>(i), set.categories[i]);
        plot.xAxis->setTicker(ticker);
    } else if (const std::optional<double> only = onlyPlace(set)) {
        // Numbers around a single batch size would say that there is something to compare.
        const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
        ticker->addTick(*only, plot.locale().toString(*only, 'g', 6));
        plot.xAxis->setTicker(ticker);
    }
    // Long names of schemes run into one another when they lie flat.
    constexpr int kMostFlatLetters = 48;
    const bool crowded = set.categories.join(QString()).size() > kMostFlatLetters;
    plot.xAxis->setTickLabelRotation(crowded ? 30.0 : 0.0);
    plot.xAxis->setLabel(set.xLabel);
    plot.yAxis->setLabel(set.yLabel);
}

void fitTitle(QCustomPlot& plot)
{
    QCPAxis& axis = *plot.yAxis;
    const QFontMetrics metrics(axis.labelFont());
    const int room = axis.axisRect()->height();
    const QString title = axis.label();
    if (metrics.horizontalAdvance(title) <= room)
        return;
    const qsizetype open = title.lastIndexOf(QLatin1Char('('));
    const bool hasUnit = open >= 0 && title.endsWith(QLatin1Char(')'));
    const QString brief = hasUnit ? title.mid(open + 1, title.size() - open - 2) : title;
    // Less than this says nothing.
    constexpr int kFewestLetters = 10;
    const bool cuts = metrics.horizontalAdvance(brief) > room;
    const bool none = cuts && (hasUnit || room < metrics.averageCharWidth() * kFewestLetters);
    axis.setLabel(none ? QString() : metrics.elidedText(brief, Qt::ElideRight, room));
}

}  // namespace qs::widgets
