#pragma once

#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

#include <QPointF>
#include <QString>

#include <vector>

class QCustomPlot;

namespace qs::widgets {

// A line beyond which no cell of a run is better in both.
struct Frontier {
    QString name;
    int run = 0;  // 0 is the run in view
    const std::vector<QPointF>& points;
};
// Of the run in view and of those others whose points are shown. The set must outlive them.
[[nodiscard]] std::vector<Frontier> frontiersOf(const CurveSet& set, const CurveLook& look);

// The frontiers of a scatter and the limits on its horizontal axis, with their entries in the
// legend.
void drawFrontiers(QCustomPlot& plot, const CurveSet& set, const CurveLook& look);
void drawRules(QCustomPlot& plot, const CurveSet& set, const CurveLook& look);

}  // namespace qs::widgets
