#include "core/engine/compile/fused_kernel.h"
#include "core/engine/compile/kernel_tuning.h"
#include "core/lower/fused/skinny_source.h"

#include <string>
#include <utility>

namespace qs::engine {

using core::Result;

MadeKernel skinnyKernel(const KernelSite& site, const core::SkinnySource& source)
{
    constexpr int kWarp = 32;
    const core::SkinnyShape& shape = source.shape;
    QS_TRY(core::GeneratedKernel code, site.compiled(source.text, source.name));
    QS_RETURN_IF_ERROR(code.allowShared(shape.sharedBytes));
    const core::LaunchGrid grid{shape.blocks(), shape.warps() * kWarp, shape.sharedBytes,
                                site.startsEarly()};
    return plainKernel(site, std::move(code), grid, {});
}

MadeKernel skinnyKernel(const KernelSite& site, const core::InputStrides& strides,
                        const Tensors& inputs, const std::vector<bool>& weights)
{
    QS_TRY(const std::vector<core::SkinnySource> sources,
           core::skinnySources(site.graph, strides, core::Division::ByReciprocal,
                               site.device.processors, site.device.atLeast(9, 0), weights));
    return fastest(site,
                   candidatesOf(sources,
                                [&site](const core::SkinnySource& source) {
                                    return skinnyKernel(site, source);
                                }),
                   [&] { return withWeightsOfTheirOwn(inputs, weights); });
}

}  // namespace qs::engine
