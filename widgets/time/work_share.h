#pragma once

#include "core/analysis/cell_summary.h"

#include <QColor>
#include <QMetaType>
#include <QString>

#include <optional>
#include <vector>

namespace qs::widgets {

// A kind of work, or what no work filled.
using WorkPart = std::optional<core::WorkKind>;

// A part of the time of a pass.
struct WorkShare {
    WorkPart part;
    double share = 0.0;  // of the pass, 0 … 1
};
using WorkShares = std::vector<WorkShare>;

// Parts that take no time are left out; gaps last. Empty for a cell without a profile.
[[nodiscard]] WorkShares workSharesOf(const core::CellSummary& summary);

// In the order of bars and legends.
[[nodiscard]] std::vector<WorkPart> workParts();
[[nodiscard]] QString workPartName(const WorkPart& part);
[[nodiscard]] QString workPartAbout(const WorkPart& part);
[[nodiscard]] QColor workPartColour(const WorkPart& part, bool dark);
// "products 62 %, copies 3 %"
[[nodiscard]] QString sharesText(const WorkShares& shares);

}  // namespace qs::widgets

Q_DECLARE_METATYPE(qs::widgets::WorkShares)
