#pragma once

#include "core/engine/internal/backend.h"

#include <c10/cuda/CUDAStream.h>

#include <memory>
#include <vector>

namespace qs::engine {

// Copies the batches (in the memory of the host) in turn into `inputs` (tensors on the device),
// one before each pass on `stream`. Unsupported for inputs that stay on the device.
[[nodiscard]] core::Result<std::unique_ptr<InputFeed>> makeCudaFeed(core::InputResidency residency,
                                                                    const InputBatch& inputs,
                                                                    std::vector<InputBatch> batches,
                                                                    c10::cuda::CUDAStream stream);

}  // namespace qs::engine
