#pragma once

#include "core/record/run_data.h"
#include "widgets/plot/curve_series.h"

namespace qs::widgets {

// The limits that the device sets to the cells of a set, where they are known: the published rate
// of its products for speeds and times, its memory for memory. One line for each rate that the
// precisions of the set run at; none where the device's peak is not published or where cells of
// several models stand above the same place. Nothing is ever guessed.
[[nodiscard]] std::vector<CurveRoof> makeRoofs(const CurveSet& set, const core::RunData& data);

}  // namespace qs::widgets
