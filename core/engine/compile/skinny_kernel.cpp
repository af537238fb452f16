#include "core/engine/compile/fused_kernel.h"
#include "core/engine/compile/kernel_tuning.h"
#include "core/lower/fused/skinny_source.h"

#include <string>
#include <utility>

namespace qs::engine {

using core::Result;

namespace {

constexpr int kWarp = 32;

MadeKernel kernelOf(const KernelSite& site, const core::SkinnySource& source)
{
    QS_TRY(core::GeneratedKernel code, site.compiled(source.text, source.name));
    const core::LaunchGrid grid{source.blocks, source.warps * kWarp, 0, site.startsEarly()};
    return plainKernel(site, std::move(code), grid, {});
}

}  // namespace

MadeKernel skinnyKernel(const KernelSite& site, const core::InputStrides& strides,
                        const Tensors& inputs, const std::vector<bool>& weights)
{
    QS_TRY(const std::vector<core::SkinnySource> sources,
           core::skinnySources(site.graph, strides, core::Division::ByReciprocal, weights));
    std::vector<Candidate> candidates;
    for (const core::SkinnySource& source : sources)
        candidates.push_back({"w" + std::to_string(source.warps), source.text,
                              [&site, &source] { return kernelOf(site, source); }});
    return fastest(site, candidates, [&] { return withWeightsOfTheirOwn(inputs, weights); });
}

}  // namespace qs::engine
