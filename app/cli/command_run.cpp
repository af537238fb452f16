#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/fail_on.h"
#include "app/cli/feeding_options.h"
#include "app/cli/filter_plan.h"
#include "app/cli/interrupts.h"
#include "app/cli/plan_checks.h"
#include "app/cli/progress_printer.h"
#include "app/cli/run_stopper.h"
#include "app/cli/run_warnings.h"
#include "app/cli/settle_run.h"
#include "app/cli/terminal_text.h"
#include "app/cli/trust_question.h"
#include "core/analysis/cell_label.h"
#include "core/base/clean_text.h"
#include "core/base/format.h"
#include "core/base/stop_timer.h"
#include "core/device/host_memory.h"
#include "core/quant/checked_model.h"
#include "core/record/run_folder.h"
#include "core/report/words/note_text.h"
#include "core/run/describe_engine.h"
#include "core/run/program_paths.h"
#include "core/run/run_session.h"
#include "core/sweep/plan.h"
#include "core/sweep/plan_needs.h"
#include "core/sweep/preset.h"
#include "core/sweep/program_preset.h"
#include "core/sweep/sensitivity_preset.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <utility>

namespace qs::app {

namespace {

using core::Error;
using core::ErrorCode;
using core::Result;

constexpr double kEngineTimeoutSeconds = 60.0;

// A model that is a compiled program takes what can be chosen out of the preset; whoever chooses it
// all the same is told why that cannot be.
core::Status setModel(core::Preset& preset, const std::string& model,
                      const core::ProgramPaths& paths)
{
    QS_RETURN_IF_ERROR(core::applyOverride(preset, "model=" + model));
    const core::ModelInspection seen =
        core::inspectCheckedModel(model, paths.resources, preset.defaults.seed);
    if (seen.usable() && seen.family->stages().front().program)
        preset = core::asPackaged(std::move(preset), *seen.family);
    return {};
}

Result<core::Preset> presetOf(const RunCommand& command, const core::ProgramPaths& paths)
{
    QS_TRY(core::Preset preset, core::readPreset(command.preset));
    if (!command.model.empty())
        QS_RETURN_IF_ERROR(setModel(preset, command.model, paths));
    std::vector<std::string> assignments = command.overrides;
    if (!command.device.empty())
        assignments.push_back("device=" + command.device);
    if (command.seed)
        assignments.push_back("seed=" + std::to_string(*command.seed));
    QS_RETURN_IF_ERROR(core::applyOverrides(preset, assignments));
    if (!command.images.empty())
        preset.pictures.source = command.images;
    QS_RETURN_IF_ERROR(applyFeeding(command.feeding, preset.feeding));
    QS_RETURN_IF_ERROR(applyCalibration(command.calibration, preset.calibration));
    return preset;
}

void printPlan(const core::Plan& plan)
{
    const core::CellLabels labels = core::distinguish(plan.cells);
    sayLine(labels.shared());
    for (const core::PlannedCell& cell : plan.cells) {
        std::string line = labels.withBatch(cell);
        if (!cell.possible())
            line += "\n    impossible: " + core::cleanLine(core::noteText(*cell.impossible));
        else
            line += fmt::format("  about {}", core::formatSeconds(cell.estimatedSeconds));
        for (const std::string& note : core::noteTexts(cell.notes))
            line += "\n    note: " + core::cleanLine(note);
        sayLine(line);
    }
    const core::PlanNeeds needs = core::needsOf(plan);
    say("{} cells, {} possible, {} rounds: about {}; up to {} on disk, {} of memory for images\n",
        plan.cells.size(), plan.possibleCells(), plan.preset.rounds,
        core::formatSeconds(plan.estimatedSeconds()),
        core::formatBytes(static_cast<double>(needs.diskBytes)),
        core::formatBytes(static_cast<double>(needs.imageMemoryBytes)));
}

Result<core::Plan> planOf(const RunCommand& command, const core::ProgramPaths& paths)
{
    QS_TRY(core::Preset preset, presetOf(command, paths));
    if (!command.sensitivity.empty()) {
        QS_TRY(const core::SensitivityUnit unit,
               core::kSensitivityUnits.parse(command.sensitivity, "unit"));
        QS_TRY(
            const core::OpenedModel opened,
            core::openCheckedModel(preset.defaults.model, paths.resources, preset.defaults.seed));
        QS_TRY(preset, core::sensitivityPreset(preset, *opened.model.family, unit));
    }
    QS_TRY(const core::EngineDescription engine,
           core::describeEngine(paths.worker, kEngineTimeoutSeconds));
    QS_TRY(core::Plan plan,
           core::makePlan(preset, {engine.devices, paths.resources, command.manyAllowed}));
    QS_RETURN_IF_ERROR(filterPlan(plan, command.filters));
    return plan;
}

// Where the run is going to be; without a folder, here.
core::HostRoom roomFor(const RunCommand& command)
{
    return {core::hostMemory(), core::freeSpace(command.out.empty() ? "." : command.out)};
}

// With a run that exists.
bool goesOn(const RunCommand& command)
{
    return command.resume || command.append || command.settleRounds > 0;
}

// What is wrong with --fail-on is said before hours of measuring; the plan of a run that goes on
// is known only at its end.
core::Status checkFailOn(const FailOn& failOn, const RunCommand& command, const core::Plan& plan)
{
    if (command.resume || command.settleRounds > 0)
        return {};
    const auto gates = wantedGates(failOn, plan.preset);
    return gates.ok() ? core::Status() : gates.error();
}

// A failed gate counts only where nothing worse happened.
int exitCodeWithGates(const FailOn& failOn, const ProgressPrinter& printer,
                      const core::Analysis& analysis)
{
    const int code = exitCodeOf(printer.data(), printer.complete());
    if (!failOn.wanted())
        return code;
    const auto gates = wantedGates(failOn, printer.data().plan.preset);
    if (!gates.ok())
        return fail(gates.error());
    const bool fails = anyGateFails(printer.data(), analysis, gates.value(), failOn);
    return code == kExitOk && fails ? kExitCellFailed : code;
}

// What is to be run: of a run that is resumed nothing but itself.
Result<core::Plan> wantedPlan(const RunCommand& command, const FailOn& failOn,
                              const core::ProgramPaths& paths)
{
    const auto usage = [](const char* text) { return Error{ErrorCode::InvalidArgument, text}; };
    if (command.resume && command.append)
        return usage("--resume and --append exclude each other: --append also resumes the run");
    if (command.settleRounds > 0) {
        if (command.resume || command.append || !command.preset.empty())
            return usage(
                "--settle excludes a preset, --resume and --append: it resumes the run in --out");
        if (command.out.empty())
            return usage("specify the run folder with --out");
        return settlingPlan(command.out, command.settleRounds);
    }
    if (command.resume && !command.dryRun)
        return core::Plan();
    if (command.preset.empty())
        return usage("specify a preset, or resume a run folder with --resume --out");
    QS_TRY(core::Plan plan, planOf(command, paths));
    QS_RETURN_IF_ERROR(checkFailOn(failOn, command, plan));
    if (!plan.preset.feeding.labels.empty() && !core::scoresLabels(plan))
        complainLine("note: " + plan.preset.feeding.labels +
                     " is not used: only trained classifiers and embeddings are scored, and on "
                     "inputs that are not generated");
    return plan;
}

int dryRun(const RunCommand& command, const core::Plan& plan)
{
    if (command.settleRounds > 0)
        return kExitOk;  // its plan has been told
    printPlan(plan);
    const core::Status fits = core::checkRoom(core::needsOf(plan), roomFor(command));
    if (!fits.ok())
        return fail(fits.error());
    return plan.possibleCells() > 0 ? kExitOk : kExitImpossible;
}

int exitCodeOfRun(const RunCommand& command, const FailOn& failOn, const ProgressPrinter& printer)
{
    if (!printer.status().ok())
        return fail(printer.status().error());
    if (!printer.complete())
        say("stopped early; resume with: quantscope-cli run --resume --out {}\n", command.out);
    // Whoever stops a run of a hundred thousand rows does not wait for their analysis.
    if (!printer.complete() && !failOn.wanted())
        return exitCodeOf(printer.data(), false);
    const core::Analysis analysis =
        core::analyse(printer.data(), printer.data().plan.preset.speedBaseline);
    printTimeWarnings(analysis);
    printClaims(analysis);
    return exitCodeWithGates(failOn, printer, analysis);
}

// To the compiled programs of the plan, and of the run that it goes on with.
core::Status agreeToRun(const RunCommand& command, const core::Plan& plan,
                        const core::ProgramTrust& trust)
{
    std::vector<core::TrustedProgram> programs = core::programsToTrust(plan, trust);
    if (goesOn(command)) {
        QS_TRY(const auto earlier, core::programsToTrust(command.out, trust));
        programs.insert(programs.end(), earlier.begin(), earlier.end());
    }
    return agreeToPrograms(programs, trust, command.trust);
}

}  // namespace

int runCommand(const RunCommand& command)
{
    RunStopper stopper;
    std::optional<Interrupts> interrupts(std::in_place,
                                         [&stopper](int signal) { stopper.interrupted(signal); });
    std::optional<core::StopTimer> timeLimit;
    if (command.maximumSeconds > 0.0)
        timeLimit.emplace(std::chrono::duration<double>(command.maximumSeconds),
                          [&stopper] { stopper.stopNow(); });
    const Result<FailOn> failOn = failOnFrom(command.failOn, command.undecided);
    if (!failOn.ok())
        return fail(failOn.error());
    const core::ProgramPaths paths = core::locatePrograms();
    Result<core::Plan> wanted = wantedPlan(command, failOn.value(), paths);
    if (!wanted.ok())
        return fail(wanted.error());
    core::Plan plan = std::move(wanted).value();
    if (command.dryRun)
        return dryRun(command, plan);
    if (command.out.empty())
        return fail({ErrorCode::InvalidArgument, "specify the run folder with --out"});
    if (!goesOn(command)) {
        for (const core::Status& status : {checkPictures(plan.preset), checkSomeCanRun(plan),
                                           checkFeeds(plan, paths.resources)}) {
            if (!status.ok())
                return fail(status.error());
        }
    }
    const core::PathTrust trust(paths.trustFile);
    Result<std::vector<std::string>> agreed = std::vector<std::string>();
    if (goesOn(command))
        agreed = agreedPaths(command.out, trust, command.trustPaths);
    if (!agreed.ok())
        return fail(agreed.error());
    const core::ProgramTrust programTrust(paths.programTrustFile);
    if (const core::Status trusted = agreeToRun(command, plan, programTrust); !trusted.ok())
        return fail(trusted.error());
    ProgressPrinter printer(::isatty(STDOUT_FILENO) != 0, [&stopper] { stopper.stopNow(); });
    std::optional<core::RunSession> session;
    stopper.watch([&] {
        return &session.emplace(std::move(plan),
                                core::RunOptions{.folder = command.out,
                                                 .workerProgram = paths.worker,
                                                 .resourceFolder = paths.resources,
                                                 .inputCache = paths.inputCache,
                                                 .workerCache = paths.workerCache,
                                                 .trust = trust,
                                                 .agreedPaths = std::move(agreed).value(),
                                                 .programTrust = programTrust,
                                                 .resume = goesOn(command),
                                                 .retryFailed = command.retryFailed},
                                printer);
    });
    session->wait();
    interrupts.reset();
    timeLimit.reset();
    return exitCodeOfRun(command, failOn.value(), printer);
}

}  // namespace qs::app
