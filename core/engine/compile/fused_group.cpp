#include "core/engine/compile/fused_group.h"

#include "core/lower/fused/matrix_product.h"
#include "core/lower/fused/memory_write.h"
#include "core/lower/fused/short_attention.h"
#include "core/lower/fused/skinny_product.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace qs::engine {

using core::Result;

namespace {

// Generated kernels read and write sixteen bytes at once.
constexpr std::uintptr_t kBytesAtOnce = 16;

bool isAligned(const at::Tensor& tensor)
{
    return reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) % kBytesAtOnce == 0;
}

core::InputStrides stridesOf(const Tensors& tensors)
{
    core::InputStrides strides;
    for (const at::Tensor& tensor : tensors)
        strides.push_back(tensor.strides().vec());
    return strides;
}

}  // namespace

FusedGroup::FusedGroup(const core::Graph& graph, Backend& backend,
                       const core::DeviceDescription& device, std::vector<bool> weights,
                       core::ProductUnits most)
    : m_graph(&graph),
      m_backend(&backend),
      m_device(&device),
      m_weights(std::move(weights)),
      m_written(core::writtenInputs(graph)),
      m_mostUnits(most)
{
}

Result<FusedGroup> FusedGroup::create(const core::Graph& graph, Backend& backend,
                                      const core::DeviceDescription& device,
                                      std::vector<bool> weights, core::ProductUnits most)
{
    FusedGroup group(graph, backend, device, std::move(weights), most);
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

Tensors FusedGroup::run(Tensors inputs)
{
    if (m_composition)
        return m_composition->run(inputs);
    std::vector<bool> copied(inputs.size(), false);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (isAligned(inputs[i]))
            continue;
        if (m_written[i])
            return runComposed(inputs, "memory that is written lies between pieces of 16 bytes");
        inputs[i] = inputs[i].clone();
        copied[i] = true;
    }
    try {
        const auto kernel = kernelFor(inputs, copied);
        if (kernel.ok())
            return kernel.value()->run(inputs);
        return runComposed(inputs, kernel.error().message);
    } catch (const LaunchError& error) {
        return runComposed(inputs, error.what());
    }
}

Tensors FusedGroup::runComposed(const Tensors& inputs, std::string why)
{
    m_whyComposed = std::move(why);
    if (const core::Status composed = compose(); !composed.ok())
        throw std::runtime_error(composed.error().message);
    return m_composition->run(inputs);
}

bool FusedGroup::isOwn() const
{
    return !m_composition && !m_kernels.empty() &&
           std::all_of(m_kernels.begin(), m_kernels.end(),
                       [](const Made& made) { return made.kernel->isOwn(); });
}

std::vector<core::KernelChoice> FusedGroup::choices() const
{
    std::vector<core::KernelChoice> choices;
    if (m_composition)
        return choices;  // whatever was built before
    for (const Made& made : m_kernels)
        choices.push_back(made.kernel->choice());
    return choices;
}

MadeKernel FusedGroup::build(const core::InputStrides& strides, const Tensors& inputs,
                             const std::vector<bool>& copied) const
{
    const KernelSite site{*m_graph, *m_backend, *m_device, m_mostUnits};
    const auto any = [this](const auto& isOne) {
        return std::any_of(m_graph->nodes.begin(), m_graph->nodes.end(),
                           [&](const core::Node& node) { return isOne(*m_graph, node); });
    };
    if (any(core::isShortAttention))
        return attentionKernel(site, strides, inputs);
    if (!any(core::multipliesMatrices))
        return rowKernel(site, strides, inputs);
    std::vector<bool> weights = m_weights;
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = weights[i] && !copied[i];
    return core::skinnyProduct(*m_graph, strides) ? skinnyKernel(site, strides, inputs, weights)
                                                  : productKernel(site, strides, inputs, weights);
}

Result<const FusedKernel*> FusedGroup::kernelFor(const Tensors& inputs,
                                                 const std::vector<bool>& copied)
{
    core::InputStrides strides = stridesOf(inputs);
    const auto found = std::find_if(m_kernels.begin(), m_kernels.end(), [&](const auto& each) {
        return each.strides == strides && each.copied == copied;
    });
    if (found != m_kernels.end())
        return found->kernel.get();
    QS_TRY(auto kernel, build(strides, inputs, copied));
    m_kernels.push_back({std::move(strides), copied, std::move(kernel)});
    return m_kernels.back().kernel.get();
}

}  // namespace qs::engine
