#pragma once

#include "core/engine/compile/fused_kernel.h"
#include "core/engine/execute/executor.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace qs::engine {

// One group of operations, run by its kernel on a GPU, and as its composition elsewhere or where no
// kernel can be built or launched. Throws what Torch throws.
class FusedGroup final
{
public:
    // `graph`, of inputs and constants, outlives it. `weights`: which inputs are there before a
    // pass; none where it is empty. `most`: the best units that a product uses.
    [[nodiscard]] static core::Result<FusedGroup>
    create(const core::Graph& graph, Backend& backend, const core::DeviceDescription& device,
           std::vector<bool> weights = {}, core::ProductUnits most = core::ProductUnits::Hopper);

    [[nodiscard]] Tensors run(Tensors inputs);
    // Whether kernels of ours have computed it.
    [[nodiscard]] bool isOwn() const;
    // Of what runs it, one for each way in which inputs lay; none once it has fallen back. Calls
    // are not counted.
    [[nodiscard]] std::vector<core::KernelChoice> choices() const;
    // Why it has no kernel where it should; known after the first run.
    [[nodiscard]] const std::optional<std::string>& whyComposed() const { return m_whyComposed; }

private:
    struct Made {
        core::InputStrides strides;
        std::vector<bool> copied;  // inputs that a kernel cannot read where they lie
        std::unique_ptr<FusedKernel> kernel;
    };

    FusedGroup(const core::Graph& graph, Backend& backend, const core::DeviceDescription& device,
               std::vector<bool> weights, core::ProductUnits most);
    // Inputs come as views of other tensors: a kernel reads them in the order they lie in. Those
    // that were copied for it are no weights any more.
    [[nodiscard]] core::Result<const FusedKernel*> kernelFor(const Tensors& inputs,
                                                             const std::vector<bool>& copied);
    [[nodiscard]] MadeKernel build(const core::InputStrides& strides, const Tensors& inputs,
                                   const std::vector<bool>& copied) const;
    [[nodiscard]] core::Status compose();
    Tensors runComposed(const Tensors& inputs, std::string why);

    const core::Graph* m_graph;
    Backend* m_backend;
    const core::DeviceDescription* m_device;
    std::vector<bool> m_weights;
    std::vector<bool> m_written;  // inputs
    core::ProductUnits m_mostUnits;
    std::optional<Executor> m_composition;  // where there is no kernel
    std::optional<std::string> m_whyComposed;
    std::vector<Made> m_kernels;
};

}  // namespace qs::engine
