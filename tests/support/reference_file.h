#pragma once

#include "core/base/json.h"

namespace qs::tests {

// A file of reference results of three rows: bf16 eager and bf16 max-autotune at batch 4, two
// rounds of two samples each, of which the second broke Dynamo's graph twice; and int8dq without
// torchao.
[[nodiscard]] core::Json referenceJson();

}  // namespace qs::tests
