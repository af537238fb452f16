#include "core/engine/compile/fused_kernel.h"
#include "core/engine/compile/kernel_tuning.h"
#include "core/lower/fused/product_source.h"

#include <iterator>
#include <utility>

namespace qs::engine {

using core::Result;

namespace {

class ProductKernel final : public FusedKernel
{
public:
    ProductKernel(const KernelSite& site, core::GeneratedKernel code,
                  const core::MatrixProduct& product, const core::ProductShape& shape)
        : FusedKernel(code),
          m_site(site),
          m_code(std::move(code)),
          m_product(product),
          m_shape(shape)
    {
    }

    [[nodiscard]] Tensors run(const Tensors& inputs) const override
    {
        Tensors results = emptyResults(m_site, {}, inputs);
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
        return {m_shape.blocks, m_shape.threads, m_shape.sharedBytes,
                m_site.startsEarly() && m_shape.atOnce()};
    }

    KernelSite m_site;
    core::GeneratedKernel m_code;
    core::MatrixProduct m_product;
    core::ProductShape m_shape;
};

// Whether PyTorch's operations are tried as well, those behind the product in launches of their
// own: of 16 bits, but for gates of Hopper, where that never was the faster.
bool mayBeOfLibrary(const core::MatrixProduct& product, const core::ProductChip& chip)
{
    return core::elementBytes(product.type) > 1 &&
           (product.halves == 1 || chip.units == core::ProductUnits::Plain);
}

}  // namespace

MadeKernel productKernel(const KernelSite& site, const core::ProductSource& source)
{
    QS_TRY(core::GeneratedKernel code, site.compiled(source.text, source.name));
    const core::ProductShape& shape = source.shape;
    QS_RETURN_IF_ERROR(code.allowShared(shape.sharedBytes));
    if (shape.units == core::ProductUnits::Plain) {
        const core::LaunchGrid grid{shape.blocks, shape.threads, shape.sharedBytes,
                                    site.startsEarly()};
        return plainKernel(site, std::move(code), grid, {});
    }
    return std::unique_ptr<FusedKernel>(
        std::make_unique<ProductKernel>(site, std::move(code), source.product, shape));
}

MadeKernel productKernel(const KernelSite& site, const core::InputStrides& strides,
                         const Tensors& inputs, const std::vector<bool>& weights)
{
    const core::ProductChip chip = core::productChip(site.device, site.mostUnits);
    QS_TRY(const std::vector<core::ProductSource> sources,
           core::productSources(site.graph, strides, core::Division::ByReciprocal, chip, weights));
    const bool triesLibrary = mayBeOfLibrary(sources.front().product, chip);
    if (!triesLibrary && sources.size() == 1)
        return productKernel(site, sources.front());
    std::vector<Candidate> candidates =
        candidatesOf(sources, [&site](const core::ProductSource& source) {
            return productKernel(site, source);
        });
    if (triesLibrary)
        candidates.insert(candidates.begin(), ofLibrary(site));
    return fastest(site, candidates, [&] { return withWeightsOfTheirOwn(inputs, weights); });
}

}  // namespace qs::engine
