#include "core/engine/compile/fused_kernel.h"
#include "core/engine/compile/kernel_tuning.h"
#include "core/engine/internal/torch_types.h"
#include "core/lower/fused/attention_source.h"

#include <ATen/ops/empty.h>

#include <utility>

namespace qs::engine {

using core::Result;

namespace {

class AttentionKernel final : public FusedKernel
{
public:
    AttentionKernel(const KernelSite& site, core::GeneratedKernel code,
                    core::AttentionSource source)
        : FusedKernel(code), m_site(site), m_code(std::move(code)), m_source(std::move(source))
    {
    }

    [[nodiscard]] Tensors run(const Tensors& inputs) const override
    {
        const core::ShortAttention& attention = m_source.attention;
        const auto options = optionsOf(attention.type, m_site.backend.device());
        const at::Tensor result = at::empty(
            {attention.batch, attention.q.tokens, attention.heads, attention.width}, options);
        launch(
            m_code,
            {map(attention.q, inputs, m_source.queryRows),
             map(attention.k, inputs, m_source.keyRows),
             map(attention.v, inputs, m_source.keyRows)},
            {}, {result},
            {m_source.blocks, core::kAttentionThreads, m_source.sharedBytes, m_site.startsEarly()},
            m_site);
        return {result.transpose(1, 2)};
    }

private:
    [[nodiscard]] core::TensorMap map(const core::AttentionOperand& operand, const Tensors& inputs,
                                      int rows) const
    {
        const core::ShortAttention& attention = m_source.attention;
        const at::Tensor& input = inputs[operand.input];
        const std::int64_t size = input.element_size();
        const core::ByteTensor tensor{static_cast<char*>(input.data_ptr()) + operand.offset * size,
                                      attention.width * size,
                                      {{{operand.tokens, operand.tokenPitch * size},
                                        {attention.heads, operand.headPitch * size},
                                        {attention.batch, operand.batchPitch * size}}}};
        return valueOf(core::tensorMap(tensor, rows));
    }

    KernelSite m_site;
    core::GeneratedKernel m_code;
    core::AttentionSource m_source;
};

MadeKernel made(const KernelSite& site, const core::AttentionSource& source)
{
    QS_TRY(core::GeneratedKernel code, site.compiled(source.text, source.name));
    QS_RETURN_IF_ERROR(code.allowShared(source.sharedBytes));
    return std::unique_ptr<FusedKernel>(
        std::make_unique<AttentionKernel>(site, std::move(code), source));
}

Result<core::AttentionSource> sourceFor(const KernelSite& site, const core::InputStrides& strides)
{
    if (const auto attention = core::shortAttention(site.graph, strides))
        return core::attentionSource(*attention);
    return core::Error{core::ErrorCode::Unsupported, "operands that lie in another way"};
}

}  // namespace

MadeKernel ownAttentionKernel(const KernelSite& site, const core::InputStrides& strides)
{
    QS_TRY(const core::AttentionSource source, sourceFor(site, strides));
    return made(site, source);
}

MadeKernel attentionKernel(const KernelSite& site, const core::InputStrides& strides,
                           const Tensors& inputs)
{
    QS_TRY(const core::AttentionSource source, sourceFor(site, strides));
    return fastest(
        site, {{"own", source.text, [&] { return made(site, source); }, true}, ofLibrary(site)},
        [&] { return std::vector<Tensors>{inputs}; });
}

}  // namespace qs::engine
