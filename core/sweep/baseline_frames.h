#pragma once

#include "core/sweep/plan.h"

#include <string>

// What a cell has in common with its speed baseline, as a text: equal frames, comparable cells.
namespace qs::core {

// Whether a cell is the baseline of those that look for one in its frame, or one of several that
// the fastest of which is. `choice`: a name, see speed_baseline_name.h, or the id of the cell
// `chosen`, which stands for those that differ from it in batch and sizes alone. Reruns stand for
// the noise of the reference; none of them is a baseline.
[[nodiscard]] bool canBeBaseline(const std::string& choice, const PlannedCell* chosen,
                                 const PlannedCell& cell);
// The frame in which a cell looks for its baseline, and is one.
[[nodiscard]] std::string baselineFrame(const std::string& choice, const CellConfig& config);

// The cell without compiling, and of GPTQ without the way in which it goes through columns: what
// others stand against as what they were before has this in common with them.
[[nodiscard]] CellConfig uncompiled(CellConfig config);
// Whether GPTQ goes through columns as it was written first, without thought of speed.
[[nodiscard]] bool goesStraight(const CellConfig& config);

// Where inputs wait and which variables the worker has: cells that differ here are compared in a
// table of their own, see Note [Across settings].
[[nodiscard]] bool startsAlike(const CellConfig& config, const CellConfig& other);

}  // namespace qs::core
