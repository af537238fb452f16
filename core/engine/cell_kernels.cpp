#include "core/engine/cell_kernels.h"

#include "core/base/sha256.h"
#include "core/engine/phase_timer.h"

#include <algorithm>
#include <utility>

namespace qs::engine {

namespace {

// Those that are kept cost nothing to make again, so that there is no warm compile.
std::vector<core::StageCompile>
compilesOfKernels(const core::Program& program,
                  const std::vector<std::vector<core::KernelChoice>>& kernels)
{
    std::vector<core::StageCompile> compiles;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (kernels[i].empty())
            continue;
        core::StageCompile stage;
        stage.stage = program.stages[i].name;
        stage.content = core::sha256Hex(core::toText(program.stages[i].graph));
        stage.kernels = kernels[i];
        stage.fromCache =
            std::all_of(kernels[i].begin(), kernels[i].end(), [](const core::KernelChoice& each) {
                return each.kept || each.seconds == 0.0;
            });
        for (const core::KernelChoice& each : kernels[i])
            stage.coldSeconds += each.seconds;
        compiles.push_back(std::move(stage));
    }
    return compiles;
}

void takeTimes(const std::vector<core::KernelChoice>& made, std::vector<core::KernelChoice>& ran)
{
    for (core::KernelChoice& each : ran) {
        const auto same = std::find_if(made.begin(), made.end(), [&](const auto& one) {
            return one.kernel == each.kernel && one.shape == each.shape &&
                   one.module == each.module && one.operations == each.operations;
        });
        if (same != made.end()) {
            each.seconds = same->seconds;
            each.kept = same->kept;
        }
    }
}

}  // namespace

core::Status makeKernels(const LoweredCell& cell, const std::vector<StageWeights>& weights,
                         const std::vector<StagePackages>& packages,
                         const core::HostTensors& inputs, Backend& backend, CellObserver& observer,
                         core::CellResult& result)
{
    const auto& stages = cell.program.stages;
    if (backend.stream() == nullptr ||
        std::none_of(stages.begin(), stages.end(),
                     [](const core::StageProgram& stage) { return stage.compile->ownKernels; }))
        return {};
    const PhaseTimer timer(core::Phase::Package, result, observer);
    {
        QS_TRY(const auto pipeline,
               Pipeline::create(cell.program, weights, inputs, cell.device, backend, packages));
        QS_RETURN_IF_ERROR(pipeline->firstPass());
        for (core::StageCompile& stage : compilesOfKernels(cell.program, pipeline->kernels()))
            result.compiles.push_back(std::move(stage));
    }
    backend.releaseCache();
    return {};
}

void noteKernels(const core::Program& program, const Pipeline& pipeline, core::CellResult& result)
{
    std::vector<std::vector<core::KernelChoice>> ran = pipeline.kernels();
    for (core::StageCompile& compile : result.compiles) {
        for (std::size_t i = 0; i < ran.size(); ++i) {
            if (program.stages[i].name != compile.stage || ran[i].empty())
                continue;
            takeTimes(compile.kernels, ran[i]);
            compile.kernels = std::move(ran[i]);
            break;
        }
    }
}

}  // namespace qs::engine
