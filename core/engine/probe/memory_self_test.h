#pragma once

#include "core/engine/internal/backend.h"

namespace qs::engine {

// Takes a block of known size and gives it back while the counters are watched, until they agree or
// the attempts are used up. Nothing else may be allocated meanwhile. See Note [Memory self-test] in
// core/measure/memory_self_test.h.
[[nodiscard]] core::SelfTest testMemoryCounters(Backend& backend);

}  // namespace qs::engine
