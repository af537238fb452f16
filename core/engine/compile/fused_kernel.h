#pragma once

#include "core/engine/internal/backend.h"
#include "core/kernels/generated_kernel.h"
#include "core/kernels/tensor_map.h"
#include "core/lower/fused/kernel_shape.h"
#include "core/lower/fused/product_units.h"
#include "core/measure/compile_record.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace qs::core {
struct KernelSource;
struct ProductSource;
struct SkinnySource;
}  // namespace qs::core

namespace qs::engine {

using Tensors = std::vector<at::Tensor>;

// What kernels are made of, and where; it outlives them.
struct KernelSite {
    const core::Graph& graph;  // of inputs and constants
    Backend& backend;
    const core::DeviceDescription& device;
    core::ProductUnits mostUnits = core::ProductUnits::Hopper;  // that products use

    // Whether kernels may start while those in front of them end.
    [[nodiscard]] bool startsEarly() const { return device.atLeast(9, 0); }
    [[nodiscard]] core::Result<core::GeneratedKernel> compiled(const std::string& text,
                                                               const std::string& name) const;
};

// A kernel that the device does not take as it is.
class LaunchError final : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

// A group as a kernel, for inputs that lie in one way. Throws what Torch throws, and LaunchError.
class FusedKernel
{
public:
    virtual ~FusedKernel() = default;
    [[nodiscard]] virtual Tensors run(const Tensors& inputs) const = 0;
    // Not one of a library.
    [[nodiscard]] virtual bool isOwn() const { return true; }

    // Calls are not counted.
    [[nodiscard]] const core::KernelChoice& choice() const { return m_choice; }
    // Of several shapes, after so many seconds of compiling and trying, now or when it was kept.
    void wasChosen(std::string shape, double seconds, bool kept);

protected:
    // Of another origin: without a name, PyTorch's.
    explicit FusedKernel(std::string name) : m_choice{.kernel = std::move(name)} {}
    explicit FusedKernel(const core::GeneratedKernel& code)
        : m_choice{.kernel = code.name(), .seconds = code.compileSeconds(), .kept = code.wasKept()}
    {
    }

private:
    core::KernelChoice m_choice;
};
using MadeKernel = core::Result<std::unique_ptr<FusedKernel>>;

// Of operations element by element and by rows; of many long rows in the shape that is the fastest
// here. Inputs are tried with, where nothing is written to them.
[[nodiscard]] MadeKernel rowKernel(const KernelSite& site, const core::InputStrides& strides,
                                   const Tensors& inputs);
// The same in one of its shapes.
[[nodiscard]] MadeKernel rowKernel(const KernelSite& site, const core::KernelSource& source);
// Of a product and what follows it, in the shape that is the fastest here: that is tried once and
// kept with the kernels. `weights`: which of the inputs are there before a pass.
[[nodiscard]] MadeKernel productKernel(const KernelSite& site, const core::InputStrides& strides,
                                       const Tensors& inputs, const std::vector<bool>& weights);
// The same in one of its shapes.
[[nodiscard]] MadeKernel productKernel(const KernelSite& site, const core::ProductSource& source);
// Likewise of a product with few rows of codes, see Note [Skinny products]: with as many warps a
// block as are the fastest here.
[[nodiscard]] MadeKernel skinnyKernel(const KernelSite& site, const core::InputStrides& strides,
                                      const Tensors& inputs, const std::vector<bool>& weights);
// The same in one of its shapes.
[[nodiscard]] MadeKernel skinnyKernel(const KernelSite& site, const core::SkinnySource& source);
// Of attention over few keys, see ShortAttention.
[[nodiscard]] MadeKernel ownAttentionKernel(const KernelSite& site,
                                            const core::InputStrides& strides);
// Of the same: ours or the library's, whichever is faster here, tried likewise.
[[nodiscard]] MadeKernel attentionKernel(const KernelSite& site, const core::InputStrides& strides,
                                         const Tensors& inputs);

// One launch, for pointers to the inputs and to the results.
[[nodiscard]] std::unique_ptr<FusedKernel> plainKernel(const KernelSite& site,
                                                       core::GeneratedKernel code,
                                                       const core::LaunchGrid& grid,
                                                       std::vector<std::int64_t> pitches);
// Results of a group: new tensors, and of what it writes into memory the input that has it.
// `pitches`: elements from one row to the next of each; none: dense.
[[nodiscard]] Tensors emptyResults(const KernelSite& site, const std::vector<std::int64_t>& pitches,
                                   const Tensors& inputs);
// Parameters are the maps, then where the inputs and the results lie.
void launch(const core::GeneratedKernel& code, std::vector<core::TensorMap> maps,
            const Tensors& inputs, const Tensors& results, const core::LaunchGrid& grid,
            const KernelSite& site);

template <class Value>
Value valueOf(const core::Result<Value>& result)
{
    if (!result.ok())
        throw LaunchError(result.error().message);
    return result.value();
}

}  // namespace qs::engine
