#pragma once

#include "core/record/run_data.h"

namespace qs::tests {

// A row of a GPU with everything that a row can tell: phases with their starts, warm-up, `samples`
// samples of which the slow ones of a slowdown are discarded, and the device ten times a second.
// The numbers follow from formulas, not from a measurement.
[[nodiscard]] core::CellResult tracedResult(int samples = 120);

// sampleRun() with traced rows for int8dq-none-b4: two rounds that went well and one that ran out
// of memory.
[[nodiscard]] core::RunData tracedRun(int samples = 120);

}  // namespace qs::tests
