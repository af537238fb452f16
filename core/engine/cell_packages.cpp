#include "core/engine/cell_packages.h"

#include "core/engine/phase_timer.h"
#include "core/lower/region_stage.h"

#include <utility>

namespace qs::engine {

namespace {

// A program of one of the stages.
struct Wanted {
    std::size_t stage;
    core::PackageProgram program;
};

core::Result<std::vector<Wanted>> wantedPrograms(const LoweredCell& cell)
{
    std::vector<Wanted> wanted;
    for (std::size_t i = 0; i < cell.program.stages.size(); ++i) {
        QS_TRY(auto programs, core::packagePrograms(cell.program.stages[i], cell.device));
        for (core::PackageProgram& program : programs)
            wanted.push_back({i, std::move(program)});
    }
    return wanted;
}

}  // namespace

core::Result<std::vector<StagePackages>> providePackages(const LoweredCell& cell,
                                                         PackageCompiler& compiler,
                                                         CellObserver& observer,
                                                         core::CellResult& result)
{
    std::vector<StagePackages> packages(cell.program.stages.size());
    if (!core::anyPackaged(cell.program))
        return packages;
    const PhaseTimer timer(core::Phase::Package, result, observer);
    QS_TRY(const std::vector<Wanted> wanted, wantedPrograms(cell));
    std::vector<PackageRequest> requests;
    for (const Wanted& each : wanted)
        requests.push_back({each.program.graph, each.program.packageMode, cell.device});
    QS_TRY(std::vector<StagePackage> provided,
           compiler.provide(requests, [&] { return observer.progressed(0.0); }));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& [stage, program] = wanted[i];
        provided[i].compile.stage = cell.program.stages[stage].name;
        provided[i].compile.part = program.part;
        provided[i].compile.calls = program.calls;
        result.compiles.push_back(provided[i].compile);
        packages[stage].push_back(std::move(provided[i]));
    }
    return packages;
}

}  // namespace qs::engine
