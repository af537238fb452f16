#include "app/cli/command_options.h"
#include "app/cli/exit_codes.h"
#include "app/cli/interrupts.h"
#include "app/cli/standard_output.h"
#include "app/cli/terminal_text.h"
#include "core/base/caught.h"
#include "core/base/clean_text.h"

#include <CLI/CLI.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace qs::app;

// What no command can mean: names that are empty, and names that could not be put into a plan.
qs::core::Status checkArguments(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const std::string which = "argument " + std::to_string(i);
        if (argument.empty())
            return qs::core::Error{qs::core::ErrorCode::InvalidArgument, which + " is empty"};
        if (!qs::core::isUtf8(argument))
            return qs::core::Error{qs::core::ErrorCode::InvalidArgument,
                                   which + " is not UTF-8: " + argument};
    }
    return {};
}

void addCommands(CLI::App& app, Request& request)
{
    addRun(app, request.run);
    addInspect(app, request.inspect);
    addExportExample(app, request.exportExample);
    addSensitivity(app, request.sensitivity);
    addRegions(app, request.regions);
    addQuantize(app, request.quantize);
    addReport(app, request.report);
    addPeer(app, request.peer);
    addCompare(app, request.compare);
    addRepair(app, request.repair);
    addCache(app, request.cache);
    addCalibration(app, request.calibration);
    addConvert(app, request.convert);
    addTrust(app, request.trust);
    app.add_subcommand("devices", "Show the CPU and GPUs");
    addPreset(app, request);
    app.add_subcommand("selftest", "Run a small sweep on every device");
}

int runProgram(int argc, char** argv)
{
    if (const qs::core::Status status = checkArguments(argc, argv); !status.ok())
        return fail(status.error());
    CLI::App app{"QuantScope: compare quantization modes of PyTorch models", "quantscope-cli"};
    app.set_version_flag("--version", "QuantScope " QS_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 ok, 1 a cell or a gate failed, a gate is undecided, or part of the journal "
        "is unreadable,\n2 usage, 3 impossible configuration, 4 out of memory, 5 CUDA error, 6 "
        "timeout,\n75 stopped early (resume with --resume), also when standard output is closed.");
    Request request;
    addCommands(app, request);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::ostringstream output;
        std::ostringstream errors;
        const int code = app.exit(error, output, errors);
        sayText(output.str());
        if (!errors.str().empty())
            complainText(errors.str());
        return code == 0 ? kExitOk : kExitUsage;
    }
    if (app.got_subcommand("run"))
        return runCommand(request.run);
    const Interrupts interrupts(endBySignal);
    if (app.got_subcommand("inspect"))
        return inspectCommand(request.inspect);
    if (app.got_subcommand("export-example"))
        return exportExampleCommand(request.exportExample);
    if (app.got_subcommand("sensitivity"))
        return sensitivityCommand(request.sensitivity);
    if (app.got_subcommand("regions"))
        return regionsCommand(request.regions);
    if (app.got_subcommand("quantize"))
        return quantizeCommand(request.quantize);
    if (app.got_subcommand("report"))
        return reportCommand(request.report);
    if (app.got_subcommand("peer"))
        return peerCommand(request.peer);
    if (app.got_subcommand("compare"))
        return compareCommand(request.compare);
    if (app.got_subcommand("repair"))
        return repairCommand(request.repair);
    if (app.got_subcommand("cache"))
        return cacheCommand(request.cache);
    if (app.got_subcommand("calibration"))
        return calibrationCommand(request.calibration);
    if (app.got_subcommand("convert"))
        return convertCommand(request.convert);
    if (app.got_subcommand("trust"))
        return trustCommand(request.trust);
    if (app.got_subcommand("devices"))
        return devicesCommand();
    if (app.got_subcommand("preset"))
        return app.get_subcommand("preset")->got_subcommand("convert")
                   ? presetConvertCommand(request.presetConvert)
                   : presetCheckCommand(request.presets);
    return selftestCommand();
}

}  // namespace

int main(int argc, char** argv)
{
    prepareStandardStreams();
    qs::core::sayLastWords("quantscope-cli", kExitOutOfMemory, kExitCellFailed);
    try {
        return finishStandardOutput(runProgram(argc, argv));
    } catch (...) {
        return fail(qs::core::caughtError());
    }
}
