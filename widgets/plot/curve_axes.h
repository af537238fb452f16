#pragma once

#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

class QCustomPlot;

namespace qs::widgets {

// Titles, ticks and colours of both axes; their ranges stay.
void styleAxes(QCustomPlot& plot, const CurveSet& set, const CurveLook& look);

}  // namespace qs::widgets
