#include "core/engine/compile/runner_registry.h"

#include "core/engine/compile/eager_runner.h"
#include "core/engine/compile/fused_runner.h"
#include "core/engine/compile/package_runner.h"
#include "core/engine/compile/program_runner.h"
#include "core/engine/compile/region_runner.h"
#include "core/lower/region_stage.h"

#include <utility>

namespace qs::engine {

namespace {

std::map<std::string, RunnerFactory>& factories()
{
    static std::map<std::string, RunnerFactory> all{
        {"none", makeEagerRunner},
        {"cuda-graph", makeGraphRunner},
        {"fused", makeFusedRunner},
        {std::string(core::kAsPackaged), makeProgramRunner}};
    return all;
}

}  // namespace

void registerRunner(const std::string& mode, RunnerFactory factory)
{
    factories().insert_or_assign(mode, std::move(factory));
}

core::Result<std::unique_ptr<StageRunner>> makeRunner(const StageSetup& setup)
{
    if (!setup.program.compile->packageMode.empty()) {
        QS_TRY(std::optional<core::RegionStage> parts,
               core::compiledParts(setup.program, setup.device));
        return parts ? makeRegionRunner(setup, std::move(*parts)) : makePackageRunner(setup);
    }
    const std::string& mode = setup.program.compile->name;
    const auto found = factories().find(mode);
    if (found == factories().end())
        return core::Error{core::ErrorCode::Unsupported,
                           "this worker cannot run the compile mode \"" + mode + "\""};
    return found->second(setup);
}

}  // namespace qs::engine
