#pragma once

#include "core/device/description.h"
#include "core/engine/execute/executor.h"
#include "core/engine/internal/backend.h"
#include "core/kernels/generated_kernel.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/product_source.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace qs::engine {

// One group of operations, run by its kernel on a GPU, and as its composition elsewhere or where no
// kernel can be built. Throws what Torch throws, and std::runtime_error where a launch fails.
class FusedGroup final
{
public:
    // `graph`, of inputs and constants, outlives it. `weights`: which inputs are there before a
    // pass; none where it is empty.
    [[nodiscard]] static core::Result<FusedGroup> create(const core::Graph& graph, Backend& backend,
                                                         const core::DeviceDescription& device,
                                                         std::vector<bool> weights = {});

    [[nodiscard]] std::vector<at::Tensor> run(std::vector<at::Tensor> inputs);
    // Why it has no kernel where it should; known after the first run.
    [[nodiscard]] const std::optional<std::string>& whyComposed() const { return m_whyComposed; }

private:
    struct Kernel {
        core::InputStrides strides;
        core::LaunchGrid grid;
        core::GeneratedKernel code;
        std::vector<std::int64_t> pitches;  // of the rows of each output; none: dense
        // Of a product, whose operands are loaded in boxes.
        std::optional<core::MatrixProduct> product = std::nullopt;
        core::ProductShape tile = {};
        // Inputs that were copied for it, because it cannot read them where they lie.
        std::vector<bool> copied = {};
    };

    using Tensors = std::vector<at::Tensor>;

    FusedGroup(const core::Graph& graph, Backend& backend, const core::DeviceDescription& device,
               std::vector<bool> weights)
        : m_graph(&graph), m_backend(&backend), m_device(&device), m_weights(std::move(weights))
    {
    }
    // Inputs come as views of other tensors: a kernel reads them in the order they lie in. Those
    // that were copied for it are no weights any more.
    [[nodiscard]] core::Result<const Kernel*> kernelFor(const Tensors& inputs,
                                                        const std::vector<bool>& copied);
    [[nodiscard]] core::Status compose();
    // Whether kernels may start while those in front of them end.
    [[nodiscard]] bool startsEarly() const { return m_device->atLeast(9, 0); }
    [[nodiscard]] core::Result<core::GeneratedKernel> compiled(const std::string& text,
                                                               const std::string& name) const;
    [[nodiscard]] core::Result<Kernel> build(core::InputStrides strides) const;
    // In the shape that is the fastest here, which is tried once and kept with the kernels.
    [[nodiscard]] core::Result<Kernel> buildProduct(const core::InputStrides& strides,
                                                    const Tensors& inputs,
                                                    const std::vector<bool>& copied) const;
    [[nodiscard]] core::Result<Kernel> buildProduct(const core::ProductSource& source,
                                                    const core::InputStrides& strides) const;
    [[nodiscard]] Tensors outputsOf(const Kernel& kernel) const;
    [[nodiscard]] Tensors launched(const Kernel& kernel, const Tensors& inputs) const;

    const core::Graph* m_graph;
    Backend* m_backend;
    const core::DeviceDescription* m_device;
    std::vector<bool> m_weights;
    std::optional<Executor> m_composition;  // where there is no kernel
    std::optional<std::string> m_whyComposed;
    std::vector<std::unique_ptr<Kernel>> m_kernels;
};

}  // namespace qs::engine
