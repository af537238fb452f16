#pragma once

#include "core/lower/region_stage.h"

namespace qs::core {

// The stage in compile mode "fused": its operations, each equal one once, with groups of them
// (Note [Fused groups]) in place of those that a kernel computes. Each program is the composition
// that defines its kernel. Attention is computed by kernels of ours only where `attention` is free.
[[nodiscard]] Result<RegionStage> fusedStage(const StageProgram& stage,
                                             const DeviceDescription& device,
                                             AttentionKernel attention = AttentionKernel::Auto);

// Of each program of a stage, which of its inputs are weights wherever it is called.
[[nodiscard]] std::vector<std::vector<bool>> weightInputs(const RegionStage& stage);

}  // namespace qs::core
