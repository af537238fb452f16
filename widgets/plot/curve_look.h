#pragma once

#include "widgets/plot/curve_style.h"

#include <QSet>
#include <QString>

namespace qs::widgets {

// The most curves a legend can name before it is taller than the plot.
inline constexpr int kMostLegendEntries = 24;

// Of entries that show a line; marks alone take less.
inline constexpr int kLineIcon = 28;
inline constexpr int kMarkIcon = 18;

enum class LegendPlace { Right, Below, None };

// How a set of curves is to be shown at this moment.
struct CurveLook {
    PlotTheme theme;
    QSet<QString> hidden;      // keys of curves
    QString highlighted;       // key; the other curves fade; empty for none
    QString selectedCell;      // id
    bool logarithmicX = true;  // ignored on an axis of texts
    bool logarithmicY = false;
    bool roofs = true;
    LegendPlace legend = LegendPlace::Right;
    int legendEntries = kMostLegendEntries;  // curves that it names
    bool shortLegend = false;                // takes as little room as it can; see nameIn()
    int legendIcon = kLineIcon;              // width, pixels
    int longestName = 0;                     // in the legend, pixels; 0: as long as it is
    double markRoom = 0.0;                   // what half of a mark takes of the height of the axes
};

// Of the horizontal axis.
[[nodiscard]] inline bool logarithmicAcross(const CurveSet& set, const CurveLook& look)
{
    return look.logarithmicX && set.categories.isEmpty() && !set.scatter;
}

}  // namespace qs::widgets
