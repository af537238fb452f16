#pragma once

#include "core/sweep/plan.h"

#include <string>

namespace qs::core {

// "int8dq · cuda-graph": how a summary names a cell, without its batch.
[[nodiscard]] std::string cellLabel(const PlannedCell& cell);

}  // namespace qs::core
