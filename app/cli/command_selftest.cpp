#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/progress_printer.h"
#include "app/cli/terminal_text.h"
#include "core/base/temporary_folder.h"
#include "core/run/describe_engine.h"
#include "core/run/program_paths.h"
#include "core/run/run_session.h"

#include <fmt/format.h>

namespace qs::app {

namespace {

core::Preset selftestPreset(const core::DeviceDescription& device)
{
    core::Preset preset;
    preset.name = "self-test on " + device.id;
    preset.defaults.model = "vitok:w128_d2_h4/1x8x16";
    preset.defaults.device = device.id;
    preset.defaults.sizes = {{std::string(core::kImageSize), 64}};
    preset.axes = {{"precision", {"bf16", "int8dq", "int8wo"}}, {"batch", {"1", "2"}}};
    if (device.kind == core::DeviceKind::Cuda)
        preset.axes.push_back({"compile", {"none", "cuda-graph"}});
    preset.rounds = 1;
    preset.pictures.count = 2;
    preset.measurement.minimumWarmupSeconds = 0.05;
    preset.measurement.maximumWarmupSeconds = 0.2;
    preset.measurement.minimumSampleSeconds = 0.05;
    preset.measurement.maximumSampleSeconds = 0.5;
    return preset;
}

// A rerun of the reference in another process must give the same bits.
bool rerunsAgree(const core::RunData& data)
{
    std::map<std::string, std::vector<core::OutputRecord>> outputs;
    for (const core::Measurement& row : data.measurements)
        outputs[row.cellId] = row.result.outputs;
    bool agree = true;
    for (const core::PlannedCell& cell : data.plan.cells) {
        if (cell.rerun == 0 || !outputs.contains(cell.id) || !outputs.contains(cell.referenceId))
            continue;
        const auto& rerun = outputs[cell.id];
        const auto& reference = outputs[cell.referenceId];
        for (std::size_t i = 0; i < rerun.size() && i < reference.size(); ++i)
            agree = agree && rerun[i].sha256 == reference[i].sha256;
    }
    return agree;
}

}  // namespace

int selftestCommand()
{
    const core::ProgramPaths paths = core::locatePrograms();
    const auto engine = core::describeEngine(paths.worker, 60.0);
    if (!engine.ok())
        return fail(engine.error());
    int code = kExitOk;
    for (const core::DeviceDescription& device : engine.value().devices) {
        say("{} ({})\n", device.id, device.name);
        const auto folder = core::TemporaryFolder::create("quantscope-selftest-");
        const auto plan = core::makePlan(selftestPreset(device),
                                         {engine.value().devices, paths.resources, false});
        if (!folder.ok() || !plan.ok()) {
            complain((folder.ok() ? plan.error() : folder.error()).message);
            return kExitCellFailed;
        }
        ProgressPrinter printer(false);
        core::RunSession session(plan.value(),
                                 {.folder = folder.value().path() / "run",
                                  .workerProgram = paths.worker,
                                  .resourceFolder = paths.resources},
                                 printer);
        session.wait();
        const bool good = printer.status().ok() && printer.complete() &&
                          exitCodeOf(printer.data(), true) == kExitOk;
        const bool agree = rerunsAgree(printer.data());
        if (!printer.status().ok())
            complainLine(printer.status().error().message);
        say("{}: {}; reruns {}\n", device.id, good ? "all cells ok" : "FAILED",
            agree ? "are bit-identical" : "DIFFER");
        if (!good || !agree)
            code = kExitCellFailed;
    }
    return code;
}

}  // namespace qs::app
