#pragma once

#include "core/engine/compile/stage_runner.h"
#include "core/graph/graph.h"

#include <functional>
#include <optional>
#include <vector>

namespace qs::engine {

// The most that is allowed a stage; see Note [Distance limit] in core/measure/distance_limit.h.
[[nodiscard]] double mostDistanceToEager(const core::Graph& stage,
                                         const std::optional<double>& bf16FromFp32);

// The largest relative L2 distance of what `run` leaves among the values from the same operations
// run eagerly: same inputs, same states, same batch. Leaves the states as `run` leaves them.
// Of a stage that gives whole numbers alone, the share of them that differs; beside other outputs
// they are not judged. WrongResult beyond the limit above. Outputs that are not finite are left
// out: what is said of them is said of the whole cell.
[[nodiscard]] core::Result<double> distanceToEager(const StageSetup& setup,
                                                   const core::Graph& reference,
                                                   const std::vector<at::Tensor>& inputs,
                                                   const std::function<void()>& run);

}  // namespace qs::engine
