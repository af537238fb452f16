#pragma once

#include "widgets/plot/curve_look.h"
#include "widgets/plot/curve_series.h"

#include <QRectF>
#include <QStringList>

#include <optional>

// What of a set is shown: the range of the axes, and the names in the legend.
namespace qs::widgets {

// Where on a horizontal axis of numbers everything lies, if that is a single place.
[[nodiscard]] std::optional<double> onlyPlace(const CurveSet& set);

// The area that shows everything visible, with a margin, but for the ends of intervals that are far
// wider than the values: x and y of the lower left corner, width and height, in the units of the
// axes.
[[nodiscard]] QRectF fullRange(const CurveSet& set, const CurveLook& look);

// Roofs that lie so far above the curves that showing them would press those flat: they are drawn,
// but fullRange() leaves them out.
[[nodiscard]] bool roofIsFar(const CurveSet& set, const CurveRoof& roof);

// Limits and noise floors that lie so far from the cells that showing them would press those to one
// place: the same of them.
[[nodiscard]] bool ruleIsFar(const CurveSet& set, const CurveLook& look, const CurveRule& rule);
[[nodiscard]] QStringList farRules(const CurveSet& set, const CurveLook& look);

// Keys of the curves in the legend, in its order.
[[nodiscard]] QStringList legendKeys(const CurveSet& set);

// Points of curves that are not hidden, beyond axes of that range.
[[nodiscard]] int pointsOutside(const CurveSet& set, const CurveLook& look, const QRectF& range);

}  // namespace qs::widgets
