#pragma once

#include "core/engine/compile/loaded_package.h"
#include "core/engine/internal/backend.h"
#include "core/measure/compile_record.h"

#include <vector>

namespace qs::engine {

// A region by itself, from a package and eagerly, on the same inputs; each in blocks that the
// device's clock can tell, median of a few; and what came out of both. Inputs in the order of the
// graph's.
[[nodiscard]] core::Result<core::PartTime> timeRegion(const core::Graph& graph,
                                                      const LoadedPackage& package,
                                                      const std::vector<at::Tensor>& inputs,
                                                      Backend& backend);

}  // namespace qs::engine
