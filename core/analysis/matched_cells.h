#pragma once

#include "core/analysis/cell_summary.h"

#include <string>
#include <utility>
#include <vector>

namespace qs::core {

// An axis that has one value in each run, and not the same: it is what was changed. Cells are
// matched without it.
struct ChangedAxis {
    std::string name;  // see axisSpecs()
    std::string before;
    std::string after;

    bool operator==(const ChangedAxis&) const = default;
};

// The cells of two runs that are the same but for what was changed between them.
struct CellMatches {
    std::vector<ChangedAxis> changed;
    std::vector<std::pair<const CellSummary*, const CellSummary*>> pairs;  // in the first's order
    std::vector<const CellSummary*> onlyFirst;
    std::vector<const CellSummary*> onlySecond;
};
[[nodiscard]] CellMatches matchCells(const Analysis& first, const Analysis& second);

}  // namespace qs::core
