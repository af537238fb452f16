#pragma once

#include "core/engine/internal/backend.h"

#include <c10/cuda/CUDAStream.h>

#include <memory>
#include <vector>

namespace qs::engine {

// Takes the present contents of `inputs` (tensors on the device) into memory of the host as the
// batch that is copied before each pass on `stream`. Unsupported for inputs that stay on the
// device.
[[nodiscard]] core::Result<std::unique_ptr<InputFeed>>
makeCudaFeed(core::InputResidency residency, const std::vector<at::Tensor>& inputs,
             c10::cuda::CUDAStream stream);

}  // namespace qs::engine
