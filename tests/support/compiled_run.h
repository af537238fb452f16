#pragma once

#include "core/record/run_data.h"

namespace qs::tests {

// The sample run whose cells of mode cuda-graph are compiled: 40 s cold (30 s for kernels, 10 s for
// the wrapper), 5 s warm, and load + first call in 3 s; that of all others takes 1 s. Their graphs
// hold 64 MiB.
[[nodiscard]] core::RunData compiledRun();

}  // namespace qs::tests
