#include "core/engine/compile/fused_kernel.h"
#include "core/engine/compile/kernel_tuning.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/memory_write.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace qs::engine {

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
    const std::vector<bool> written = core::writtenInputs(site.graph);
    // What it writes to would not be the same the next time.
    const bool writes = std::find(written.begin(), written.end(), true) != written.end();
    if (sources.size() == 1 || writes)
        return rowKernel(site, sources.front());
    return fastest(
        site,
        candidatesOf(sources,
                     [&site](const core::KernelSource& source) { return rowKernel(site, source); }),
        [&] { return std::vector<Tensors>{inputs}; });
}

}  // namespace qs::engine
