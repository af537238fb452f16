#pragma once

#include "widgets/plot/curve_series.h"
#include "widgets/plot/curve_style.h"

#include <QRectF>
#include <QSet>
#include <QString>
#include <QStringList>

#include <optional>

class QCustomPlot;

namespace qs::widgets {

enum class LegendPlace { Right, Below };

// How a set of curves is to be shown at this moment.
struct CurveLook {
    PlotTheme theme;
    QSet<QString> hidden;      // keys of curves
    QString highlighted;       // key; the other curves fade; empty for none
    QString selectedCell;      // id
    bool logarithmicX = true;  // ignored on an axis of texts
    bool logarithmicY = false;
    bool baseline = true;
    bool roofs = true;
    LegendPlace legend = LegendPlace::Right;
};

// Graphs that are named in the legend carry the key of their curve as a property of this name.
inline constexpr const char* kCurveKeyProperty = "curveKey";
// The most curves a legend can name before it is taller than the plot.
inline constexpr int kMostLegendEntries = 24;

// Replaces the content of the plot: axes, curves, legend. Keeps the ranges of the axes.
void drawCurves(QCustomPlot& plot, const CurveSet& set, const CurveLook& look);

// Where on a horizontal axis of numbers everything lies, if that is a single place.
[[nodiscard]] std::optional<double> onlyPlace(const CurveSet& set);

// The area that shows everything visible, with a margin: x and y of the lower left corner, width
// and height, in the units of the axes.
[[nodiscard]] QRectF fullRange(const CurveSet& set, const CurveLook& look);

// Roofs that lie so far above the curves that showing them would press those flat: they are drawn,
// but fullRange() leaves them out.
[[nodiscard]] bool roofIsFar(const CurveSet& set, const CurveRoof& roof);

// Keys of the curves in the legend, in its order.
[[nodiscard]] QStringList legendKeys(const CurveSet& set);

}  // namespace qs::widgets
