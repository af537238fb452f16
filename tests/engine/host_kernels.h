#pragma once

#include "core/graph/graph.h"
#include "core/lower/fused/kernel_shape.h"
#include "core/lower/fused/product_units.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace qs::tests {

// Generated kernels, compiled by the C++ compiler of this machine: one thread goes through all
// rows. Only the functions of the device's prelude are others. Products with few rows of codes, and
// those by plain units, have all of their threads; of those by Hopper's, what follows the sums.
class HostKernels final
{
public:
    // Compiles all of them in `folder`, for these strides of their inputs. Aborts if that fails.
    // Each product by plain units has another of its shapes.
    HostKernels(const std::vector<const core::Graph*>& groups,
                const std::vector<core::InputStrides>& strides, const std::filesystem::path& folder,
                core::ProductUnits units = core::ProductUnits::Hopper);
    ~HostKernels();
    HostKernels(const HostKernels&) = delete;
    HostKernels& operator=(const HostKernels&) = delete;

    [[nodiscard]] std::vector<at::Tensor> run(std::size_t group,
                                              const std::vector<at::Tensor>& inputs) const;

private:
    std::vector<const core::Graph*> m_groups;
    void* m_library = nullptr;
    std::vector<std::vector<std::int64_t>> m_pitches;  // of the rows of outputs; none: dense
};

}  // namespace qs::tests
