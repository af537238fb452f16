#pragma once

#include "core/record/reference_results.h"
#include "widgets/plot/curve_series.h"

#include <vector>

namespace qs::widgets {

// Adds what other programs measured as curves of another run: marks of its own under the name of
// the program, with the colour of the precision and the line of the compile mode that is like
// theirs. Only where throughput, or the time of a pass, stands over the batch, the precision or the
// compile mode, and the unit of work is that of the run. To be called last: they stand behind the
// other runs.
void addReferences(CurveSet& set, const core::Analysis& analysis,
                   const std::vector<core::RunReference>& references);

// What is said of such a point; empty for any other.
[[nodiscard]] QString referenceToolTip(const std::vector<core::RunReference>& references,
                                       const QString& pointId);
[[nodiscard]] bool isReference(const QString& pointId);

}  // namespace qs::widgets
