#pragma once

#include "core/analysis/analysis.h"

#include <QString>
#include <QStringList>

#include <set>
#include <string>
#include <vector>

namespace qs::core {
struct AxisSpec;
}

namespace qs::widgets {

// The first of these cells that the axis says something of (see core::isIdle()); null: none.
[[nodiscard]] const core::CellSummary* firstTold(const std::vector<const core::CellSummary*>& cells,
                                                 const core::AxisSpec& axis);

// Axes of which these cells have more than one value, without cells that an axis is idle in.
[[nodiscard]] std::set<std::string> variedAxes(const std::vector<const core::CellSummary*>& cells);

// Batch and other sizes of which each model has one, its own, where the models differ: three models
// that were linked with three batches.
[[nodiscard]] std::set<std::string>
sizesOfModels(const std::vector<const core::CellSummary*>& cells);

// Axes that more than one value of is in the plan, in their usual order; "batch" if there is none.
[[nodiscard]] QStringList sweptAxes(const core::Analysis& analysis);

// Of these axes of it the one that a run is first looked at along: the batch, or the model where
// each has a batch of its own, or the precision.
[[nodiscard]] QString firstAxis(const QStringList& axes, const core::Analysis& analysis);

}  // namespace qs::widgets
