#include "core/engine/compile/fused_kernel.h"
#include "core/engine/compile/kernel_tuning.h"
#include "core/lower/fused/product_source.h"

#include <ATen/ops/empty_strided.h>

#include <algorithm>
#include <utility>

namespace qs::engine {

using core::Result;

namespace {

class ProductKernel final : public FusedKernel
{
public:
    ProductKernel(const KernelSite& site, core::GeneratedKernel code,
                  const core::MatrixProduct& product, const core::ProductShape& shape)
        : m_site(site), m_code(std::move(code)), m_product(product), m_shape(shape)
    {
    }

    [[nodiscard]] Tensors run(const Tensors& inputs) const override
    {
        Tensors results = emptyResults(m_site, {});
        launch(m_code,
               {valueOf(core::tensorMap(matrix(m_product.a, inputs), m_shape.rows)),
                valueOf(core::interleavedTensorMap(matrix(m_product.b, inputs),
                                                   m_shape.columns / m_product.halves,
                                                   m_shape.neighbours))},
               inputs, results, grid(), m_site);
        return results;
    }

private:
    [[nodiscard]] core::ByteMatrix matrix(const core::ProductOperand& operand,
                                          const Tensors& inputs) const
    {
        return {inputs[operand.input].data_ptr(), operand.rows, m_product.rowBytes(),
                operand.pitch * core::elementBytes(m_product.type)};
    }

    [[nodiscard]] core::LaunchGrid grid() const
    {
        return {m_shape.blocks, core::kProductThreads, m_shape.sharedBytes,
                m_site.startsEarly() && m_shape.atOnce()};
    }

    KernelSite m_site;
    core::GeneratedKernel m_code;
    core::MatrixProduct m_product;
    core::ProductShape m_shape;
};

MadeKernel kernelOf(const KernelSite& site, const core::ProductSource& source)
{
    QS_TRY(core::GeneratedKernel code, site.compiled(source.text, source.name));
    QS_RETURN_IF_ERROR(code.allowShared(source.shape.sharedBytes));
    return std::unique_ptr<FusedKernel>(
        std::make_unique<ProductKernel>(site, std::move(code), source.product, source.shape));
}

// So many that the cache has forgotten the first weights when they come again: in a pass they come
// from memory, unless all of a model's fit into the cache.
std::vector<Tensors> withWeightsOfTheirOwn(const Tensors& inputs, std::size_t weight)
{
    constexpr std::int64_t kMost = 20;
    constexpr std::int64_t kForgottenAfter = 128 * 1024 * 1024;  // caches of GPUs have half of it
    const std::int64_t bytes = static_cast<std::int64_t>(inputs[weight].nbytes());
    const std::int64_t copies = std::min(kMost, kForgottenAfter / bytes + 1);
    std::vector<Tensors> turns(static_cast<std::size_t>(copies), inputs);
    for (std::size_t i = 1; i < turns.size(); ++i) {
        at::Tensor& copy = turns[i][weight];
        // A clone of rows that are padded would lie without the padding.
        copy = at::empty_strided(copy.sizes(), copy.strides(), copy.options());
        copy.copy_(inputs[weight]);
    }
    return turns;
}

}  // namespace

MadeKernel productKernel(const KernelSite& site, const core::InputStrides& strides,
                         const Tensors& inputs, const std::vector<bool>& weights)
{
    QS_TRY(const std::vector<core::ProductSource> sources,
           core::productSources(site.graph, strides, core::Division::ByReciprocal,
                                site.device.processors, weights));
    if (sources.size() == 1)
        return kernelOf(site, sources.front());
    std::vector<Candidate> candidates;
    for (const core::ProductSource& source : sources)
        candidates.push_back({source.shape.name(), source.text,
                              [&site, &source] { return kernelOf(site, source); }});
    const std::size_t second = sources.front().product.b.input;
    const bool early = !weights.empty() && weights[second];
    return fastest(site, candidates, [&] {
        return early ? withWeightsOfTheirOwn(inputs, second) : std::vector<Tensors>{inputs};
    });
}

}  // namespace qs::engine
