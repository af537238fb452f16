#pragma once

#include "core/graph/graph.h"
#include "core/lower/fused/kernel_shape.h"
#include "core/lower/fused/product_units.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace qs::tests {

// What plain units are on: so few processors that blocks have several items.
inline constexpr core::ProductChip kHostChip{core::ProductUnits::Plain, true, 1, 100 * 1024};

// Generated kernels, compiled by the C++ compiler of this machine: one thread goes through all
// rows. Only the functions of the device's prelude are others. Products with few rows of codes, and
// those by plain units, have all of their threads; of those by Hopper's, what follows the sums.
class HostKernels final
{
public:
    // Compiles all of them in `folder`, for these strides of their inputs. Aborts if that fails.
    // A product by plain units has the best of its shapes on kHostChip; where its group appears
    // again, the next.
    HostKernels(const std::vector<const core::Graph*>& groups,
                const std::vector<core::InputStrides>& strides, const std::filesystem::path& folder,
                core::ProductUnits units = core::ProductUnits::Hopper);
    // Of graphs, for inputs that lie densely.
    HostKernels(const std::vector<core::Graph>& graphs, const std::filesystem::path& folder);
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
