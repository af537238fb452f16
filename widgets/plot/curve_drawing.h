#pragma once

#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

class QCustomPlot;

namespace qs::widgets {

// Graphs that are named in the legend carry the key of their curve as a property of this name.
inline constexpr const char* kCurveKeyProperty = "curveKey";

// Replaces the content of the plot: axes, curves, legend. Keeps the ranges of the axes.
void drawCurves(QCustomPlot& plot, const CurveSet& set, const CurveLook& look);

// A layer of its own for what is selected, so that ten thousand points need not be painted again
// when another one of them is.
inline constexpr const char* kSelectionLayer = "selection";
// Replaces the mark of the selected cell.
void markSelection(QCustomPlot& plot, const CurveSet& set, const CurveLook& look);

}  // namespace qs::widgets
