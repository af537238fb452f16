#pragma once

#include "core/graph/graph.h"

namespace qs::core {

// The same graph without operations that compute what an earlier one has computed: the same of the
// same values. What touches memory that is written stays.
[[nodiscard]] Graph withoutRepeats(const Graph& graph);

}  // namespace qs::core
