#include "core/engine/compile/fused_kernel.h"

#include "core/engine/internal/torch_types.h"
#include "core/lower/fused/kernel_source.h"
#include "core/lower/fused/memory_write.h"

#include <ATen/ops/empty.h>

#include <utility>

namespace qs::engine {

using core::Result;

namespace {

class PlainKernel final : public FusedKernel
{
public:
    PlainKernel(const KernelSite& site, core::GeneratedKernel code, core::LaunchGrid grid,
                std::vector<std::int64_t> pitches)
        : FusedKernel(code),
          m_site(site),
          m_code(std::move(code)),
          m_grid(grid),
          m_pitches(std::move(pitches))
    {
    }

    [[nodiscard]] Tensors run(const Tensors& inputs) const override
    {
        Tensors results = emptyResults(m_site, m_pitches, inputs);
        launch(m_code, {}, inputs, results, m_grid, m_site);
        return results;
    }

private:
    KernelSite m_site;
    core::GeneratedKernel m_code;
    core::LaunchGrid m_grid;
    std::vector<std::int64_t> m_pitches;
};

}  // namespace

Result<core::GeneratedKernel> KernelSite::compiled(const std::string& text,
                                                   const std::string& name) const
{
    return core::GeneratedKernel::build(core::cudaPrelude() + text, name, device.computeMajor,
                                        device.computeMinor, backend.kernels());
}

void FusedKernel::wasChosen(std::string shape, double seconds, bool kept)
{
    m_choice.shape = std::move(shape);
    m_choice.seconds = seconds;
    m_choice.kept = kept;
}

Tensors emptyResults(const KernelSite& site, const std::vector<std::int64_t>& pitches,
                     const Tensors& inputs)
{
    Tensors results;
    for (std::size_t i = 0; i < site.graph.outputs.size(); ++i) {
        if (const auto written = core::writtenInput(site.graph, i)) {
            results.push_back(inputs.at(*written));
            continue;
        }
        const core::TensorType& type = site.graph.value(site.graph.outputs[i]).type;
        const auto options = optionsOf(type.dtype, site.backend.device());
        std::vector<std::int64_t> shape = type.shape;
        if (!pitches.empty() && !shape.empty())
            shape.back() = pitches[i];
        at::Tensor whole = at::empty(shape, options);
        results.push_back(shape == type.shape ? std::move(whole)
                                              : whole.narrow(-1, 0, type.shape.back()));
    }
    return results;
}

void launch(const core::GeneratedKernel& code, std::vector<core::TensorMap> maps,
            const Tensors& inputs, const Tensors& results, const core::LaunchGrid& grid,
            const KernelSite& site)
{
    std::vector<void*> pointers;
    for (const Tensors* tensors : {&inputs, &results}) {
        for (const at::Tensor& tensor : *tensors)
            pointers.push_back(tensor.data_ptr());
    }
    std::vector<void*> parameters;
    for (core::TensorMap& map : maps)
        parameters.push_back(&map);
    for (void*& pointer : pointers)
        parameters.push_back(&pointer);
    const core::Status status = code.launch(parameters, grid, site.backend.stream());
    if (!status.ok())
        throw LaunchError(status.error().message);
}

std::unique_ptr<FusedKernel> plainKernel(const KernelSite& site, core::GeneratedKernel code,
                                         const core::LaunchGrid& grid,
                                         std::vector<std::int64_t> pitches)
{
    return std::make_unique<PlainKernel>(site, std::move(code), grid, std::move(pitches));
}

}  // namespace qs::engine
