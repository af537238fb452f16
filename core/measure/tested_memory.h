#pragma once

#include "core/measure/cell_result.h"

namespace qs::core {

// What the memory self-test means for a row; see Note [Memory self-test].

// Seconds after the cell began at which the block of the self-test had been given back: what the
// process holds is its own from then on. 0 if another cell of the same worker tested the counters.
[[nodiscard]] double selfTestEnd(const CellResult& result);
// Adds the test to the row. A counter that got a known block wrong gets the model wrong, too: then
// the row loses its peaks.
void applySelfTest(const SelfTest& test, CellResult& result);

}  // namespace qs::core
