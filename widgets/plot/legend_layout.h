#pragma once

#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

class QCustomPlot;
class QSize;

namespace qs::widgets {

// Puts the legend of a plot beside the axes or below them, as the look asks.
void placeLegend(QCustomPlot& plot, const CurveLook& look);

// The width of an entry, and so of a legend on the right.
[[nodiscard]] int legendWidth(const CurveSet& set, const CurveLook& look);
// How many rows a legend below a plot of that width takes, and their height in its units.
[[nodiscard]] int legendRows(const CurveSet& set, const CurveLook& look, int width);
[[nodiscard]] int legendRows(const QStringList& names, const CurveLook& look, int width);
[[nodiscard]] int legendRowHeight(const CurveLook& look);
// How many curves a legend below a plot of that size can name and leave the axes the larger part.
[[nodiscard]] int legendEntriesBelow(const CurveSet& set, const CurveLook& look, const QSize& plot);
// How many curves one beside a plot of that height can name.
[[nodiscard]] int legendEntriesBeside(const CurveSet& set, const CurveLook& look, int height);

}  // namespace qs::widgets
