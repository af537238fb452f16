#include "core/engine/cell_packages.h"

#include "core/engine/phase_timer.h"
#include "core/lower/reference.h"

#include <utility>

namespace qs::engine {

core::Result<std::vector<StagePackage>> providePackages(const LoweredCell& cell,
                                                        PackageCompiler& compiler,
                                                        CellObserver& observer,
                                                        core::CellResult& result)
{
    const auto& stages = cell.program.stages;
    std::vector<StagePackage> packages(stages.size());
    if (!core::anyPackaged(cell.program))
        return packages;
    const PhaseTimer timer(core::Phase::Package, result, observer);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        if (stages[i].compile->packageMode.empty())
            continue;
        QS_TRY(const core::ReferenceStage reference, core::referenceStage(stages[i], cell.device));
        const double done = static_cast<double>(i) / static_cast<double>(stages.size());
        QS_TRY(packages[i],
               compiler.provide({stages[i].name, reference.graph, stages[i].compile, cell.device},
                                [&] { return observer.progressed(done); }));
        result.compiles.push_back(packages[i].compile);
    }
    return packages;
}

}  // namespace qs::engine
