#pragma once

#include "core/analysis/cell_summary.h"
#include "core/analysis/quality_figures.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace qs::core {

// What the outputs of one cell are compared with.
struct QualityContext {
    std::string environmentId;          // that the figures of the cell come from
    const NoiseFloor* floor = nullptr;  // of that environment; may be null
    std::string goldenId = {};          // empty if there is no golden run
};

// Fills the quality members of a summary but for the verdict, which judgeQualities() gives.
void fillQuality(const PlannedCell& cell, const QualityIndex& qualities,
                 const QualityContext& context, CellSummary& summary);

// The outputs of a cell by its place in the plan, as a text that two cells share if their outputs
// are the same bit by bit; empty if they are not known.
using OutputsOfCell = std::function<std::string(std::size_t)>;

// Judges the claims of a run together, with one error for all of them. Cells with the same outputs
// at the same distance are one test, however many batches and compile modes they are of.
// Comparisons that are planned but have no outputs yet count as well, as those of speed do;
// noise-floor runs claim nothing.
void judgeQualities(std::vector<CellSummary>& cells, const OutputsOfCell& outputsOf);

}  // namespace qs::core
