#pragma once

#include "widgets/plot/curve_style.h"
#include "widgets/plot/qcustomplot.h"

namespace qs::widgets {

// A mark as QCustomPlot draws it, `size` pixels across.
[[nodiscard]] QCPScatterStyle markStyle(Marker marker, const QPen& pen, const QBrush& brush,
                                        double size);

}  // namespace qs::widgets
