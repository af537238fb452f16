#include "widgets/plot/curve_axes.h"

#include "widgets/models/short_names.h"
#include "widgets/plot/axis_ticker.h"
#include "widgets/plot/curve_range.h"
#include "widgets/plot/qcustomplot.h"

#include <QtMath>

#include <algorithm>
#include <cmath>
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

// Names that lie flat would run into one another: they are turned, and those that would leave the
// plot or take more than their share of its height lose their middle. Says whether any did.
bool fitCategories(QCustomPlot& plot, const QStringList& names)
{
    constexpr double kDegrees = 30.0;
    constexpr double kMostHeight = 0.25;  // of the plot
    QCPAxis& axis = *plot.xAxis;
    const QFontMetrics metrics(axis.tickLabelFont());
    const QRect axes = axis.axisRect()->rect();
    const double place = axes.width() / std::max(1.0, static_cast<double>(names.size()));
    const bool fits = std::all_of(names.begin(), names.end(), [&](const QString& name) {
        return metrics.horizontalAdvance(name) + metrics.averageCharWidth() <= place;
    });
    if (fits)
        return false;
    const double down = std::sin(qDegreesToRadians(kDegrees));
    const double across = std::cos(qDegreesToRadians(kDegrees));
    const double tallest = kMostHeight * plot.viewport().height() / down;
    const QStringList shown = shortNames(names);
    const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (qsizetype i = 0; i < names.size(); ++i) {
        const double at = axes.left() + (static_cast<double>(i) + 0.5) * place;
        const double widest = (at - plot.viewport().left()) / across - metrics.height();
        ticker->addTick(static_cast<double>(i),
                        metrics.elidedText(shown[i], Qt::ElideMiddle,
                                           static_cast<int>(std::min(tallest, widest))));
    }
    axis.setTicker(ticker);
    axis.setTickLabelRotation(-kDegrees);  // rising to its place
    return true;
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
    plot.xAxis->setTickLabelRotation(0.0);
    plot.xAxis->setLabel(set.xLabel);
    plot.yAxis->setLabel(set.yLabel);
}

void layOutAxes(QCustomPlot& plot, const CurveSet& set)
{
    const auto layOut = [&plot] {
        for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins,
                                 QCPLayoutElement::upLayout})
            plot.plotLayout()->update(phase);
    };
    layOut();
    if (fitCategories(plot, set.categories))
        layOut();
    if (const auto numbers = plot.xAxis->ticker().dynamicCast<AxisTicker>())
        numbers->setRoom(plot.xAxis->tickLabelFont(), plot.xAxis->axisRect()->width());
    // Numbers of an upright axis stand apart by more than a line.
    QCPAxis& upright = *plot.yAxis;
    constexpr int kUsualTicks = 5;
    constexpr double kLinesApart = 2.2;
    const double lines = upright.axisRect()->height() /
                         (kLinesApart * QFontMetrics(upright.tickLabelFont()).height());
    // One number alone is no scale.
    constexpr double kTwo = 1.3;
    upright.ticker()->setTickCount(
        std::clamp(static_cast<int>(lines), lines >= kTwo ? 2 : 1, kUsualTicks));
}

double markRoom(const QCustomPlot& plot, const PlotTheme& theme)
{
    constexpr double kReach = 1.2;  // of the largest, the disc of a baseline, from its middle
    constexpr double kUsual = 0.05;
    constexpr double kMost = 0.3;
    const double wanted = kReach * theme.markerSize / std::max(1, plot.axisRect()->height());
    return wanted > kUsual ? std::min(wanted, kMost) : 0.0;
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
