#include "core/engine/convert/example_input.h"

#include "core/engine/internal/torch_types.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/randn.h>

#include <cstdint>

namespace qs::engine {

at::Tensor exampleOf(const core::TensorType& type)
{
    constexpr std::uint64_t kSeed = 42;
    const c10::ScalarType scalar = toTorch(type.dtype);
    if (core::isFloating(type.dtype)) {
        at::Generator generator = at::detail::createCPUGenerator(kSeed);
        return at::randn(type.shape, generator, at::TensorOptions().dtype(at::kFloat)).to(scalar);
    }
    return at::arange(type.elementCount(), at::TensorOptions().dtype(at::kLong))
        .remainder(2)
        .reshape(type.shape)
        .to(scalar);
}

}  // namespace qs::engine
