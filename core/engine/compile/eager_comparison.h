#pragma once

#include "core/engine/compile/stage_runner.h"
#include "core/graph/graph.h"

#include <functional>
#include <vector>

namespace qs::engine {

// Relative L2 distance of a compiled stage from the eager one beyond which its time means nothing.
inline constexpr double kMostDistanceToEager = 0.05;
// The same where activations are quantized: a last bit of bfloat16 moves a value to the next code,
// which for e4m3 is up to 12 % away, and each layer makes more of it. Measured, with RoPE alone
// compiled in eight untrained Llama blocks (te-llama:w256_d8_h8_k2_f688_v1024, CPU): 9.4 % of
// float8-delayed, 8.0 % of float8dq-tensor, 1.4 % of bf16. Of the shipped runs the farthest are
// 2.1 % of float8dq-row (ViTok 350M) and 1.9 % of bf16 (Llama 1B).
inline constexpr double kMostDistanceOfCodes = 0.15;

// That of the two that holds for a stage of a program.
[[nodiscard]] double mostDistanceToEager(const core::Graph& stage);

// The largest relative L2 distance of what `run` leaves among the values from the same operations
// run eagerly: same inputs, same states, same batch. Leaves the states as `run` leaves them.
// WrongResult beyond the limit above. Outputs that are not finite are left out: what is said
// of them is said of the whole cell.
[[nodiscard]] core::Result<double> distanceToEager(const StageSetup& setup,
                                                   const core::Graph& reference,
                                                   const std::vector<at::Tensor>& inputs,
                                                   const std::function<void()>& run);

}  // namespace qs::engine
