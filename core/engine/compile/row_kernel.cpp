#include "core/engine/compile/fused_kernel.h"
#include "core/engine/compile/kernel_tuning.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/memory_write.h"

#include <utility>

namespace qs::engine {

namespace {

// What it writes to would not be the same the next time.
bool writesToInputs(const core::Graph& group)
{
    for (std::size_t i = 0; i < group.outputs.size(); ++i) {
        if (core::writtenInput(group, i))
            return true;
    }
    return false;
}

}  // namespace

MadeKernel rowKernel(const KernelSite& site, const core::KernelSource& source)
{
    QS_TRY(core::GeneratedKernel code, site.compiled(source.text, source.name));
    const core::KernelShape& shape = source.shape;
    const core::LaunchGrid grid{shape.blocks, shape.threads * shape.rowsPerBlock, 0,
                                site.startsEarly()};
    return plainKernel(site, std::move(code), grid, source.pitches);
}

MadeKernel rowKernel(const KernelSite& site, const core::InputStrides& strides,
                     const Tensors& inputs)
{
    QS_TRY(const std::vector<core::KernelSource> sources,
           core::kernelSources(site.graph, strides, core::Division::ByReciprocal));
    if (sources.size() == 1 || writesToInputs(site.graph))
        return rowKernel(site, sources.front());
    std::vector<Candidate> candidates;
    for (const core::KernelSource& source : sources)
        candidates.push_back({source.shape.name(), source.text,
                              [&site, &source] { return rowKernel(site, source); }, true});
    return fastest(site, candidates, [&] { return std::vector<Tensors>{inputs}; });
}

}  // namespace qs::engine
