#include "app/cli/commands.h"
#include "app/cli/exit_codes.h"
#include "app/cli/interrupts.h"
#include "app/cli/standard_output.h"
#include "app/cli/terminal_text.h"
#include "core/base/caught.h"
#include "core/base/clean_text.h"
#include "core/sweep/settle_plan.h"

#include <CLI/CLI.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace qs::app;

void addFailOn(CLI::App& sub, std::vector<std::string>& failOn, std::string& undecided)
{
    sub.add_option("--fail-on", failOn,
                   "Exit with 1 if a cell fails: \"gates\" (those of the preset), or one such as "
                   "\"ssim_mean >= 0.99\". A gate on a time, throughput or speed-up passes if its "
                   "whole 95 % interval does; if the limit lies within it, or there are fewer than "
                   "three repeats, it is undecided, which is 1 as well")
        ->allow_extra_args(false);
    sub.add_option("--undecided", undecided,
                   "What an undecided gate of --fail-on does: fail (default) or pass")
        ->check(CLI::IsMember({"fail", "pass"}));
}

void addRun(CLI::App& app, RunCommand& run)
{
    CLI::App* sub = app.add_subcommand("run", "Run a sweep without a window");
    sub->add_option("preset", run.preset, "Preset (JSON)");
    sub->add_option("--out", run.out, "Run folder to make, or to go on with");
    sub->add_flag("--dry-run", run.dryRun,
                  "Show cells, what is impossible and why, and the estimate");
    sub->add_flag("--resume", run.resume,
                  "Go on with the run in --out; nothing finished is repeated");
    sub->add_flag("--append", run.append,
                  "Add the preset's cells to the run in --out, in rounds of their own with their "
                  "baselines, and go on with it");
    sub->add_option("--settle", run.settleRounds,
                    "Give the comparisons of the run in --out that are not settled so many more "
                    "rounds, with their baselines, and go on with it")
        ->check(CLI::Range(1, qs::core::kMostSettleRounds));
    sub->add_flag("--trust-paths", run.trustPaths,
                  "Read the models and pictures that the plan of a run names, although it was not "
                  "begun here");
    sub->add_flag("--retry-failed", run.retryFailed, "With --resume: try failed cells again");
    sub->add_flag("--yes", run.manyAllowed, "Allow more than 10 000 cells");
    sub->add_option("--filter", run.filters, "Only cells with name=value[,value]");
    sub->add_option("--set", run.overrides,
                    "Replace an axis or a setting: batch=1..64 pow2, rounds=3");
    sub->add_option("--device", run.device, "cpu, cuda:0 …");
    sub->add_option(
        "--model", run.model,
        "demo, FAMILY:VARIANT (vitok:350M-f16x64, resnet:18/10, llama:tiny …), a folder or a "
        ".safetensors file");
    sub->add_option("--images", run.images, "Folder or file with pictures (PNG, JPEG)");
    sub->add_option("--seed", run.seed, "Seed of generated weights");
    sub->add_option(
           "--max-time", run.maximumSeconds,
           "Stop cleanly after so many seconds, whatever runs then; --resume repeats that cell")
        ->check(CLI::NonNegativeNumber);
    addFailOn(*sub, run.failOn, run.undecided);
}

void addInspect(CLI::App& app, InspectCommand& inspect)
{
    CLI::App* sub = app.add_subcommand("inspect", "Show what a model is, without running it");
    sub->add_option(
           "model", inspect.model,
           "demo, FAMILY:VARIANT (vitok:350M-f16x64, resnet:18/10, llama:tiny …), a folder or a "
           ".safetensors file")
        ->required();
    sub->add_option("--precision", inspect.precision, "Scheme, or encoder/decoder: bf16/int8dq");
    sub->add_option("--layers", inspect.layers, "Layer filter: all, mlp, attention, regex:EXPR …");
    sub->add_option("--size", inspect.sizes,
                    "A size of the model: image_size=512, prompt_tokens=128 …");
    sub->add_option("--batch", inspect.batch, "Samples per pass")->check(CLI::Range(1, 65536));
    sub->add_option("--seed", inspect.seed, "Seed of generated weights");
    sub->add_flag("--table", inspect.allLayers, "List every layer");
    sub->add_flag("--json", inspect.json, "All of it as JSON, with every layer");
}

void addReport(CLI::App& app, ReportCommand& report)
{
    CLI::App* sub = app.add_subcommand("report", "Export a run folder");
    sub->add_option("run", report.run, "Run folder")->required();
    sub->add_option("--out", report.out, "Folder for the files; the run folder by default");
    sub->add_option("--baseline", report.baseline, "best-bf16, bf16-eager or a cell id");
    sub->add_option("--price", report.price,
                    "Price of an hour of the device, e.g. 2.5:USD: adds what the run and a million "
                    "pictures cost");
    sub->add_flag("--csv", report.csv,
                  "cells.csv, measurements.csv, samples.csv, environment.json");
    sub->add_flag("--json", report.json, "Everything as JSON");
    sub->add_flag("--md", report.markdown, "summary.md");
    sub->add_option("--bundle", report.bundle, "One archive with reports, plan and journal");
    addFailOn(*sub, report.failOn, report.undecided);
}

void addRepair(CLI::App& app, RepairCommand& repair)
{
    CLI::App* sub = app.add_subcommand(
        "repair",
        "Copy a run with a damaged journal, without what cannot be read, to go on with it");
    sub->add_option("run", repair.run, "Run folder")->required();
    sub->add_option("--out", repair.out, "Folder to make; RUN-repaired by default");
    sub->add_flag("--in-place", repair.inPlace,
                  "Change the run itself; the damaged journal is kept beside the new one");
}

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

int fail(const qs::core::Error& error)
{
    complain(error.message);
    return exitCodeOf(error);
}

// What the arguments ask for: the command, and what each command is told.
struct Request {
    RunCommand run;
    InspectCommand inspect;
    ReportCommand report;
    RepairCommand repair;
    std::vector<std::string> presets;
};

void addCommands(CLI::App& app, Request& request)
{
    addRun(app, request.run);
    addInspect(app, request.inspect);
    addReport(app, request.report);
    addRepair(app, request.repair);
    app.add_subcommand("devices", "Show CPU and GPUs as the engine sees them");
    CLI::App* preset = app.add_subcommand("preset", "Work with presets")->require_subcommand(1);
    preset->add_subcommand("check", "Lint presets; every problem with its JSON path")
        ->add_option("files", request.presets, "Preset files")
        ->required();
    app.add_subcommand("selftest", "Run a tiny sweep on every device");
}

int runProgram(int argc, char** argv)
{
    if (const qs::core::Status status = checkArguments(argc, argv); !status.ok())
        return fail(status.error());
    CLI::App app{"QuantScope: compare quantization modes of PyTorch models", "quantscope-cli"};
    app.set_version_flag("--version", "QuantScope " QS_VERSION);
    app.require_subcommand(1);
    app.footer("Exit codes: 0 ok, 1 a cell or a gate failed, a gate is undecided, or a part of the "
               "journal cannot be read,\n"
               "2 usage, 3 impossible configuration, 4 out of memory, 5 CUDA error, 6 timeout,\n"
               "75 stopped early (run again with --resume), also when nobody reads the output any "
               "more.");
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
    if (app.got_subcommand("report"))
        return reportCommand(request.report);
    if (app.got_subcommand("repair"))
        return repairCommand(request.repair);
    if (app.got_subcommand("devices"))
        return devicesCommand();
    if (app.got_subcommand("preset"))
        return presetCheckCommand(request.presets);
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
