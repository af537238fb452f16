#include "core/engine/compile/runner_registry.h"

#include "core/engine/compile/eager_runner.h"
#include "core/engine/compile/package_runner.h"
#include "core/engine/compile/region_runner.h"

#include <utility>

namespace qs::engine {

namespace {

std::map<std::string, RunnerFactory>& factories()
{
    static std::map<std::string, RunnerFactory> all{{"none", makeEagerRunner},
                                                    {"cuda-graph", makeGraphRunner}};
    return all;
}

}  // namespace

void registerRunner(const std::string& mode, RunnerFactory factory)
{
    factories().insert_or_assign(mode, std::move(factory));
}

core::Result<std::unique_ptr<StageRunner>> makeRunner(const StageSetup& setup)
{
    if (setup.program.compile->regional)
        return makeRegionRunner(setup);
    if (!setup.program.compile->packageMode.empty())
        return makePackageRunner(setup);
    const std::string& mode = setup.program.compile->name;
    const auto found = factories().find(mode);
    if (found == factories().end())
        return core::Error{core::ErrorCode::Unsupported,
                           "this worker cannot run the compile mode \"" + mode + "\""};
    return found->second(setup);
}

}  // namespace qs::engine
