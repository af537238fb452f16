#pragma once

#include "core/engine/internal/torch_types.h"
#include "core/graph/graph.h"

#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

namespace qs::tests {

// On the processor: codes of every value but -128, else normal numbers.
inline at::Tensor randomTensor(const core::TensorType& type)
{
    if (type.dtype == core::DType::UInt8)
        return at::randint(0, 256, type.shape).to(at::kByte);
    if (type.dtype == core::DType::Int8)
        return at::randint(-127, 128, type.shape).to(at::kChar);
    return at::randn(type.shape).to(engine::toTorch(type.dtype));
}

}  // namespace qs::tests
