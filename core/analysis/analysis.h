#pragma once

#include "core/analysis/cell_summary.h"

#include <string>

namespace qs::core {

// `baseline`: "bf16-eager", "best-bf16" (fastest bf16 cell at the same batch and shape), or a cell
// id. The RunData must outlive the result.
[[nodiscard]] Analysis analyse(const RunData& data, const std::string& baseline);

}  // namespace qs::core
