#pragma once

#include "core/device/description.h"
#include "core/engine/weights/weight_loader.h"
#include "core/lower/program.h"

#include <vector>

namespace qs::engine {

// Whether kernels of ours read codes of this program on this device: in rows that begin at
// multiples of 128 bytes (core/lower/fused/kernel_shape.h).
[[nodiscard]] bool padsRows(const core::Program& program, const core::DeviceDescription& device);
// Lays codes out in such rows, one tensor after the other; all that read them follow strides.
void padRows(std::vector<StageWeights>& stages);
// Bytes between the rows of a tensor that was laid out so; 0 for others.
[[nodiscard]] std::int64_t paddingOf(const at::Tensor& tensor);

}  // namespace qs::engine
