#pragma once

#include "core/sweep/cell.h"

#include <string>

namespace qs::core {

// All of a configuration but the batch, axes from outside included.
[[nodiscard]] std::string batchFamilyKey(CellConfig config);

}  // namespace qs::core
