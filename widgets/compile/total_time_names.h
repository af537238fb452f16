#pragma once

#include "widgets/compile/total_time.h"
#include "widgets/plot/curve_style.h"

#include <QPen>
#include <QString>

#include <vector>

namespace qs::widgets {

// An entry of the legend.
struct LineName {
    QString text;
    QPen pen;
};

// What the lines are told apart by: precisions by their colour and compile modes by their kind of
// line, or each line by its name where that does not name them.
[[nodiscard]] std::vector<LineName>
lineNames(const TotalTimes& times, const std::vector<CurveStyle>& styles, const PlotTheme& theme);

}  // namespace qs::widgets
