#pragma once

#include "core/engine/internal/backend.h"

namespace qs::engine {

// Takes a block of known size and gives it back while the books are watched, until they agree or
// the attempts are used up. Nothing else may be allocated meanwhile. See Note [Sentinel] in
// core/measure/sentinel.h.
[[nodiscard]] core::SelfTest checkMemoryBooks(Backend& backend);

}  // namespace qs::engine
