#pragma once

#include "core/analysis/analysis.h"

#include <string>

namespace qs::core {

// Whether any cell has a profile; see Note [Profile of a pass] in core/measure/pass_profile.h.
[[nodiscard]] bool anyKernels(const Analysis& analysis);

// kernels.csv: what the pass of each cell ran, one line per kernel.
[[nodiscard]] std::string kernelsCsv(const Analysis& analysis, bool formulaSafe = true);

// A table of report.html for each cell with a profile: name, kind, launches and share of the pass
// of its longest kernels, the others together, and the time outside of them. Empty without any.
[[nodiscard]] std::string htmlKernels(const Analysis& analysis);

}  // namespace qs::core
