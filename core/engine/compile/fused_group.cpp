#include "core/engine/compile/fused_group.h"

#include "core/engine/compile/product_tuning.h"
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
                                      const core::DeviceDescription& device,
                                      std::vector<bool> weights)
{
    FusedGroup group(graph, backend, device, std::move(weights));
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
    std::vector<bool> copied(inputs.size(), false);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (isAligned(inputs[i]))
            continue;
        inputs[i] = inputs[i].clone();
        copied[i] = true;
    }
    const auto kernel = kernelFor(inputs, copied);
    if (kernel.ok())
        return launched(*kernel.value(), inputs);
    m_whyComposed = kernel.error().message;
    check(compose());
    return m_composition->run(inputs);
}

FusedGroup::Tensors FusedGroup::outputsOf(const Kernel& kernel) const
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

FusedGroup::Tensors FusedGroup::launched(const Kernel& kernel, const Tensors& inputs) const
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
                                    kernel.product->rowBytes(),
                                    operand.pitch * core::elementBytes(kernel.product->type)};
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
                  {shape.blocks, shape.threads * shape.rowsPerBlock, 0, startsEarly()},
                  std::move(code),
                  source.pitches};
}

Result<FusedGroup::Kernel> FusedGroup::buildProduct(const core::ProductSource& source,
                                                    const core::InputStrides& strides) const
{
    QS_TRY(core::GeneratedKernel code, compiled(source.text, source.name));
    QS_RETURN_IF_ERROR(code.allowShared(source.shape.sharedBytes));
    return Kernel{strides,
                  {source.shape.blocks, core::kProductThreads, source.shape.sharedBytes,
                   startsEarly() && source.shape.atOnce()},
                  std::move(code),
                  {},
                  source.product,
                  source.shape};
}

Result<FusedGroup::Kernel> FusedGroup::buildProduct(const core::InputStrides& strides,
                                                    const Tensors& inputs,
                                                    const std::vector<bool>& copied) const
{
    std::vector<bool> weights = m_weights;
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = weights[i] && !copied[i];
    QS_TRY(const std::vector<core::ProductSource> sources,
           core::productSources(*m_graph, strides, core::Division::ByReciprocal,
                                m_device->processors, weights));
    std::string key = "fastest on " + m_device->name + " with driver " + m_device->driver + "\n";
    for (const core::ProductSource& source : sources)
        key += source.text;
    const auto kept = m_backend->kernels().find(key);
    for (const core::ProductSource& source : sources) {
        if (sources.size() == 1 || source.shape.name() == kept)
            return buildProduct(source, strides);
    }
    std::vector<Kernel> kernels;
    for (const core::ProductSource& source : sources) {
        QS_TRY(Kernel kernel, buildProduct(source, strides));
        kernels.push_back(std::move(kernel));
    }
    std::vector<std::function<void()>> ways;
    for (const Kernel& kernel : kernels)
        ways.emplace_back(
            [this, &kernel, &inputs] { static_cast<void>(launched(kernel, inputs)); });
    QS_TRY(const std::size_t best, fastestLaunch(*m_backend, ways));
    m_backend->kernels().add(key, kernels[best].tile.name());
    return std::move(kernels[best]);
}

Result<const FusedGroup::Kernel*> FusedGroup::kernelFor(const Tensors& inputs,
                                                        const std::vector<bool>& copied)
{
    core::InputStrides strides = stridesOf(inputs);
    const auto found = std::find_if(m_kernels.begin(), m_kernels.end(), [&](const auto& each) {
        return each->strides == strides && each->copied == copied;
    });
    if (found != m_kernels.end())
        return found->get();
    const bool product =
        std::any_of(m_graph->nodes.begin(), m_graph->nodes.end(), [this](const core::Node& node) {
            return core::multipliesMatrices(*m_graph, node);
        });
    QS_TRY(Kernel kernel,
           product ? buildProduct(strides, inputs, copied) : build(std::move(strides)));
    kernel.copied = copied;
    m_kernels.push_back(std::make_unique<Kernel>(std::move(kernel)));
    return m_kernels.back().get();
}

}  // namespace qs::engine
