#pragma once

#include "core/sweep/cell.h"

#include <cstdint>
#include <functional>
#include <string>

namespace qs::engine {

// What a value of an axis that was registered (core/sweep/axis_spec.h) does to this process. Before
// the first cell; `effect` is called for each cell, on the thread that runs it.
void registerAxisEffect(const std::string& axis, std::function<void(std::int64_t value)> effect);
// All that the cell's axes do to this process as a whole: its attention kernel, too.
void applyAxes(const core::CellConfig& cell);

}  // namespace qs::engine
