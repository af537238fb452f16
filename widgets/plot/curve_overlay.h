#pragma once

#include "widgets/models/other_runs.h"
#include "widgets/plot/curve_series.h"

#include <functional>
#include <optional>

namespace qs::widgets {

// A cell of a run that is laid beside the one in view, as a point of the plot names it: both runs
// may have cells of one id.
struct OverlaidCell {
    std::size_t run = 0;  // its place in OtherRuns::beside()
    QString cellId;
};
[[nodiscard]] QString overlaidId(const OverlaidCell& cell);
// Nothing for a cell of the run in view.
[[nodiscard]] std::optional<OverlaidCell> overlaidCell(const QString& pointId);

// What another run would show alone, on the same axes.
using CurvesOfRun = std::function<CurveSet(const OtherRun&, const QString& baseline)>;
// Adds what `make` makes of each of the other runs. There are no more than kMostCurves in all; what
// is left out is said in the note.
void layOver(CurveSet& set, const OtherRuns::Beside& beside, const CurvesOfRun& make);
// The same with curves of the same metric over the same axis.
void layOver(CurveSet& set, const OtherRuns::Beside& beside);

// What is said of a point of another run; empty if there is no such cell.
[[nodiscard]] QString overlaidToolTip(const OtherRuns::Beside& beside, const OverlaidCell& cell,
                                      const core::Metric& metric);
// That the run in view does not have the cell of a point.
[[nodiscard]] QString notInViewText(const OtherRuns::Beside& beside, const QString& pointId);

}  // namespace qs::widgets
