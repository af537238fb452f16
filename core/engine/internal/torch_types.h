#pragma once

#include "core/base/result.h"
#include "core/graph/graph.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <functional>

namespace qs::engine {

[[nodiscard]] c10::ScalarType toTorch(core::DType dtype);
[[nodiscard]] bool hasDType(c10::ScalarType type);
[[nodiscard]] core::DType fromTorch(c10::ScalarType type);

// A tensor of that type there.
[[nodiscard]] at::TensorOptions optionsOf(core::DType type, c10::Device device);

// Copies a constant of a graph to the device.
[[nodiscard]] at::Tensor constantTensor(const core::TensorType& type,
                                        const std::vector<double>& values, c10::Device device);

// Runs `work` and turns exceptions of Torch and CUDA into errors: out of memory, a device that is
// lost for this process, or what else was thrown. The only place where they are caught.
[[nodiscard]] core::Status catching(const std::function<core::Status()>& work);

}  // namespace qs::engine
