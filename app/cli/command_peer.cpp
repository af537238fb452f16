#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/interrupts.h"
#include "app/cli/terminal_text.h"
#include "app/cli/trust_question.h"
#include "core/base/temporary_folder.h"
#include "core/record/reference_results.h"
#include "core/run/describe_engine.h"
#include "core/run/peer/measure_peer.h"
#include "core/run/program_paths.h"

#include <filesystem>
#include <optional>

namespace qs::app {

namespace fs = std::filesystem;

namespace {

using core::Error;
using core::ErrorCode;
using core::Result;
using core::Status;

constexpr double kPeerEngineSeconds = 60.0;

Status attach(const std::string& run, const fs::path& file)
{
    QS_TRY(const std::string place, core::attachReference(run, file));
    QS_TRY(const core::ReferenceResults results, core::readReferenceResults(file));
    say("{}: {} rows of {} {}; they show in the report of {}\n", place, results.rows.size(),
        results.program, results.version, run);
    return {};
}

Result<fs::path> pythonFor(const PeerCommand& command, const core::ProgramPaths& paths)
{
    if (!command.python.empty())
        return fs::path(command.python);
    QS_TRY(const core::EngineDescription engine,
           core::describeEngine(paths.worker, kPeerEngineSeconds));
    if (engine.python.empty())
        return Error{ErrorCode::NotFound, "the engine found no Python that has its PyTorch; name "
                                          "one with --python"};
    return fs::path(engine.python);
}

core::PeerWishes wishesOf(const PeerCommand& command)
{
    core::PeerWishes wishes;
    if (!command.precisions.empty())
        wishes.precisions = command.precisions;
    if (!command.modes.empty())
        wishes.modes = command.modes;
    wishes.batches = command.batches;
    wishes.device = command.device;
    wishes.rounds = command.rounds;
    wishes.samples = command.samples;
    wishes.prepareSeconds = command.prepareSeconds;
    wishes.freshCaches = !command.shareCaches;
    return wishes;
}

Status checkEmpty(const fs::path& folder)
{
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_empty(folder, error))
        return Error{ErrorCode::InvalidArgument,
                     folder.string() + " already exists and is not empty"};
    return core::createFolders(folder);
}

// The script, its request and its results, in a folder that goes at the end unless it was named.
Status measure(const PeerCommand& command, core::SupervisorSwitch& control)
{
    const core::ProgramPaths paths = core::locatePrograms();
    QS_TRY(const auto agreed,
           agreedPaths(command.run, core::PathTrust(paths.trustFile), command.trustPaths));
    static_cast<void>(agreed);
    QS_TRY(const core::PeerRequest request,
           core::peerRequest(command.run, wishesOf(command), paths.resources));
    std::optional<core::TemporaryFolder> own;
    fs::path folder = command.prepare;
    fs::path python;
    if (folder.empty()) {
        QS_TRY(python, pythonFor(command, paths));
        QS_TRY(core::TemporaryFolder made, core::TemporaryFolder::create("quantscope-peer"));
        folder = own.emplace(std::move(made)).path();
    } else {
        QS_RETURN_IF_ERROR(checkEmpty(folder));
    }
    QS_RETURN_IF_ERROR(core::preparePeer(
        request, folder, {paths.worker, paths.resources, paths.workerCache}, control,
        {.progress = [](core::Phase, double) {},
         .log = [](const std::string& line) { complainLine(line); }}));
    if (!own) {
        say("{0}: run it with\n  python3 {0}/measure_peer.py {0}/request.json results.json\nand "
            "add results.json to the run with --attach results.json\n",
            folder.string());
        return {};
    }
    QS_TRY(const fs::path results,
           core::runPeer(
               python, folder, [](const std::string& line) { sayLine(line); },
               [&] { return !control.stopping(); }));
    return attach(command.run, results);
}

}  // namespace

int peerCommand(const PeerCommand& command)
{
    if (!command.attach.empty()) {
        const Status attached = attach(command.run, command.attach);
        return attached.ok() ? kExitOk : fail(attached.error());
    }
    core::SupervisorSwitch control;
    const Interrupts interrupts([&control](int) { control.stopNow(); });
    const Status measured = measure(command, control);
    return measured.ok() ? kExitOk : fail(measured.error());
}

}  // namespace qs::app
