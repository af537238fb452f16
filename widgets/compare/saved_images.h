#pragma once

#include "core/analysis/analysis.h"
#include "core/record/run_data.h"

#include <cstdint>
#include <string>
#include <vector>

namespace qs::widgets {

// Which images of a run lie in its folder. A run keeps those of few cells, and a folder that was
// passed on may have lost some: the files themselves are asked for, a look or two for each.

// Of the environment that the figures of the cell come from.
[[nodiscard]] bool isSaved(const core::RunData& data, const core::Analysis& analysis,
                           const std::string& cellId, int picture);

// The cell most like this one that has the image: the same at the nearest batch, else one of the
// same precision, else any. Null if none has it.
[[nodiscard]] const core::PlannedCell* nearestSaved(const core::RunData& data,
                                                    const core::Analysis& analysis,
                                                    const core::PlannedCell& cell, int picture);

// Batches at which the same cell has the image, ascending.
[[nodiscard]] std::vector<std::int64_t> savedBatches(const core::RunData& data,
                                                     const core::Analysis& analysis,
                                                     const core::PlannedCell& cell, int picture);

// Whether there is anything of the run to lay side by side: an output in its folder or, of outputs
// that are no images, recorded figures of each sample. True also while that is not known: before
// the first cell is measured, or without a folder. It depends on the run alone, not on a selection.
[[nodiscard]] bool hasSomethingToCompare(const core::RunData& data);
// What there is are figures of each sample alone, which take little room.
[[nodiscard]] bool hasOnlyFigures(const core::RunData& data);

}  // namespace qs::widgets
