#pragma once

#include "core/sweep/preset.h"

#include <vector>

namespace qs::core {

// Axes that span exactly these cells, the last of which is the default one: every combination of
// values where they are that, else one axis after the other where each cell differs from the
// default in one respect, else all that varies advances together. Precision, layers, compile mode
// and attention kernel count as one respect. At least one cell; repeated ones count once.
[[nodiscard]] Preset presetOfCells(const std::vector<CellConfig>& cells);

}  // namespace qs::core
