#pragma once

#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

class QCustomPlot;

namespace qs::widgets {

// Titles, ticks and colours of both axes; their ranges stay.
void styleAxes(QCustomPlot& plot, const CurveSet& set, const CurveLook& look);
// Gives everything in the plot its place, with names of categories that fit.
void layOutAxes(QCustomPlot& plot, const CurveSet& set);
// What half of the largest mark takes of the height of the axes, where the usual margin is less.
[[nodiscard]] double markRoom(const QCustomPlot& plot, const PlotTheme& theme);
// A title that is longer than the upright axis says its unit alone, or ends early, and where too
// little of it would be left there is none: what is drawn is named above the plot, and a tooltip of
// the axis says it all. Once the axis has its place.
void fitTitle(QCustomPlot& plot);

}  // namespace qs::widgets
