#pragma once

#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

class QCustomPlot;
class QSize;

namespace qs::widgets {

// Puts the legend of a plot beside the axes or below them, as the look asks.
void placeLegend(QCustomPlot& plot, const CurveLook& look);

// Where the legend of a plot of that size goes, which curves it names, and how: on the right, below
// a narrow plot or where it has no room beside, or nowhere, so that the axes keep theirs.
void chooseLegend(const CurveSet& set, CurveLook& look, const QSize& plot);

// How many rows a legend below a plot of that width takes, and their height in its units.
[[nodiscard]] int legendRows(const CurveSet& set, const CurveLook& look, int width);
[[nodiscard]] int legendRows(const QStringList& names, const CurveLook& look, int width);
[[nodiscard]] int legendRowHeight(const CurveLook& look);

}  // namespace qs::widgets
