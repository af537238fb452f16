#include "core/engine/compile/fused_group.h"

#include "core/engine/internal/torch_types.h"
#include "core/kernels/tensor_map.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

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

template <class Value>
Value valueOf(const Result<Value>& result)
{
    if (!result.ok())
        throw std::runtime_error(result.error().message);
    return result.value();
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

std::vector<at::Tensor> FusedGroup::outputsOf(const Kernel& kernel) const
{
    std::vector<at::Tensor> outputs;
    for (std::size_t i = 0; i < m_graph->outputs.size(); ++i) {
        const core::TensorType& type = m_graph->value(m_graph->outputs[i]).type;
        const auto options =
            at::TensorOptions().dtype(toTorch(type.dtype)).device(m_backend->device());
        std::vector<std::int64_t> shape = type.shape;
        if (!kernel.pitches.empty() && !shape.empty())
            shape.back() = kernel.pitches[i];
        at::Tensor whole = at::empty(shape, options);
        outputs.push_back(shape == type.shape ? std::move(whole)
                                              : whole.narrow(-1, 0, type.shape.back()));
    }
    return outputs;
}

std::vector<at::Tensor> FusedGroup::launched(const Kernel& kernel,
                                             const std::vector<at::Tensor>& inputs) const
{
    std::vector<at::Tensor> outputs = outputsOf(kernel);
    std::vector<void*> pointers;
    for (const std::vector<at::Tensor>* tensors : {&inputs, &std::as_const(outputs)}) {
        for (const at::Tensor& tensor : *tensors)
            pointers.push_back(tensor.data_ptr());
    }
    std::array<core::TensorMap, 2> maps;
    std::vector<void*> parameters;
    if (kernel.product) {
        const auto matrix = [&](const core::ProductOperand& operand) {
            return core::ByteMatrix{inputs[operand.input].data_ptr(), operand.rows,
                                    kernel.product->k, operand.pitch};
        };
        maps = {valueOf(core::tensorMap(matrix(kernel.product->a), kernel.tile.rows)),
                valueOf(core::interleavedTensorMap(matrix(kernel.product->b),
                                                   kernel.tile.columns / kernel.product->halves,
                                                   kernel.tile.neighbours))};
        for (core::TensorMap& map : maps)
            parameters.push_back(&map);
    }
    for (void*& pointer : pointers)
        parameters.push_back(&pointer);
    check(kernel.code.launch(parameters, kernel.grid, m_backend->stream()));
    return outputs;
}

Result<core::GeneratedKernel> FusedGroup::compiled(const std::string& text,
                                                   const std::string& name) const
{
    return core::GeneratedKernel::build(core::cudaPrelude() + text, name, m_device->computeMajor,
                                        m_device->computeMinor, m_backend->kernels());
}

Result<FusedGroup::Kernel> FusedGroup::build(core::InputStrides strides) const
{
    QS_TRY(const core::KernelSource source,
           core::kernelSource(*m_graph, strides, core::Division::ByReciprocal));
    QS_TRY(core::GeneratedKernel code, compiled(source.text, source.name));
    const core::KernelShape& shape = source.shape;
    return Kernel{std::move(strides),
                  {shape.blocks, shape.threads * shape.rowsPerBlock},
                  std::move(code),
                  source.pitches};
}

Result<FusedGroup::Kernel> FusedGroup::buildProduct(core::InputStrides strides) const
{
    QS_TRY(
        const core::ProductSource source,
        core::productSource(*m_graph, strides, core::Division::ByReciprocal, m_device->processors));
    QS_TRY(core::GeneratedKernel code, compiled(source.text, source.name));
    QS_RETURN_IF_ERROR(code.allowShared(source.shape.sharedBytes));
    return Kernel{
        std::move(strides), {source.shape.blocks, core::kProductThreads, source.shape.sharedBytes},
        std::move(code),    {},
        source.product,     source.shape};
}

Result<const FusedGroup::Kernel*> FusedGroup::kernelFor(const std::vector<at::Tensor>& inputs)
{
    core::InputStrides strides = stridesOf(inputs);
    const auto found = std::find_if(m_kernels.begin(), m_kernels.end(),
                                    [&](const auto& each) { return each->strides == strides; });
    if (found != m_kernels.end())
        return found->get();
    const bool product =
        std::any_of(m_graph->nodes.begin(), m_graph->nodes.end(), [this](const core::Node& node) {
            return core::multipliesMatrices(*m_graph, node);
        });
    QS_TRY(Kernel kernel, product ? buildProduct(std::move(strides)) : build(std::move(strides)));
    m_kernels.push_back(std::make_unique<Kernel>(std::move(kernel)));
    return m_kernels.back().get();
}

}  // namespace qs::engine
