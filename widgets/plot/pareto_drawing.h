#pragma once

#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

#include <QString>

class QCustomPlot;

namespace qs::widgets {

[[nodiscard]] QString frontierName();
// The frontier of a scatter and the limits on its horizontal axis, with their entries in the
// legend.
void drawFrontier(QCustomPlot& plot, const CurveSet& set, const CurveLook& look);
void drawRules(QCustomPlot& plot, const CurveSet& set, const CurveLook& look);

}  // namespace qs::widgets
