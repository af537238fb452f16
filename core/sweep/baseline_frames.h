#pragma once

#include "core/sweep/plan.h"

#include <optional>
#include <string>

// What a cell has in common with its speed baseline, as a text: equal frames, comparable cells.
namespace qs::core {

// The frame in which a cell is the baseline of others, or one of several that the fastest of which
// is; nothing where it is none. `choice`: a name, see speed_baseline_name.h, or the id of the cell
// `chosen`, which stands for those that differ from it in batch and sizes alone. Reruns stand for
// the noise of the reference; none of them is a baseline.
[[nodiscard]] std::optional<std::string>
baselineFrame(const std::string& choice, const PlannedCell* chosen, const PlannedCell& cell);
// The frame in which a cell looks for its baseline.
[[nodiscard]] std::string comparedFrame(const std::string& choice, const CellConfig& config);

// Where inputs wait and which variables the worker has: cells that differ here are compared in a
// table of their own, see Note [Across settings].
[[nodiscard]] bool startsAlike(const CellConfig& config, const CellConfig& other);

}  // namespace qs::core
