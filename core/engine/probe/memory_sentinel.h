#pragma once

#include "core/engine/internal/backend.h"

#include <string>

namespace qs::engine {

// Takes a block of known size and gives it back while the books are watched; a disagreement is
// looked at again, because another process may have taken memory in between. "passed", or what was
// wrong. Nothing else may be allocated meanwhile. See Note [Sentinel] in core/measure/sentinel.h.
[[nodiscard]] std::string checkMemoryBooks(Backend& backend);

}  // namespace qs::engine
