#pragma once

#include "widgets/plot/curve_style.h"

#include <QSet>
#include <QString>

namespace qs::widgets {

// The most curves a legend can name before it is taller than the plot.
inline constexpr int kMostLegendEntries = 24;

enum class LegendPlace { Right, Below };

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
};

}  // namespace qs::widgets
