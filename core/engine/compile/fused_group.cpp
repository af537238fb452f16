#include "core/engine/compile/fused_group.h"

#include "core/engine/internal/torch_types.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace qs::engine {

using core::Result;

namespace {

// Generated kernels read and write sixteen bytes at once.
constexpr std::uintptr_t kAlignment = 16;

bool isAligned(const at::Tensor& tensor)
{
    return reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) % kAlignment == 0;
}

core::InputStrides stridesOf(const std::vector<at::Tensor>& tensors)
{
    core::InputStrides strides;
    for (const at::Tensor& tensor : tensors)
        strides.push_back(tensor.strides().vec());
    return strides;
}

void check(const core::Status& status)
{
    if (!status.ok())
        throw std::runtime_error(status.error().message);
}

}  // namespace

Result<FusedGroup> FusedGroup::create(const core::Graph& graph, Backend& backend,
                                      const core::DeviceDescription& device)
{
    FusedGroup group(graph, backend, device);
    if (backend.stream() == nullptr)
        QS_RETURN_IF_ERROR(group.compose());
    return group;
}

core::Status FusedGroup::compose()
{
    QS_TRY(Executor composition, Executor::create(*m_graph, {}, m_backend->device()));
    m_composition.emplace(std::move(composition));
    return {};
}

std::vector<at::Tensor> FusedGroup::run(std::vector<at::Tensor> inputs)
{
    if (m_composition)
        return m_composition->run(inputs);
    for (at::Tensor& input : inputs) {
        if (!isAligned(input))
            input = input.clone();
    }
    const auto kernel = kernelFor(inputs);
    if (kernel.ok())
        return launched(*kernel.value(), inputs);
    m_whyComposed = kernel.error().message;
    check(compose());
    return m_composition->run(inputs);
}

std::vector<at::Tensor> FusedGroup::launched(const Kernel& kernel,
                                             const std::vector<at::Tensor>& inputs) const
{
    std::vector<void*> pointers;
    for (const at::Tensor& input : inputs)
        pointers.push_back(input.data_ptr());
    std::vector<at::Tensor> outputs;
    for (const core::ValueId id : m_graph->outputs) {
        const core::TensorType& type = m_graph->value(id).type;
        outputs.push_back(
            at::empty(type.shape,
                      at::TensorOptions().dtype(toTorch(type.dtype)).device(m_backend->device())));
        pointers.push_back(outputs.back().data_ptr());
    }
    check(kernel.code.launch(pointers, kernel.grid, m_backend->stream()));
    return outputs;
}

Result<const FusedGroup::Kernel*> FusedGroup::kernelFor(const std::vector<at::Tensor>& inputs)
{
    core::InputStrides strides = stridesOf(inputs);
    const auto found = std::find_if(m_kernels.begin(), m_kernels.end(),
                                    [&](const auto& each) { return each->strides == strides; });
    if (found != m_kernels.end())
        return found->get();
    QS_TRY(const core::KernelSource source,
           core::kernelSource(*m_graph, strides, core::Division::ByReciprocal));
    QS_TRY(core::GeneratedKernel code,
           core::GeneratedKernel::build(core::cudaPrelude() + source.text, source.name,
                                        m_device->computeMajor, m_device->computeMinor));
    const core::KernelShape& shape = source.shape;
    m_kernels.push_back(std::make_unique<Kernel>(Kernel{
        std::move(strides), {shape.blocks, shape.threads * shape.rowsPerBlock}, std::move(code)}));
    return m_kernels.back().get();
}

}  // namespace qs::engine
