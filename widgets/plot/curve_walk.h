#pragma once

#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

namespace qs::widgets {

// Null if no curve has the key.
[[nodiscard]] const Curve* curveOf(const CurveSet& set, const QString& key);
// The point of the curve at the place of the selected cell, or its best one.
[[nodiscard]] QString cellToSelect(const CurveSet& set, const Curve& curve,
                                   const QString& selectedCell);
// The cell of the next point on the curve of the selected one (`along` -1 or 1), or of the point
// above or below it at the same place (`across`); empty if there is none.
[[nodiscard]] QString neighbourCell(const CurveSet& set, const CurveLook& look, int along,
                                    int across);

}  // namespace qs::widgets
